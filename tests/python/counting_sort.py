counts = []
for n in range(6):
    counts.append(0)
for x in [3, 5, 1, 3, 0, 3, 5]:
    counts[x] += 1
out = []
for value, count in enumerate(counts):
    for k in range(count):
        out.append(value)
print(counts)
print(out)
