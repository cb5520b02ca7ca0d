def safe(columns, column):
    row = len(columns)
    for r, c in enumerate(columns):
        if c == column or abs(c - column) == row - r:
            return False
    return True

def queens(n, columns=()):
    if len(columns) == n:
        return 1
    return sum([queens(n, columns + (c,)) for c in range(n) if safe(columns, c)])

print([queens(n) for n in range(1, 7)])
