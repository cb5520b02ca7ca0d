# Keys that are taken out of large and small dicts, at the end and elsewhere, against a list of pairs.
state = 1


def below(n):
    global state
    state = (state * 16807) % 2147483647
    return state % n


def key_of(kind, n):
    if kind == 0:
        return n
    if kind == 1:
        return str(n)
    if kind == 2:
        return (n, "a")
    return [n, str(n), n / 2 + 0.25, None][n % 4]


for kind in range(4):
    d, pairs = {}, []
    for step in range(1500):
        key = key_of(kind, below(300) if step < 1000 else below(40))
        if below(10) < (7 if step < 700 else 3):
            if key in d:
                pairs = [(k, step) if k == key else (k, v) for k, v in pairs]
            else:
                pairs.append((key, step))
            d[key] = step
        elif pairs:
            at = len(pairs) - 1 - below(min(4, len(pairs))) if below(2) else below(len(pairs))
            del d[pairs[at][0]]
            del pairs[at]
        if step % 100 == 0:
            assert list(d.items()) == pairs
            assert all([d[k] == v for k, v in pairs])
    assert list(d.items()) == pairs
    print(kind, len(d), pairs[-2:])
