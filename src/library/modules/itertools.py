_missing = object()


class _Iterator:
    def __iter__(self):
        return self


class count(_Iterator):
    def __init__(self, start=0, step=1):
        self.at = start
        self.step = step

    def __next__(self):
        value = self.at
        self.at += self.step
        return value

    def __repr__(self):
        return f"count({self.at})" if self.step == 1 else f"count({self.at}, {self.step})"


def cycle(items):
    seen = []
    for x in items:
        seen.append(x)
        yield x
    while seen:
        yield from seen


def repeat(value, times=None):
    while times is None or times > 0:
        yield value
        if times is not None:
            times -= 1


def _joined(lists):
    for items in lists:
        yield from items


def chain(*lists):
    return _joined(lists)


chain.from_iterable = _joined


def islice(items, *bounds):
    part = slice(*bounds)
    wanted = part.start or 0
    for i, x in zip(count() if part.stop is None else range(max(wanted, part.stop)), items):
        if i == wanted:
            yield x
            wanted += part.step or 1


def takewhile(predicate, items):
    for x in items:
        if not predicate(x):
            return
        yield x


def dropwhile(predicate, items):
    items = iter(items)
    for x in items:
        if not predicate(x):
            yield x
            break
    yield from items


def filterfalse(predicate, items):
    return (x for x in items if not (predicate(x) if predicate is not None else x))


def starmap(function, items):
    return (function(*x) for x in items)


def compress(items, selectors):
    return (x for x, wanted in zip(items, selectors) if wanted)


def accumulate(items, func=None, initial=None):
    items = iter(items)
    total = next(items, _missing) if initial is None else initial
    if total is _missing:
        return
    yield total
    for x in items:
        total = total + x if func is None else func(total, x)
        yield total


def pairwise(items):
    items = iter(items)
    before = next(items, _missing)
    for x in items:
        yield before, x
        before = x


def zip_longest(*lists, fillvalue=None):
    lists = [iter(items) for items in lists]
    while True:
        row = [next(items, _missing) for items in lists]
        if all(x is _missing for x in row):
            return
        yield tuple([fillvalue if x is _missing else x for x in row])


class _Group(_Iterator):
    def __init__(self, groups, key):
        self.groups = groups
        self.key = key

    def __next__(self):
        return self.groups.take(self.key)


class groupby(_Iterator):
    def __init__(self, items, key=None):
        self.items = iter(items)
        self.key = key
        self.waits = False
        self.ahead = None
        self.ahead_key = None
        self.group = _missing

    def look(self):
        if not self.waits:
            self.ahead = next(self.items)
            self.ahead_key = self.ahead if self.key is None else self.key(self.ahead)
            self.waits = True

    def take(self, key):
        self.look()
        if self.ahead_key != key:
            raise StopIteration
        self.waits = False
        return self.ahead

    def __next__(self):
        self.look()
        while self.group is not _missing and self.ahead_key == self.group:
            self.waits = False
            self.look()
        self.group = self.ahead_key
        return self.group, _Group(self, self.group)


def tee(items, n=2):
    items = iter(items)
    waiting = [[] for i in range(n)]

    def each(own):
        while True:
            if not own:
                value = next(items, _missing)
                if value is _missing:
                    return
                for others in waiting:
                    others.append(value)
            yield own.pop(0)
    return tuple([each(own) for own in waiting])


def batched(items, n):
    items = iter(items)
    batch = tuple(islice(items, n))
    while batch:
        yield batch
        batch = tuple(islice(items, n))


def product(*lists, repeat=1):
    lists = [tuple(items) for items in lists] * repeat
    at = [0] * len(lists)
    if not all(lists):
        return
    while True:
        yield tuple([items[i] for items, i in zip(lists, at)])
        for k in range(len(lists) - 1, -1, -1):
            at[k] += 1
            if at[k] < len(lists[k]):
                break
            at[k] = 0
        else:
            return


def permutations(items, r=None):
    items = tuple(items)
    n = len(items)
    r = n if r is None else r
    if r > n:
        return
    order = list(range(n))
    left = list(range(n, n - r, -1))
    while True:
        yield tuple([items[i] for i in order[:r]])
        for k in range(r - 1, -1, -1):
            left[k] -= 1
            if left[k] > 0:
                j = n - left[k]
                order[k], order[j] = order[j], order[k]
                break
            order.append(order.pop(k))
            left[k] = n - k
        else:
            return


def _combinations(items, at, last, step):
    while True:
        yield tuple([items[i] for i in at])
        for k in range(len(at) - 1, -1, -1):
            if at[k] < last[k]:
                break
        else:
            return
        at[k] += 1
        for j in range(k + 1, len(at)):
            at[j] = at[j - 1] + step


def combinations(items, r):
    items = tuple(items)
    n = len(items)
    return _combinations(items, list(range(r)), list(range(n - r, n)), 1) if r <= n else iter([])


def combinations_with_replacement(items, r):
    items = tuple(items)
    n = len(items)
    return _combinations(items, [0] * r, [n - 1] * r, 0) if n > 0 or r == 0 else iter([])
