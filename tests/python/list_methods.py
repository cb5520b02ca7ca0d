# What Python's lists have to change themselves.
words = ["pear", "fig", "apple"]
words.sort()
print(words)
words.sort(key=lambda w: len(w), reverse=True)
print(words, words.index("fig"), words.count("kiwi"))
words.insert(1, "plum")
words.extend(["kiwi", "lime"])
words.remove("fig")
print(words.pop(), words.pop(0), words)
words.reverse()
print(words)

stack = []
for token in "3 4 + 2 *".split():
    if token in ("+", "*"):
        b = stack.pop()
        a = stack.pop()
        stack.append(a + b if token == "+" else a * b)
    else:
        stack.append(int(token))
print(stack.pop(), len(stack))

queue = [1]
seen = [1]
while len(queue) > 0:
    n = queue.pop(0)
    for m in [2 * n, 3 * n]:
        if m < 20 and m not in seen:
            seen.append(m)
            queue.append(m)
print(sorted(seen))

try:
    [].index(3)
except ValueError:
    print("not there")
empty = []
try:
    empty.pop()
except IndexError:
    print("empty")
