"""Remainders of products above 2**53, which are computed exactly."""


def power_mod(b, n, m):
    out = 1
    while n > 0:
        if n % 2 == 1:
            out = out * b % m
        b = b * b % m
        n //= 2
    return out


print(power_mod(3, 123456789, 1000000007), power_mod(2, 10**9, 998244353))
seed = 42
for _ in range(3):
    seed = (1103515245 * seed + 12345) % 2**31
    print(seed)
h = 2166136261
for c in "attention":
    h = ((h ^ ord(c)) * 16777619) & 0xFFFFFFFF
print(h)
p = 10**9 + 7
print((p - 1) * (p - 2) % p, -(p - 1) * (p - 2) % p, (5 - p * p) % p, (5 - p * p) & 1023, (p * p - p) % 1000)
print(7 * 2.5 % 4, [3 * i % 5 for i in range(4)], "%d and %d" % (1, 2), True * 5 % 3, (2 + 3) & 6)
print((p * p) % -7, -(p * p) % 1000 >= 0, (p * p) % -1, (-(p - 1) * p + 5) % -13, (p * p) & 0)
