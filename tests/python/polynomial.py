def value(coefficients, x):
    total = 0
    for c in coefficients[::-1]:
        total = total * x + c
    return total

def derivative(coefficients):
    return [i * c for i, c in enumerate(coefficients)][1:]

p = [5, -3, 0, 2]
print([value(p, x) for x in range(-3, 4)])
print(derivative(p), value(derivative(p), 2))
