edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"), ("f", "g")]
queue, order = ["a"], []
while len(queue) > 0:
    node = queue[0]
    queue = queue[1:]
    if node in order:
        continue
    order.append(node)
    for start, end in edges:
        if start == node:
            queue.append(end)
print(order)
print([n for n in "abcdefg" if n not in order])
