class array(list):
    def __init__(self, typecode, initializer=()):
        self.typecode = typecode
        super().__init__([self._checked(x) for x in initializer])

    def _checked(self, x):
        if self.typecode in "fd":
            return float(x)
        if self.typecode != "u" and not isinstance(x, int):
            raise TypeError(f"'{type(x).__name__}' object cannot be interpreted as an integer")
        return x

    def append(self, x):
        super().append(self._checked(x))

    def insert(self, i, x):
        super().insert(i, self._checked(x))

    def extend(self, xs):
        super().extend([self._checked(x) for x in xs])

    fromlist = extend

    def __setitem__(self, i, x):
        super().__setitem__(i, x if isinstance(i, slice) else self._checked(x))

    def __getitem__(self, i):
        found = super().__getitem__(i)
        return array(self.typecode, found) if isinstance(i, slice) else found

    def __add__(self, other):
        return array(self.typecode, self.tolist() + list(other))

    def __mul__(self, times):
        return array(self.typecode, self.tolist() * times)

    def tolist(self):
        return list(self)

    @property
    def itemsize(self):
        sizes = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "f": 4, "u": 4}
        return sizes.get(self.typecode, 8)

    def __repr__(self):
        if not self:
            return f"array('{self.typecode}')"
        held = "".join(self) if self.typecode == "u" else self.tolist()
        return f"array('{self.typecode}', {held!r})"


ArrayType = array
