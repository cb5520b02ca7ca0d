class V:
    def __init__(self, a, b): self.a, self.b = a, b
    def __lt__(self, o): return (self.a, self.b) < (o.a, o.b)
    def __repr__(self): return f"V{self.a}{self.b}"
vs = [V(2, 1), V(1, 5), V(1, 2)]
print(sorted(vs), sorted(vs, reverse=True), min(vs), max(vs), vs)
vs.sort(); print(vs)
vs.sort(key=lambda v: -v.b); print(vs)
print(V(1, 1) < V(2, 2), V(1, 1) > V(2, 2))
print(sorted([(V(2,2), 1), (V(1,1), 2)]))
try: V(1,1) <= V(2,2)
except TypeError as e: print("TypeError")
