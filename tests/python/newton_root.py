def integer_root(n):
    x = n
    y = (x + 1) // 2
    while y < x:
        x = y
        y = (x + n // x) // 2
    return x

for n in [1, 2, 15, 16, 17, 1000000, 999999]:
    r = integer_root(n)
    assert r * r <= n < (r + 1) * (r + 1)
    print(n, r)
