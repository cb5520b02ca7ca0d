def power(base, exponent):
    if exponent == 0:
        return 1
    half = power(base, exponent // 2)
    return half * half if exponent % 2 == 0 else half * half * base

for b in range(2, 6):
    for n in (1, 5, 10):
        assert power(b, n) == b ** n, "powers differ"
    print(b, power(b, 10))
