print([x * x for x in range(10) if x % 2 == 1])
print([x if x > 2 else -x for x in range(6)])
print([w.upper() for w in "to be or not to be".split() if len(w) == 2 and w != "or"])
print([(i, j) for i in range(3) for j in range(i)])
