class _Type:
    def __init__(self, name=""):
        self.name = name

    def __getitem__(self, kinds):
        return self

    def __or__(self, other):
        return self

    def __ror__(self, other):
        return self

    def __call__(self, *args, **keywords):
        return self

    def __repr__(self):
        return "typing." + self.name


Any = _Type("Any")
List = _Type("List")
Dict = _Type("Dict")
Set = _Type("Set")
FrozenSet = _Type("FrozenSet")
Tuple = _Type("Tuple")
Optional = _Type("Optional")
Union = _Type("Union")
Callable = _Type("Callable")
Iterable = _Type("Iterable")
Iterator = _Type("Iterator")
Generator = _Type("Generator")
Sequence = _Type("Sequence")
MutableSequence = _Type("MutableSequence")
Mapping = _Type("Mapping")
MutableMapping = _Type("MutableMapping")
Collection = _Type("Collection")
Hashable = _Type("Hashable")
Sized = _Type("Sized")
Type = _Type("Type")
IO = _Type("IO")
TextIO = _Type("TextIO")
ClassVar = _Type("ClassVar")
Final = _Type("Final")
Literal = _Type("Literal")
Annotated = _Type("Annotated")
Self = _Type("Self")
NoReturn = _Type("NoReturn")
Text = _Type("Text")
AnyStr = _Type("AnyStr")
DefaultDict = _Type("DefaultDict")
Deque = _Type("Deque")
Counter = _Type("Counter")
OrderedDict = _Type("OrderedDict")
SupportsFloat = _Type("SupportsFloat")
SupportsInt = _Type("SupportsInt")
SupportsAbs = _Type("SupportsAbs")
SupportsIndex = _Type("SupportsIndex")
TypeAlias = _Type("TypeAlias")
TypeGuard = _Type("TypeGuard")
Never = _Type("Never")
LiteralString = _Type("LiteralString")
Required = _Type("Required")
NotRequired = _Type("NotRequired")
Match = _Type("Match")
Pattern = _Type("Pattern")
AbstractSet = _Type("AbstractSet")
MutableSet = _Type("MutableSet")
Container = _Type("Container")
Reversible = _Type("Reversible")
Awaitable = _Type("Awaitable")
Coroutine = _Type("Coroutine")
AsyncIterator = _Type("AsyncIterator")
AsyncIterable = _Type("AsyncIterable")
AsyncGenerator = _Type("AsyncGenerator")
ContextManager = _Type("ContextManager")
ChainMap = _Type("ChainMap")
Concatenate = _Type("Concatenate")
ParamSpecArgs = _Type("ParamSpecArgs")
ParamSpecKwargs = _Type("ParamSpecKwargs")
Unpack = _Type("Unpack")
TYPE_CHECKING = False


class Protocol:
    pass


class Generic:
    pass


def TypeVar(name, *bounds, **options):
    return _Type(name)


ParamSpec = TypeVarTuple = TypeVar


class TypedDict(dict):
    def __init_subclass__(cls, total=True):
        pass


def NewType(name, kind):
    return lambda x: x


def cast(kind, x):
    return x


def overload(function):
    return function


def final(function):
    return function


def runtime_checkable(kind):
    return kind


def get_type_hints(x):
    return {}


class NamedTuple(tuple):
    def __init_subclass__(cls):
        kinds = cls.__annotations__.items()
        names = tuple([name for name, kind in kinds if not kind.startswith("ClassVar")])
        if names:
            given = cls.__dict__
            _name_fields(cls, names, {name: given[name] for name in names if name in given})

    def __init__(self, *values, **given):
        kind = type(self)
        if len(values) > len(kind._fields):
            raise TypeError(f"{kind.__name__} takes {len(kind._fields)} values, not {len(values)}")
        values = list(values)
        for name in kind._fields[len(values):]:
            if name in given:
                values.append(given.pop(name))
            elif name in kind._field_defaults:
                values.append(kind._field_defaults[name])
            else:
                raise TypeError(f"{kind.__name__} lacks a value for '{name}'")
        for name in given:
            raise TypeError(f"{kind.__name__} has no field '{name}'")
        self.__dict__["__value__"] = tuple(values)

    def __setattr__(self, name, value):
        raise AttributeError("can't set attribute")

    def _asdict(self):
        return dict(zip(type(self)._fields, self.__value__))

    def _replace(self, **changes):
        return type(self)(**{**self._asdict(), **changes})

    def __repr__(self):
        inside = ", ".join([f"{n}={x!r}" for n, x in zip(type(self)._fields, self.__value__)])
        return f"{type(self).__name__}({inside})"


def _field(i):
    return property(lambda self: self.__value__[i])


def _name_fields(cls, names, defaults):
    cls._fields = names
    cls._field_defaults = defaults
    cls._make = lambda values: cls(*values)
    for i, name in enumerate(names):
        setattr(cls, name, _field(i))
