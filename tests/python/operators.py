x = 10
x += 5
print(x)
x -= 3
x *= 4
print(x)
x //= 5
print(x)
x %= 4
x **= 5
print(x, -x, +x, --x)
print(2 + 3 * 4 ** 2 - 10 % 4, (2 + 3) * 4, -2 ** 2, 2 ** 3 ** 2)
