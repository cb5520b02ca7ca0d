counts = [0, 0, 0, 0]
for c in "banana":
    counts[0 if c == "a" else 1 if c == "b" else 2] += 1
for i in range(4):
    counts[i] = counts[i] * 10 + i
print(counts)
counts[-1] -= 3
print(counts[-1], counts)
