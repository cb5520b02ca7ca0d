operations = [("plus", lambda a, b: a + b), ("minus", lambda a, b: a - b), ("times", lambda a, b: a * b),
              ("div", lambda a, b: a // b), ("mod", lambda a, b: a % b)]
for name, f in operations:
    print(f"{name:>5}: {f(17, 5):4d} {f(-17, 5):4d} {f(17, -5):4d}")
