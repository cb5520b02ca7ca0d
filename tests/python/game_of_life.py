grid = ["......", "..#...", "..#...", "..#...", "......"]

def alive(cells, i, j):
    return 0 <= i < len(cells) and 0 <= j < len(cells[0]) and cells[i][j] == "#"

def step(cells):
    out = []
    for i in range(len(cells)):
        line = ""
        for j in range(len(cells[0])):
            n = sum([1 for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0) and alive(cells, i + a, j + b)])
            line += "#" if n == 3 or n == 2 and alive(cells, i, j) else "."
        out.append(line)
    return out

for line in step(grid):
    print(line)
print(step(step(grid)) == grid)
