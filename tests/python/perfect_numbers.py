def divisors(n):
    return [d for d in range(1, n) if n % d == 0]

for n in range(2, 500):
    if sum(divisors(n)) == n:
        print(n, divisors(n))
