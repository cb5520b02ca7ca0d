def adder(n):
    def add(x):
        return x + n
    return add

add3, add10 = adder(3), adder(10)
print(add3(4), add10(4), add3(add10(0)))
twice = lambda f: lambda x: f(f(x))
print(twice(add3)(1), twice(twice(add10))(0))
