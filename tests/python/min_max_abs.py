print(min(3, 1, 2), max(3, 1, 2), min([4, -2, 9]), max([4, -2, 9]))
print(abs(-7), abs(7), abs(3 - 10))
print(max(len("abc"), 2), min(abs(-3), 5))
