def f(*args, **kwargs):
    return len(args), len(kwargs)
print(f(1, 2, k=3), f(), f(*[1, 2, 3], **{"a": 1}))
def g(x, *rest, scale=1, **options):
    total = x
    for r in rest:
        total += r
    for name in options:
        print(name, options[name])
    return total * scale
print(g(1), g(1, 2, 3), g(1, 2, scale=10), g(1, bias=2, scale=3))
add = lambda *a, **k: sum(a) + k.get("plus", 0)
print(add(1, 2, 3), add(1, plus=5))
def only(a, *, b=2, c):
    return a, b, c
print(only(1, c=3), only(1, b=5, c=3))
def timed(function):
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper
print(timed(g)(1, 2, scale=4))
def later(a=1, *more, b):
    return a, more, b
print(later(b=1), later(5, 6, 7, b=8))
def place(a, b, /, c=3):
    return a + b + c
print(place(1, 2), place(1, 2, c=4))
def show(*args, sep=" "):
    print(sep.join([str(a) for a in args]))
show(1, "a", sep="-")
def empty(**options):
    return options
print(list(empty(a=1, b=2).keys()), dict(a=1, **empty(c=3))["c"])
print(max(*[3, 1, 2]), [*range(3)])
first = lambda x, *y: y
print(first(1), first(1, 2), first(1, 2, 3))
