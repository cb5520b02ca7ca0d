def power_mod(b, n, m):
    out = 1
    b %= m
    while n > 0:
        if n % 2 == 1:
            out = out * b % m
        b = b * b % m
        n //= 2
    return out

print(power_mod(2, 100, 1000007), power_mod(3, 200, 50), power_mod(7, 0, 13))
print([power_mod(a, 10, 11) for a in range(1, 11)])
