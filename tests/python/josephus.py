def josephus(n, k):
    people = [i for i in range(1, n + 1)]
    order = []
    at = 0
    while len(people) > 0:
        at = (at + k - 1) % len(people)
        order.append(people[at])
        people = [p for i, p in enumerate(people) if i != at]
    return order

print(josephus(7, 3))
print(josephus(10, 2)[-1])
