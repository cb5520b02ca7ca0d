def grade(points):
    return "A" if points >= 90 else "B" if points >= 80 else "C" if points >= 70 else "F"

for points in (95, 85, 75, 20, 90, 80):
    print(points, grade(points))
