# Built in: dataclass field asdict replace
def astuple(x):
    return tuple(asdict(x).values())


def is_dataclass(x):
    return hasattr(x, "__dataclass_fields__")
