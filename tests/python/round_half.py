for x in (0.5, 1.5, 2.5, -0.5, -1.5, 2.49, 2.51, 10):
    print(round(x), end=" ")
print()
print(int(3.99), int(-3.99), int("42"), int(True))
