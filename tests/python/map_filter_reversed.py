# map, filter and reversed in loops
words = ["attention", "is", "all", "you", "need"]
for length in map(len, words):
    print(length)
for word in filter(lambda w: len(w) > 3, words):
    print(word)
for word in reversed(words):
    print(word)
for a, b in zip(map(str, [1, 2, 3]), reversed([4, 5, 6])):
    print(a + ":" + str(b))
print("-".join(map(str, range(5))))
print(sum(map(lambda x: x * x, range(10))))
for i in reversed(range(2, 10, 3)):
    print(i)
