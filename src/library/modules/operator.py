def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def truediv(a, b): return a / b
def floordiv(a, b): return a // b
def mod(a, b): return a % b
def pow(a, b): return a ** b
def matmul(a, b): return a @ b
def neg(a): return -a
def not_(a): return not a
def truth(a): return bool(a)
def eq(a, b): return a == b
def ne(a, b): return a != b
def lt(a, b): return a < b
def le(a, b): return a <= b
def gt(a, b): return a > b
def ge(a, b): return a >= b
def and_(a, b): return a & b
def or_(a, b): return a | b
def xor(a, b): return (a | b) - (a & b)
def lshift(a, b): return a << b
def rshift(a, b): return a >> b
def inv(a): return ~a
def pos(a): return +a
def abs(a): return a if a >= 0 else -a
def index(a): return int(a)
def iadd(a, b): a += b; return a
def isub(a, b): a -= b; return a
def imul(a, b): a *= b; return a
def itruediv(a, b): a /= b; return a
def ifloordiv(a, b): a //= b; return a
def imod(a, b): a %= b; return a
def ior(a, b): a |= b; return a
def iand(a, b): a &= b; return a
ixor = xor
def getitem(a, b): return a[b]
def contains(a, b): return b in a
def concat(a, b): return a + b
def countOf(a, b): return list(a).count(b)
def indexOf(a, b): return list(a).index(b)
invert = inv


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def itemgetter(*keys):
    if len(keys) == 1:
        key = keys[0]
        return lambda x: x[key]
    return lambda x: tuple([x[key] for key in keys])


def _attribute(x, path):
    for name in path.split("."):
        x = getattr(x, name)
    return x


def attrgetter(*paths):
    if len(paths) == 1:
        path = paths[0]
        return lambda x: _attribute(x, path)
    return lambda x: tuple([_attribute(x, path) for path in paths])


def methodcaller(name, *args, **keywords):
    return lambda x: getattr(x, name)(*args, **keywords)
