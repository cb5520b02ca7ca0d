def checked_root(n):
    assert n >= 0, "negative"
    r = 0
    while (r + 1) ** 2 <= n:
        r += 1
    return r

for n in (0, 8, 9, -1, 100):
    try:
        print(n, checked_root(n))
    except:
        print(n, "refused")
