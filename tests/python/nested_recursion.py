def count_paths(rows, columns):
    def paths(i, j):
        if i == rows - 1 or j == columns - 1:
            return 1
        return paths(i + 1, j) + paths(i, j + 1)
    return paths(0, 0)

print([count_paths(n, n) for n in range(1, 7)])
