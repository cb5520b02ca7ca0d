def apply(f, xs):
    return [f(x) for x in xs]

def compose(f, g):
    return lambda x: f(g(x))

increase = lambda x: x + 1
double = lambda x: x * 2
print(apply(compose(double, increase), range(5)))
print(apply(compose(increase, double), range(5)))
print(apply(len, ["a", "bcd", ""]))
