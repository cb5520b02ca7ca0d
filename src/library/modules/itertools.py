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


class cycle(_Iterator):
    def __init__(self, items):
        self.items = list(items)
        self.at = 0

    def __next__(self):
        if not self.items:
            raise StopIteration
        value = self.items[self.at]
        self.at = (self.at + 1) % len(self.items)
        return value


class repeat(_Iterator):
    def __init__(self, value, times=None):
        self.value = value
        self.times = times

    def __next__(self):
        if self.times is not None:
            if self.times <= 0:
                raise StopIteration
            self.times -= 1
        return self.value


class _Chain(_Iterator):
    def __init__(self, lists):
        self.lists = iter(lists)
        self.current = iter([])

    def __next__(self):
        while True:
            value = next(self.current, _missing)
            if value is not _missing:
                return value
            self.current = iter(next(self.lists))


def chain(*lists):
    return _Chain(lists)


chain.from_iterable = lambda lists: _Chain(lists)


class islice(_Iterator):
    def __init__(self, items, *bounds):
        self.items = iter(items)
        start, stop, step = 0, None, 1
        if len(bounds) == 1:
            stop = bounds[0]
        elif len(bounds) == 2:
            start, stop = bounds
        else:
            start, stop, step = bounds
        self.wait = start or 0
        self.stop = stop
        self.step = step or 1
        self.at = 0

    def __next__(self):
        while True:
            if self.stop is not None and max(self.at, self.wait) >= self.stop:
                while self.at < self.stop:
                    next(self.items)
                    self.at += 1
                raise StopIteration
            value = next(self.items)
            self.at += 1
            if self.at > self.wait:
                self.wait += self.step
                return value


class takewhile(_Iterator):
    def __init__(self, predicate, items):
        self.predicate = predicate
        self.items = iter(items)
        self.ended = False

    def __next__(self):
        if not self.ended:
            value = next(self.items)
            if self.predicate(value):
                return value
            self.ended = True
        raise StopIteration


class dropwhile(_Iterator):
    def __init__(self, predicate, items):
        self.predicate = predicate
        self.items = iter(items)
        self.began = False

    def __next__(self):
        value = next(self.items)
        while not self.began and self.predicate(value):
            value = next(self.items)
        self.began = True
        return value


def filterfalse(predicate, items):
    return (x for x in items if not (predicate(x) if predicate is not None else x))


def starmap(function, items):
    return (function(*x) for x in items)


def compress(items, selectors):
    return (x for x, wanted in zip(items, selectors) if wanted)


class accumulate(_Iterator):
    def __init__(self, items, func=None, initial=_missing):
        self.items = iter(items)
        self.function = func
        self.first = _missing if initial is None else initial
        self.total = _missing

    def __next__(self):
        if self.total is _missing:
            self.total = self.first if self.first is not _missing else next(self.items)
        elif self.function is None:
            self.total = self.total + next(self.items)
        else:
            self.total = self.function(self.total, next(self.items))
        return self.total


class pairwise(_Iterator):
    def __init__(self, items):
        self.items = iter(items)
        self.before = next(self.items, _missing)

    def __next__(self):
        first = self.before
        self.before = next(self.items)
        return first, self.before


class zip_longest(_Iterator):
    def __init__(self, *lists, fillvalue=None):
        self.lists = [iter(items) for items in lists]
        self.fillvalue = fillvalue

    def __next__(self):
        row = [next(items, _missing) for items in self.lists]
        if all(x is _missing for x in row):
            raise StopIteration
        return tuple(self.fillvalue if x is _missing else x for x in row)


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
    items = list(items)
    return tuple([iter(items) for i in range(n)])


def batched(items, n):
    items = list(items)
    return iter([tuple(items[i:i + n]) for i in range(0, len(items), n)])


class product(_Iterator):
    def __init__(self, *lists, repeat=1):
        self.lists = [tuple(items) for items in lists] * repeat
        self.at = None

    def __next__(self):
        lists = self.lists
        at = self.at
        if at is None:
            if not all(lists):
                raise StopIteration
            self.at = [0] * len(lists)
        else:
            for k in range(len(lists) - 1, -1, -1):
                at[k] += 1
                if at[k] < len(lists[k]):
                    break
                at[k] = 0
            else:
                raise StopIteration
        return tuple([items[i] for items, i in zip(lists, self.at)])


class permutations(_Iterator):
    def __init__(self, items, r=None):
        self.items = tuple(items)
        n = len(self.items)
        self.r = n if r is None else r
        self.order = list(range(n))
        self.left = list(range(n, n - self.r, -1))
        self.began = False

    def __next__(self):
        items = self.items
        n = len(items)
        r = self.r
        order = self.order
        left = self.left
        if not self.began:
            self.began = True
            if r > n:
                raise StopIteration
            return tuple([items[i] for i in order[:r]])
        if r <= n:
            for k in range(r - 1, -1, -1):
                left[k] -= 1
                if left[k] == 0:
                    order.append(order.pop(k))
                    left[k] = n - k
                else:
                    j = n - left[k]
                    order[k], order[j] = order[j], order[k]
                    return tuple([items[i] for i in order[:r]])
        self.r = n + 1
        raise StopIteration


class combinations(_Iterator):
    def __init__(self, items, r):
        self.items = tuple(items)
        self.at = list(range(r))
        self.again = 0
        self.began = False

    def __next__(self):
        items = self.items
        at = self.at
        n = len(items)
        r = len(at)
        if not self.began:
            self.began = True
            if r > (n if not self.again else n * r):
                raise StopIteration
        else:
            k = r - 1
            while k >= 0 and at[k] == (n - 1 if self.again else k + n - r):
                k -= 1
            if k < 0:
                self.at = list(range(r))
                self.items = ()
                self.began = False
                raise StopIteration
            at[k] += 1
            for j in range(k + 1, r):
                at[j] = at[k] if self.again else at[j - 1] + 1
        return tuple([items[i] for i in at])


class combinations_with_replacement(combinations):
    def __init__(self, items, r):
        self.items = tuple(items)
        self.at = list([0 for i in range(r)])
        self.again = 1
        self.began = False
