"""Types, records and numbers as they are printed, and what errors say to a program that catches them."""
import math


class Point:
    def __init__(self, x):
        self.x = x


print(type(3), type(2.5), type("a"), type([1]), type((1,)), type({}), type(None), type(True))
print(type(3) == int, type([1]) is list, type({"a": 1}) == dict, type(Point(1)) == Point, type("") != list)
print(type(2.5).__name__, type(Point(1)).__name__, isinstance(None, type(None)), isinstance([1], type([])))
print({"a": 1, "b": [1, 2], 3: {"c": None}}, [{"k": (1,)}], f"{ {'x': 0.1} }", str({}))
print(1 / 3, [0.1 + 0.2, 2.5], (1e-5, 1e16, 1.5e-10), {"third": 1 / 3}, f"{2 / 3}", str(1e22))
print([[1, 2], [3, 4]], [[1.5], []])
print(f"{7:=^5}|{'a':*>4}|{3:>{6}}|{2.5:{8}.{3}f}")

xs = [1]
for attempt in (
    lambda: 1 / 0,
    lambda: 7 // 0,
    lambda: 7 % 0,
    lambda: math.sqrt(-1),
    lambda: math.log(0),
    lambda: math.exp(1000),
    lambda: xs[3],
    lambda: "abc"[9],
    lambda: {"a": 1}["b"],
    lambda: {1: 2}[3],
    lambda: int("12a"),
    lambda: float("x"),
    lambda: missing_name,
    lambda: Point(1).y,
    lambda: "a" + 1,
    lambda: None + 1,
    lambda: len(5),
    lambda: [].pop(),
    lambda: xs.index(9),
    lambda: "a" < 1,
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, error, repr(error), error.args)

try:
    first, second = [1, 2, 3]
except ValueError as error:
    print(error)
"just a string"
xs
Point

counts = {"b": 2, "a": 5, "c": 1}
print(sorted(counts, key=counts.get), max(counts, key=counts.get))
print(list(map(str.upper, ["x", "y"])), sorted(["b", "A"], key=str.lower), str.lower("X"), [1, 2, 1].index(1, 1))
