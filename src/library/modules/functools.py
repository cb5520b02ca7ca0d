# Built in: wraps
_missing = object()


def update_wrapper(wrapper, wrapped):
    wrapper.__name__ = wrapped.__name__
    wrapper.__doc__ = wrapped.__doc__
    wrapper.__wrapped__ = wrapped
    return wrapper


def reduce(function, items, initial=_missing):
    items = iter(items)
    if initial is _missing:
        value = next(items, _missing)
        if value is _missing:
            raise TypeError("reduce() of empty iterable with no initial value")
    else:
        value = initial
    for item in items:
        value = function(value, item)
    return value


class partial:
    def __init__(self, func, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, *args, **keywords):
        if keywords:
            return self.func(*self.args, *args, **{**self.keywords, **keywords})
        return self.func(*self.args, *args, **self.keywords)

    def __repr__(self):
        parts = [repr(self.func)] + [repr(x) for x in self.args]
        parts += [f"{name}={value!r}" for name, value in self.keywords.items()]
        return f"functools.partial({', '.join(parts)})"


partialmethod = partial


class CacheInfo:
    def __init__(self, hits, misses, maxsize, currsize):
        self.hits = hits
        self.misses = misses
        self.maxsize = maxsize
        self.currsize = currsize

    def __repr__(self):
        return (f"CacheInfo(hits={self.hits}, misses={self.misses}, "
                f"maxsize={self.maxsize}, currsize={self.currsize})")


def _cached(function, maxsize):
    results = {}
    counts = [0, 0]

    @wraps(function)
    def cached(*args, **keywords):
        key = args if not keywords else (args, tuple(sorted(keywords.items())))
        value = results.get(key, _missing)
        if value is not _missing:
            counts[0] += 1
            if maxsize is not None:
                del results[key]
                results[key] = value
            return value
        counts[1] += 1
        value = function(*args, **keywords)
        if maxsize is not None and len(results) >= maxsize:
            if maxsize == 0:
                return value
            for oldest in results:
                break
            del results[oldest]
        results[key] = value
        return value

    def cache_clear():
        results.clear()
        counts[0] = counts[1] = 0

    cached.cache_info = lambda: CacheInfo(counts[0], counts[1], maxsize, len(results))
    cached.cache_clear = cache_clear
    cached.__wrapped__ = function
    return cached


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128)
    return lambda function: _cached(function, maxsize)


def cache(function):
    return _cached(function, None)


def cached_property(function):
    name = "_cached_" + function.__name__

    def get(self):
        fields = self.__dict__
        if name not in fields:
            fields[name] = function(self)
        return fields[name]

    return property(get)


class _Key:
    def __init__(self, compare, value):
        self.compare = compare
        self.value = value

    def __lt__(self, other):
        return self.compare(self.value, other.value) < 0

    def __gt__(self, other):
        return self.compare(self.value, other.value) > 0

    def __eq__(self, other):
        return self.compare(self.value, other.value) == 0


def cmp_to_key(compare):
    return lambda value: _Key(compare, value)


def total_ordering(cls):
    if hasattr(cls, "__lt__"):
        less = cls.__lt__
    elif hasattr(cls, "__gt__"):
        greater = cls.__gt__
        less = lambda a, b: greater(b, a)
    elif hasattr(cls, "__le__"):
        at_most = cls.__le__
        less = lambda a, b: at_most(a, b) and not a == b
    elif hasattr(cls, "__ge__"):
        at_least = cls.__ge__
        less = lambda a, b: not at_least(a, b)
    else:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    for name, method in [("__lt__", less),
                         ("__gt__", lambda a, b: less(b, a)),
                         ("__le__", lambda a, b: less(a, b) or a == b),
                         ("__ge__", lambda a, b: not less(a, b))]:
        if not hasattr(cls, name):
            setattr(cls, name, method)
    return cls


def singledispatch(function):
    kinds = []

    @wraps(function)
    def dispatch(first, *args, **keywords):
        for kind, method in reversed(kinds):
            if isinstance(first, kind):
                return method(first, *args, **keywords)
        return function(first, *args, **keywords)

    def register(kind, method=None):
        if method is None and type(kind).__name__ == "function":
            raise TypeError(f"types of parameters are not kept: write @{function.__name__}.register(int)")
        def add(method):
            kinds.append((kind, method))
            return method
        return add if method is None else add(method)

    dispatch.register = register
    return dispatch
