a, b = 1, 2
del a
try:
    print(a)
except:
    print("a is gone")
print(b)
a = "back"
print(a)
