"""Words of errors that programs catch and print."""
import math
import random

try:
    "-".join([1, 2])
except Exception as error:
    print(type(error).__name__, error)
try:
    ord("ab")
except Exception as error:
    print(type(error).__name__, error)
try:
    "{} {}".format(1)
except Exception as error:
    print(type(error).__name__, error)
try:
    "{1}".format(1)
except Exception as error:
    print(type(error).__name__, error)
try:
    math.factorial(-5)
except Exception as error:
    print(type(error).__name__, error)
try:
    math.factorial(2.5)
except Exception as error:
    print(type(error).__name__, error)
try:
    math.comb(-1, 2)
except Exception as error:
    print(type(error).__name__, error)
try:
    int("10", 40)
except Exception as error:
    print(type(error).__name__, error)
try:
    int(None)
except Exception as error:
    print(type(error).__name__, error)
try:
    int([1])
except Exception as error:
    print(type(error).__name__, error)
try:
    float([1, 2])
except Exception as error:
    print(type(error).__name__, error)
try:
    float(None)
except Exception as error:
    print(type(error).__name__, error)
try:
    "a" * "b"
except Exception as error:
    print(type(error).__name__, error)
try:
    "a" * 2.5
except Exception as error:
    print(type(error).__name__, error)
try:
    range(2.5)
except Exception as error:
    print(type(error).__name__, error)
try:
    range(0, 5, 0)
except Exception as error:
    print(type(error).__name__, error)
try:
    [1, 2, 3][::0]
except Exception as error:
    print(type(error).__name__, error)
try:
    isinstance(1, "a")
except Exception as error:
    print(type(error).__name__, error)
try:
    f"{'a':d}"
except Exception as error:
    print(type(error).__name__, error)
try:
    f"{1.5:d}"
except Exception as error:
    print(type(error).__name__, error)
try:
    "%d" % "x"
except Exception as error:
    print(type(error).__name__, error)
try:
    1 in "abc"
except Exception as error:
    print(type(error).__name__, error)
try:
    next(5)
except Exception as error:
    print(type(error).__name__, error)
try:
    random.choice([])
except Exception as error:
    print(type(error).__name__, error)
try:
    (1, 2).index(3)
except Exception as error:
    print(type(error).__name__, error)
try:
    "abc"["a"]
except Exception as error:
    print(type(error).__name__, error)
try:
    from itertools import nonesuch
except Exception as error:
    print(type(error).__name__, error)
try:
    raise "text"
except TypeError as error:
    print(error)

numbers = {0: "zero", 1: "one"}
print(all(numbers), any(numbers), all({}), any({}), all({"a": 0}), any({0: 1}))


def again(n):
    return again(n + 1)


def early():
    try:
        print(count)
    except UnboundLocalError as error:
        print(error)
    count = 1


try:
    again(0)
except RecursionError as error:
    print(error)
early()
print((5).__class__.__name__, "a".__class__ is str, [1].__class__, isinstance([], (1.5).__class__))
