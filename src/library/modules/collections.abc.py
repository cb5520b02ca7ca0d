from abc import abstractmethod


def _has(x, *names):
    return not isinstance(x, type) and all(hasattr(x, name) for name in names)


# __instancecheck__ of a class says of what is no object of it whether isinstance takes it for one.
class Hashable:
    def __instancecheck__(x):
        if isinstance(x, tuple):
            return True
        try:
            hash(x)
        except TypeError:
            return False
        return True


class Callable:
    def __instancecheck__(x): return callable(x)

    @abstractmethod
    def __call__(self): pass


class Sized:
    def __instancecheck__(x): return _has(x, "__len__")

    @abstractmethod
    def __len__(self): pass


class Container:
    def __instancecheck__(x): return _has(x, "__contains__")

    @abstractmethod
    def __contains__(self, x): pass


class Iterable:
    def __instancecheck__(x): return _has(x, "__iter__")

    @abstractmethod
    def __iter__(self): pass


class Iterator(Iterable):
    def __instancecheck__(x): return _has(x, "__iter__", "__next__")

    @abstractmethod
    def __next__(self): pass

    def __iter__(self): return self


class Generator(Iterator):
    def __instancecheck__(x): return _has(x, "__next__", "send", "throw", "close")


class Reversible(Iterable):
    def __instancecheck__(x): return _has(x, "__reversed__") or isinstance(x, (list, tuple, str, dict))


class Collection(Sized, Iterable, Container):
    def __instancecheck__(x): return _has(x, "__len__", "__iter__", "__contains__")


class Sequence(Collection):
    def __instancecheck__(x): return isinstance(x, (list, tuple, str))

    @abstractmethod
    def __getitem__(self, index): pass

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __contains__(self, value): return any(x is value or x == value for x in self)

    def __reversed__(self):
        for i in range(len(self) - 1, -1, -1):
            yield self[i]

    def count(self, value): return sum(1 for x in self if x is value or x == value)

    def index(self, value, start=0, stop=None):
        for i in range(start, len(self) if stop is None else stop):
            if self[i] is value or self[i] == value:
                return i
        raise ValueError


class MutableSequence(Sequence):
    def __instancecheck__(x): return isinstance(x, list)

    @abstractmethod
    def __setitem__(self, index, value): pass

    @abstractmethod
    def __delitem__(self, index): pass

    @abstractmethod
    def insert(self, index, value): pass

    def append(self, value): self.insert(len(self), value)

    def extend(self, values):
        for value in list(values):
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value): del self[self.index(value)]

    def clear(self):
        while len(self) > 0:
            self.pop()

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def __iadd__(self, values):
        self.extend(values)
        return self


class Mapping(Collection):
    def __instancecheck__(x): return isinstance(x, dict)

    @abstractmethod
    def __getitem__(self, key): pass

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def keys(self): return list(self)

    def values(self): return [self[key] for key in self]

    def items(self): return [(key, self[key]) for key in self]

    def __eq__(self, other):
        if not isinstance(other, (dict, Mapping)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())


class MutableMapping(Mapping):
    def __instancecheck__(x): return isinstance(x, dict)

    @abstractmethod
    def __setitem__(self, key, value): pass

    @abstractmethod
    def __delitem__(self, key): pass

    def pop(self, key, *default):
        try:
            value = self[key]
        except KeyError:
            if default:
                return default[0]
            raise
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        for key in list(self):
            del self[key]

    def update(self, other=(), /, **fields):
        if hasattr(other, "keys"):
            other = [(key, other[key]) for key in other.keys()]
        for key, value in other:
            self[key] = value
        for key, value in fields.items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]


class Set(Collection):
    def __instancecheck__(x): return isinstance(x, (set, frozenset))

    @classmethod
    def _from_iterable(cls, items): return cls(items)

    def __and__(self, other): return self._from_iterable(x for x in other if x in self)

    def __or__(self, other): return self._from_iterable([*self, *other])

    def __sub__(self, other): return self._from_iterable(x for x in self if x not in other)

    def __xor__(self, other): return (self - other) | (other - self)

    def __le__(self, other): return len(self) <= len(other) and all(x in other for x in self)

    def __lt__(self, other): return len(self) < len(other) and self <= other

    def __ge__(self, other): return len(self) >= len(other) and all(x in self for x in other)

    def __gt__(self, other): return len(self) > len(other) and self >= other

    def __eq__(self, other): return len(self) == len(other) and self <= other

    def isdisjoint(self, other): return not any(x in self for x in other)


class MutableSet(Set):
    def __instancecheck__(x): return isinstance(x, set)

    @abstractmethod
    def add(self, x): pass

    @abstractmethod
    def discard(self, x): pass

    def remove(self, x):
        if x not in self:
            raise KeyError(x)
        self.discard(x)
