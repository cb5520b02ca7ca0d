def extended(a, b):
    if b == 0:
        return a, 1, 0
    g, x, y = extended(b, a % b)
    return g, y, x - (a // b) * y

for a, b in [(240, 46), (17, 31), (6, 9)]:
    g, x, y = extended(a, b)
    print(g, x, y, a * x + b * y == g)
