xs = [64, 25, 12, 22, 11]
for i in range(len(xs)):
    least = i
    for j in range(i + 1, len(xs)):
        if xs[j] < xs[least]:
            least = j
    xs[i], xs[least] = xs[least], xs[i]
    print(xs)
