def happy(n):
    seen = []
    while n != 1 and n not in seen:
        seen.append(n)
        n = sum([int(c) ** 2 for c in str(n)])
    return n == 1

print([n for n in range(1, 50) if happy(n)])
