# Dicts, tuples and queues of the module collections, enums, and classes that extend dict and list.
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from enum import Enum, auto

groups = defaultdict(list)
for word in ["ant", "bee", "ape"]:
    groups[word[0]].append(word)
print(groups["a"], groups["z"], len(groups), isinstance(groups, dict), "q" in groups)
counts = defaultdict(int)
for letter in "hello":
    counts[letter] += 1
print(sorted(counts.items()), max(counts, key=counts.get), counts.get("y"))

letters = Counter("abracadabra")
print(letters, letters.most_common(2), letters["z"], sum(letters.values()))
print(Counter(a=1, b=2) + Counter(b=3), Counter("aab") - Counter("ab"), letters == Counter("abracadabra"))

queue = deque([1, 2, 3], maxlen=3)
queue.append(4)
queue.appendleft(0)
print(queue, queue.popleft(), len(queue), queue[-1], 3 in queue)
queue.rotate(1)
print(list(queue), bool(queue), deque("ab"))

Point = namedtuple("Point", "x y")
p = Point(1, y=2)
x, y = p
print(p, p.x + x, p[1], y, p == (1, 2), p._replace(x=5), Point._fields, p < Point(1, 3))
print({Point(0, 0): "origin"}[Point(0, 0)])
try:
    p.x = 3
except AttributeError:
    print("a tuple stays as it is")

order = OrderedDict([("b", 1), ("a", 2)])
order.move_to_end("b")
print(list(order), order.popitem(last=False), order)
print(ChainMap({"a": 1}, {"a": 2, "b": 3})["b"])


class Bag(dict):
    def __missing__(self, key):
        return 0

    def add(self, key):
        self[key] += 1


bag = Bag(x=1)
bag.add("x")
bag.add("y")
print(bag["x"], bag["q"], sorted(bag), bag == {"x": 2, "y": 1}, sorted({**bag, "z": 0}))


class Stack(list):
    def peek(self):
        return self[-1]


stack = Stack([1, 2])
stack.append(3)
print(stack, stack.peek(), len(stack), stack[:2], sum(stack), 2 in stack)


class Color(Enum):
    RED = auto()
    GREEN = auto()

    def other(self):
        return Color.GREEN if self is Color.RED else Color.RED


print(Color.RED, repr(Color.GREEN), Color.RED.other().name, Color(2), Color["RED"].value, len(Color))
print([c.name for c in Color], {Color.RED: "stop"}[Color.RED])
push = stack.append
push(4)
print(stack)
