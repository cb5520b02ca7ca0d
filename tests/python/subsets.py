def subsets(word):
    if word == "":
        return [""]
    rest = subsets(word[1:])
    return rest + [word[0] + s for s in rest]

for s in sorted(subsets("abc")):
    print("{" + ",".join([c for c in s]) + "}") if s != "" else print("(none)")
