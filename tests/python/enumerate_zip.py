names = ["query", "key", "value"]
sizes = [64, 64, 32]
for i, name in enumerate(names):
    print(i, name)
for i, (name, size) in enumerate(zip(names, sizes)):
    print(f"{i}: {name} has {size}")
for letter, number in zip("abcdef", range(3)):
    print(letter * (number + 1))
