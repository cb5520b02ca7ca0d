for x in range(-2, 9, 2):
    print(x, 0 < x < 5, 0 <= x <= 6 != 3, -1 < x < 100 > x)
a = b = 4
print(a == b == 4, a <= b < 5, 1 < 2 > 1)
