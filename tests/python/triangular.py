triangular = lambda n: n * (n + 1) // 2
print([triangular(n) for n in range(10)])
n = 1
while triangular(n) < 1000:
    n += 1
print(n, triangular(n))
