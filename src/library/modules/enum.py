class auto:
    pass


class Enum:
    def __init_subclass__(cls):
        members = {}
        value = 0
        for name, given in list(cls.__dict__.items()):
            if name.startswith("_") or callable(given) and not isinstance(given, auto):
                continue
            if hasattr(given, "setter") or type(given).__name__ == "method":
                continue
            value = value + 1 if isinstance(given, auto) else given
            same = [m for m in members.values() if m.value == value]
            if same:
                setattr(cls, name, same[0])
                members[name] = same[0]
                continue
            member = object.__new__(cls)
            fields = member.__dict__
            fields["name"] = fields["_name_"] = name
            fields["value"] = fields["_value_"] = fields["__value__"] = value
            if hasattr(cls, "__init__") and cls.__init__ is not Enum.__init__:
                if isinstance(value, tuple):
                    member.__init__(*value)
                else:
                    member.__init__(value)
            members[name] = member
            setattr(cls, name, member)
        if members:
            cls.__members__ = members

    def __new__(cls, value):
        for member in cls.__members__.values():
            if member.value == value:
                return member
        raise ValueError(f"{value!r} is not a valid {cls.__name__}")

    def __init__(self, *value):
        pass

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec):
        return format(str(self), spec)


class IntEnum(Enum):
    def __str__(self):
        return str(self.value)

    def __format__(self, spec):
        return format(self.value, spec)

    def __int__(self):
        return self.value

    def __index__(self):
        return self.value

    def __hash__(self):
        return hash(self.value)

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, Enum) else other)

    def __lt__(self, other):
        return self.value < (other.value if isinstance(other, Enum) else other)

    def __le__(self, other):
        return self.value <= (other.value if isinstance(other, Enum) else other)

    def __gt__(self, other):
        return self.value > (other.value if isinstance(other, Enum) else other)

    def __ge__(self, other):
        return self.value >= (other.value if isinstance(other, Enum) else other)

    def __neg__(self): return -self.value
    def __abs__(self): return abs(self.value)
    def __bool__(self): return self.value != 0
    def __add__(self, other): return self.value + other
    def __radd__(self, other): return other + self.value
    def __sub__(self, other): return self.value - other
    def __rsub__(self, other): return other - self.value
    def __mul__(self, other): return self.value * other
    def __rmul__(self, other): return other * self.value
    def __truediv__(self, other): return self.value / other
    def __rtruediv__(self, other): return other / self.value
    def __floordiv__(self, other): return self.value // other
    def __rfloordiv__(self, other): return other // self.value
    def __mod__(self, other): return self.value % other
    def __rmod__(self, other): return other % self.value
    def __pow__(self, other): return self.value ** other
    def __rpow__(self, other): return other ** self.value
    def __and__(self, other): return self.value & other
    def __or__(self, other): return self.value | other


class StrEnum(Enum):
    def __str__(self):
        return self.value

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, Enum) else other)

    def __add__(self, other):
        return self.value + other


def unique(cls):
    return cls
