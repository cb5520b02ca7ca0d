limit = 50
marked = []
for n in range(limit):
    marked.append(n < 2)
for n in range(2, limit):
    if not marked[n]:
        for multiple in range(n * n, limit, n):
            marked[multiple] = True
for n in range(limit):
    if not marked[n]:
        print(n, end=" ")
print()
