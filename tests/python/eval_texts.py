"""Expressions in strings, with the names of where they are and of dictionaries."""
import math


def total(prices, rate):
    return eval("sum(prices) * (1 + rate)"), [eval("rate * k", {"rate": rate, "k": k}) for k in (1, 2.5)]


print(total([10, 21], 0.25))
x = 10
print(eval("x + 1"), eval(" x * 2 # twice"), eval("x + y", {"x": 1}, {"y": 2}), eval("(1, 2)"), eval("1, 2"))
print(eval("[1] + [2]"), eval("'a' * 3"), eval("[i * i for i in range(3)]"), eval("max(3, 7)"))
print(eval("sqrt(a)", {"__builtins__": None, "sqrt": math.sqrt, "a": 2.25}), eval("f(3)", {"f": lambda n: n + x}))
for text in ("2 + 2", "7 // 2", "1 / 0", "1 +", "", "x = 5", "missing + 1", "'5' + 5"):
    try:
        print(text, "=", eval(text))
    except SyntaxError:
        print(text, "is no expression")
    except Exception as error:
        print(type(error).__name__, error)


def outer():
    hidden = 3

    def inner():
        return hidden + eval("hidden * 2")

    return inner()


print(outer())
