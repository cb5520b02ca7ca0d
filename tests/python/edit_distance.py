def distance(a, b):
    row = []
    for j in range(len(b) + 1):
        row.append(j)
    for i in range(1, len(a) + 1):
        previous, row[0] = row[0], i
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + cost)
    return row[len(b)]

for a, b in [("kitten", "sitting"), ("flaw", "lawn"), ("", "abc"), ("same", "same")]:
    print(a, b, distance(a, b))
