def describe(a, b=2, c=3):
    return f"a={a} b={b} c={c}"

print(describe(1))
print(describe(1, c=9))
print(describe(c=7, a=5))
print(describe(1, 1, 1))
try:
    print(describe())
except:
    print("a is missing")
try:
    print(describe(1, d=2))
except:
    print("there is no d")
