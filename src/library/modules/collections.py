class defaultdict(dict):
    def __init__(self, default_factory=None, /, *items, **fields):
        self.default_factory = default_factory
        for one in items:
            self.update(dict(one))
        if fields:
            self.update(fields)

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self.default_factory()
        self.__value__[key] = value
        return value

    def copy(self):
        return defaultdict(self.default_factory, self)

    def __repr__(self):
        return f"{type(self).__name__}({self.default_factory!r}, {self.__value__!r})"


class OrderedDict(dict):
    def __init__(self, *items, **fields):
        for one in items:
            self.update(dict(one))
        if fields:
            self.update(fields)

    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
        else:
            rest = dict(self)
            self.clear()
            self[key] = value
            self.update(rest)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        for key in self:
            if not last:
                break
        return key, self.pop(key)

    def copy(self):
        return OrderedDict(self)

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        return f"{type(self).__name__}({list(self.__value__.items())!r})"


OrderedDict.fromkeys = lambda keys, value=None: OrderedDict([(key, value) for key in keys])


class Counter(dict):
    def __init__(self, items=None, /, **fields):
        if items is not None:
            self.update(items)
        if fields:
            self.update(fields)

    def __missing__(self, key):
        return 0

    def update(self, items=None, /, **fields):
        counts = self.__value__
        if isinstance(items, dict):
            for key, n in items.items():
                counts[key] = counts.get(key, 0) + n
        elif items is not None:
            for key in items:
                counts[key] = counts.get(key, 0) + 1
        for key, n in fields.items():
            counts[key] = counts.get(key, 0) + n

    def subtract(self, items=None, /, **fields):
        counts = self.__value__
        if isinstance(items, dict):
            for key, n in items.items():
                counts[key] = counts.get(key, 0) - n
        elif items is not None:
            for key in items:
                counts[key] = counts.get(key, 0) - 1
        for key, n in fields.items():
            counts[key] = counts.get(key, 0) - n

    def most_common(self, n=None):
        pairs = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return pairs if n is None else pairs[:max(n, 0)]

    def elements(self):
        return iter([key for key, n in self.items() for i in range(n)])

    def total(self):
        return sum(self.values())

    def copy(self):
        return Counter(self)

    def _kept(self, counts):
        result = Counter()
        for key, n in counts:
            if n > 0:
                result.__value__[key] = n
        return result

    def __add__(self, other):
        return self._kept([(k, self[k] + other[k]) for k in _keys(self, other)])

    def __sub__(self, other):
        return self._kept([(k, self[k] - other[k]) for k in _keys(self, other)])

    def __and__(self, other):
        return self._kept([(k, min(self[k], other[k])) for k in _keys(self, other)])

    def __or__(self, other):
        return self._kept([(k, max(self[k], other[k])) for k in _keys(self, other)])

    def __pos__(self):
        return self._kept(self.items())

    def __repr__(self):
        if not self:
            return "Counter()"
        return "Counter({" + ", ".join([f"{k!r}: {n!r}" for k, n in self.most_common()]) + "})"


def _keys(a, b):
    return list(a) + [k for k in b if k not in a]


