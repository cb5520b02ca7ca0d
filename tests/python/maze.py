maze = ["S.#.", ".##.", "...E"]
def reach(i, j, path):
    if not (0 <= i < 3 and 0 <= j < 4) or maze[i][j] == "#" or (i, j) in path:
        return None
    path = path + [(i, j)]
    if maze[i][j] == "E":
        return path
    for a, b in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
        found = reach(i + a, j + b, path)
        if found is not None:
            return found
    return None

way = reach(0, 0, [])
print(len(way))
for i, j in way:
    print(i, j)
