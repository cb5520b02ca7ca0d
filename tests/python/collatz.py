def steps(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count

best = 1
for n in range(1, 60):
    if steps(n) > steps(best):
        best = n
print(best, steps(best))
print([steps(n) for n in range(1, 16)])
