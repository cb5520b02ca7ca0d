# str.format
print("{} and {}".format("a", "b"))
print("{0} {1} {0}".format("x", "y"))
print("{a} {b:.2f} {a!r}".format(a="text", b=1 / 3))
print("{:>6}|{:<6}|{:^6}|{:*^7}".format("ab", "cd", "ef", "gh"))
print("{:5d}|{:05d}|{:+d}|{:,}".format(42, 42, 42, 1234567))
print("{:.3e} {:8.3f} {:%}".format(12345.678, 2.5, 0.25))
print("{{}} {} {{{}}}".format(1, 2))
print("nothing".format())
print("{0:.1f} {name}".format(0.25, name="mixed"))
row = "{:<10}{:>8.3f}"
for name, value in [("query", 0.125), ("key", 12.5)]:
    print(row.format(name, value))
print("|".join("{:.1f}".format(x) for x in [0.25, 0.5, 1.75]))
for wrong in ["{} {}", "{2}", "{", "a } b"]:
    try:
        print(wrong.format(1))
    except IndexError:
        print("no such value")
    except ValueError:
        print("a brace alone")
try:
    print("{name}".format(1))
except KeyError:
    print("no such name")
