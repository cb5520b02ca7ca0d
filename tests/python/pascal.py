row = [1]
for n in range(7):
    print(" ".join([str(x) for x in row]))
    longer = [1]
    for i in range(len(row) - 1):
        longer.append(row[i] + row[i + 1])
    longer.append(1)
    row = longer
