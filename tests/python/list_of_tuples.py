points = [(0, 0), (3, 4), (6, 8)]
points.append((9, 12))
for x, y in points:
    print((x, y), x * x + y * y)
print(points[1], points[-1][0], len(points))
print(("a", 1) == ("a", 1), ("a", 1) != ("b", 1))
