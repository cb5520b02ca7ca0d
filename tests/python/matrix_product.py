a = [[1, 2, 3], [4, 5, 6]]
b = [[7, 8], [9, 10], [11, 12]]
for i in range(2):
    row = []
    for j in range(2):
        total = 0
        for k in range(3):
            total += a[i][k] * b[k][j]
        row.append(total)
    print(row)
