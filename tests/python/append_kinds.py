xs = []
xs.append(1)
xs.append(2)
print(xs, len(xs))
ys = [10, 20]
ys.append(30)
print(ys)
words = []
for w in ("x", "y"):
    words.append(w * 2)
print(words, words[-1])
