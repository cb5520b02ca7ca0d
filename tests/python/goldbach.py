def is_prime(n):
    return n > 1 and all(n % d != 0 for d in range(2, n))

for n in range(4, 31, 2):
    for p in range(2, n):
        if is_prime(p) and is_prime(n - p):
            print(f"{n} = {p} + {n - p}")
            break
