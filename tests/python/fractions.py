def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)

def add(p, q):
    a, b = p
    c, d = q
    n, m = a * d + b * c, b * d
    g = gcd(n, m)
    return n // g, m // g

total = (0, 1)
for k in range(1, 8):
    total = add(total, (1, k))
    print(f"{total[0]}/{total[1]}")
