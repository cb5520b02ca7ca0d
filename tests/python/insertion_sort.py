def insertion(xs):
    out = []
    for x in xs:
        i = 0
        while i < len(out) and out[i] < x:
            i += 1
        longer = out[:i]
        longer.append(x)
        for y in out[i:]:
            longer.append(y)
        out = longer
    return out

print(insertion([8, 3, 5, 4, 7, 6, 1, 2]))
