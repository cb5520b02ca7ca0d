def permutations(items):
    if len(items) <= 1:
        return [items]
    out = []
    for i in range(len(items)):
        for rest in permutations(items[:i] + items[i + 1:]):
            out.append(items[i] + rest)
    return out

print(permutations("abc"))
print(len(permutations("abcd")), permutations("abcd")[-1])
