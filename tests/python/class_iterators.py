class Up:
    def __init__(self, n): self.n = n
    def __iter__(self):
        self.i = 0
        return self
    def __next__(self):
        if self.i >= self.n: raise StopIteration
        self.i += 1
        return self.i
u = Up(3)
print(list(u), sum(u), max(u), sorted(u, reverse=True), [x for x in u], tuple(u), set(u) == {1,2,3})
a, b, c = Up(3)
print(a, b, c)
print([*Up(2)], list(map(str, Up(2))), list(enumerate(Up(2))), " ".join(str(x) for x in Up(3)))
print(2 in Up(3), 7 in Up(3))
it = iter(Up(2)); print(next(it), next(it), next(it, "end"))
try: next(it)
except StopIteration: print("stop")
class L:
    def __init__(self): self.xs = [1, 2, 3]
    def __iter__(self): return iter(self.xs)
    def __reversed__(self): return reversed(self.xs)
    def __len__(self): return 3
print(list(L()), list(reversed(L())), min(L()), any(x > 2 for x in L()), all(L()))
class G:
    def __getitem__(self, i):
        if i >= 3: raise IndexError
        return i * 10
    def __len__(self): return 3
print(list(G()), list(reversed(G())), [x for x in G()], 20 in G())
class Node:
    def __init__(self, v, nxt=None): self.v, self.next = v, nxt
class LL:
    def __init__(self): self.head = None
    def push(self, v): self.head = Node(v, self.head)
    def __iter__(self):
        node = self.head
        out = []
        while node: out.append(node.v); node = node.next
        return iter(out)
l = LL(); l.push(1); l.push(2)
print(list(l), len(list(l)))
for i, x in enumerate(l): print(i, x)
