class C:
    def __init__(self): self._x = 5
    @property
    def x(self):
        "the x"
        return self._x
    @x.setter
    def x(self, v): self._x = v
    @x.deleter
    def x(self):
        print("deleting"); del self._x
c = C()
c.x = 7
print(c.x)
del c.x
try:
    c.x
except AttributeError as e: print("AttributeError", e)
class D:
    def getx(self): return 1
    def setx(self, v): print("set", v)
    x = property(getx, setx)
d = D(); d.x = 3; print(d.x)
try:
    del d.x
except AttributeError: print("no del")
class E:
    x = property(lambda self: 42)
    y = property(fget=lambda self: 1, fset=lambda self, v: print("y", v), doc="d")
print(E().x, E().y); E().y = 3
try: E().x = 1
except AttributeError as e: print("AE")
