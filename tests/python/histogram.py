values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]
for n in range(1, 10):
    count = sum([1 for v in values if v == n])
    if count > 0:
        print(f"{n} | {'*' * count} {count}")
