def factors(n):
    out = []
    d = 2
    while d * d <= n:
        while n % d == 0:
            out.append(d)
            n //= d
        d += 1
    if n > 1:
        out.append(n)
    return out

for n in (2, 12, 97, 360, 1001, 65536):
    print(n, "=", " * ".join([str(f) for f in factors(n)]))
