# Built in: dataclass field asdict replace
class Field:
    def __init__(self, name):
        self.name = name


def fields(x):
    return tuple([Field(name) for name in x.__dataclass_fields__])


def astuple(x):
    return tuple(asdict(x).values())


def is_dataclass(x):
    return hasattr(x, "__dataclass_fields__")
