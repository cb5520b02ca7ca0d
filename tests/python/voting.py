ballots = ["ann", "bob", "ann", "cy", "bob", "ann"]
names, counts = [], []
for ballot in ballots:
    if ballot in names:
        counts = [c + 1 if n == ballot else c for n, c in zip(names, counts)]
    else:
        names.append(ballot)
        counts = [0 if i == len(counts) else counts[i] for i in range(len(counts) + 1)]
        counts[-1] = 1
for name, count in zip(names, counts):
    print(f"{name:4}{count:2d} {count / len(ballots):.0%}")
print(max(counts))
