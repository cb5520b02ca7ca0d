class L:
    def __init__(self, xs): self.xs = xs
    def __getitem__(self, i):
        if isinstance(i, slice):
            return L(self.xs[i])
        return self.xs[i]
    def __setitem__(self, i, v): self.xs[i] = v
    def __delitem__(self, i): del self.xs[i]
    def __len__(self): return len(self.xs)
    def __repr__(self): return "L(%r)" % (self.xs,)
a = L(list("abcdef"))
print(a[1:3], a[::2], a[-1], a[:-1])
a[0:2] = ["x"]
print(a)
del a[1:3]
print(a)
s = slice(1, 3)
print(s.start, s.stop, s.step)
print("abcdef"[s], [1,2,3,4][s], (1,2,3,4)[slice(None, None, -1)])
class S:
    def __getitem__(self, s): return s
print(S()[1:2], S()[1:2, ::3], S()[:])
print(S()[1:2] == slice(1, 2), isinstance(S()[1:2], slice))
print(slice(5).indices(10), slice(None, None, 2).indices(5))
class M:
    def __getitem__(self, k):
        r, c = k
        return r, c
print(M()[1, 2:3])
