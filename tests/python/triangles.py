def kind(a, b, c):
    a, b, c = sorted((a, b, c))
    if a + b <= c:
        return "none"
    if a == b == c:
        return "equilateral"
    return "isosceles" if a == b or b == c else "scalene"

for a, b, c in [(3, 4, 5), (5, 5, 5), (2, 2, 3), (1, 2, 3)]:
    print(a, b, c, kind(a, b, c))
