a, b, c = 1, 2, 3
a, b, c = c, a, b
print(a, b, c)
a, b = b, a
print(a, b)
(x, y), z = (4, 5), 6
print(x + y * z)
