def bubble(xs):
    n = len(xs)
    for i in range(n):
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs

print(bubble([5, 2, 9, 1, 5, 6, -3, 0]))
print(bubble([3, 2, 1]))
