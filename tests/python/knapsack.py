weights_of = [1, 3, 4, 5]
values_of = [1, 4, 5, 7]
best = []
for c in range(8):
    best.append(0)
for w, v in zip(weights_of, values_of):
    for c in range(7, w - 1, -1):
        best[c] = max(best[c], best[c - w] + v)
print(best)
