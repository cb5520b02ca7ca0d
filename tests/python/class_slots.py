class A:
    __slots__ = ["x", "_y"]
    def __init__(self): self.x = 1; self._y = 2
    @property
    def y(self): return self._y
    @y.setter
    def y(self, v): self._y = v
class B(A):
    __slots__ = ("z",)
class C(A): pass
a = A(); a.y = 5; a.x += 1; print(a.x, a.y)
try: a.q = 1
except AttributeError as e: print(e)
b = B(); b.z = 1; b.x = 4
try: b.w = 1
except AttributeError as e: print(e)
c = C(); c.anything = 1; print(c.anything)
