def keep(test, xs):
    out = []
    for x in xs:
        if test(x):
            out.append(x)
    return out

print(keep(lambda n: n % 3 == 0, range(20)))
print(keep(lambda w: w.startswith("a"), ["apple", "bat", "ant"]))
print(len(keep(lambda n: n > 100, [1, 2, 3])))
