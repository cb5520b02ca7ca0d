words = "the cat sat down".split()
for i, word in enumerate(words):
    visible = ["x" if j <= i else "." for j in range(len(words))]
    print(f"{word:>5} {' '.join(visible)}")
print(sum([j <= i for i in range(4) for j in range(4)]))
