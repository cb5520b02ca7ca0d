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
TypeAlias = _Type("TypeAlias")
TYPE_CHECKING = False


class Protocol:
    pass


class Generic:
    pass


def TypeVar(name, *bounds, **options):
    return _Type(name)


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
