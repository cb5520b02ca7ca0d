class _Kind:
    pass


Iterable = Iterator = Sequence = Mapping = MutableMapping = MutableSequence = _Kind
Callable = Hashable = Sized = Collection = Container = Generator = Set = MutableSet = _Kind
