for a in (7, -7):
    for b in (3, -3):
        print(a, b, a // b, a % b, (a // b) * b + a % b == a)
print(7 // 7, 0 // 5, 2 ** 10 // 3, -1 % 26)