class deque:
    def __init__(self, items=(), maxlen=None):
        self._items = list(items)
        self._first = 0
        self.maxlen = maxlen
        self._cut()

    def _cut(self):
        if self.maxlen is not None:
            self._first = max(self._first, len(self._items) - self.maxlen)
            self._trim()

    def _trim(self):
        if self._first > 32 and 2 * self._first > len(self._items):
            self._items = self._items[self._first:]
            self._first = 0

    def append(self, x):
        self._items.append(x)
        if self.maxlen is not None:
            self._cut()

    def appendleft(self, x):
        if self.maxlen is not None and len(self) >= self.maxlen:
            if self.maxlen == 0:
                return
            self._items.pop()
        if self._first == 0:
            room = len(self._items) + 8
            self._items = [None for i in range(room)] + self._items
            self._first = room
        self._first -= 1
        self._items[self._first] = x

    def popleft(self):
        first = self._first
        items = self._items
        if first >= len(items):
            raise IndexError("pop from an empty deque")
        x = items[first]
        items[first] = None
        self._first = first + 1
        if first % 64 == 63:
            self._trim()
        return x

    def pop(self):
        if self._first >= len(self._items):
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def extend(self, items):
        for x in list(items):
            self.append(x)

    def extendleft(self, items):
        for x in list(items):
            self.appendleft(x)

    def _list(self):
        return self._items[self._first:]

    def _set(self, items):
        self._items = items
        self._first = 0

    def clear(self):
        self._set([])

    def copy(self):
        return deque(self._list(), self.maxlen)

    __copy__ = copy

    def rotate(self, n=1):
        items = self._list()
        if items:
            n %= len(items)
            self._set(items[len(items) - n:] + items[:len(items) - n])

    def reverse(self):
        self._set(self._list()[::-1])

    def count(self, x):
        return self._list().count(x)

    def index(self, x, *bounds):
        return self._list().index(x, *bounds)

    def insert(self, i, x):
        items = self._list()
        items.insert(i, x)
        self._set(items)

    def remove(self, x):
        items = self._list()
        if x not in items:
            raise ValueError("deque.remove(x): x not in deque")
        items.remove(x)
        self._set(items)

    def _at(self, i):
        n = len(self._items) - self._first
        if i < -n or i >= n:
            raise IndexError("deque index out of range")
        return self._first + (i + n if i < 0 else i)

    def __getitem__(self, i):
        return self._items[self._at(i)]

    def __setitem__(self, i, x):
        self._items[self._at(i)] = x

    def __delitem__(self, i):
        del self._items[self._at(i)]

    def __len__(self):
        return len(self._items) - self._first

    def __bool__(self):
        return len(self._items) > self._first

    def __iter__(self):
        return iter(self._list()) if self._first else iter(self._items)

    def __reversed__(self):
        return reversed(self._list())

    def __contains__(self, x):
        return x in self._list()

    def __eq__(self, other):
        return isinstance(other, deque) and self._list() == other._list()

    def __lt__(self, other):
        return self._list() < other._list()

    def __add__(self, other):
        return deque(self._list() + other._list(), self.maxlen)

    def __iadd__(self, items):
        self.extend(items)
        return self

    def __mul__(self, n):
        return deque(self._list() * n, self.maxlen)

    def __repr__(self):
        inside = ", ".join([repr(x) for x in self])
        if self.maxlen is None:
            return f"deque([{inside}])"
        return f"deque([{inside}], maxlen={self.maxlen})"


def namedtuple(typename, field_names, rename=False, defaults=(), module=None):
    from typing import NamedTuple, _name_fields

    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = tuple(field_names)

    class _Tuple(NamedTuple):
        pass

    _Tuple.__name__ = typename
    _name_fields(_Tuple, names, dict(zip(names[len(names) - len(defaults):], defaults)))
    return _Tuple


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for one in self.maps:
            if key in one:
                return one[key]
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        del self.maps[0][key]

    def __contains__(self, key):
        return any(key in one for one in self.maps)

    def _all(self):
        result = {}
        for one in reversed(self.maps):
            result.update(one)
        return result

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return len(self._all())

    def keys(self):
        return self._all().keys()

    def values(self):
        return self._all().values()

    def items(self):
        return self._all().items()

    def new_child(self, m=None):
        return ChainMap({} if m is None else m, *self.maps)

    @property
    def parents(self):
        return ChainMap(*self.maps[1:])

    def __repr__(self):
        return f"ChainMap({', '.join([repr(one) for one in self.maps])})"


class UserDict(dict):
    @property
    def data(self):
        return self


class UserList(list):
    @property
    def data(self):
        return self
