grid = [[1, 3, 1], [1, 5, 1], [4, 2, 1]]
for i in range(3):
    for j in range(3):
        if i > 0 and j > 0:
            grid[i][j] += min(grid[i - 1][j], grid[i][j - 1])
        elif i > 0:
            grid[i][j] += grid[i - 1][j]
        elif j > 0:
            grid[i][j] += grid[i][j - 1]
print(grid[2][2], grid[0][2], grid[2][0])
