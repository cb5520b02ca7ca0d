xs = [n * n for n in range(10)]
print(xs[2:5], xs[-3:])
print(xs[::3], xs[::-1])
print(xs[7:1:-2], xs[:-8])
print(len(xs[4:4]), len(xs[100:101]))
