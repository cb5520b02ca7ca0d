square = [[2, 7, 6], [9, 5, 1], [4, 3, 8]]
for row in square:
    print(row, sum(row))
for j in range(3):
    print(sum([square[i][j] for i in range(3)]), end=" ")
print(sum([square[i][i] for i in range(3)]), sum([square[i][2 - i] for i in range(3)]))
