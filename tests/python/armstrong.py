for n in range(1, 1000):
    digits = str(n)
    if sum([int(c) ** len(digits) for c in digits]) == n:
        print(n, end=" ")
print()
