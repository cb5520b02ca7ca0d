def fold(f, xs, start):
    out = start
    for x in xs:
        out = f(out, x)
    return out

print(fold(lambda a, b: a + b, [1, 2, 3, 4], 0))
print(fold(lambda a, b: a * b, range(1, 6), 1))
print(fold(lambda a, b: b + a, "abc", ""))
print(fold(lambda a, b: a if a > b else b, [3, 9, 2], 0))
