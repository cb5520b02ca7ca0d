# values in the places of %
print("%d layers, %d heads" % (6, 8))
print("loss %f" % 0.25)
print("loss %.3f after %5d steps" % (1 / 3, 120))
print("[%8.2f] [%-8.2f] [%08.2f] [%+.1f] [% d]" % (3.14159, 3.14159, -3.14159, 2.55, 7))
print("[%6s] [%-6s] [%.2s] [%s]" % ("ab", "ab", "abcdef", "x"))
print("%s is %r" % ("word", "word"))
print("%d%% done" % 50)
print("100%% sure" % ())
print("%e %.2E %g" % (12345.678, 0.00012, 1000000.5))
print("%d %d %i" % (2.9, -2.9, True))
print("%*d|%-*d|%.*f" % (6, 42, 6, 42, 2, 1 / 3))
print("%s" % "alone")
print("iter %d, loss: %f" % (10, 2.5))
for name, value in [("alpha", 0.5), ("beta", 12.25)]:
    print("%-10s|%10.3f" % (name, value))
line = "%s"
line %= "changed"
print(line)
try:
    print("%d and %d" % (1,))
except TypeError:
    print("too few")
try:
    print("%d" % (1, 2))
except TypeError:
    print("too many")
try:
    print("%d" % "one")
except TypeError:
    print("no number")
try:
    print("%y" % 1)
except ValueError:
    print("no such place")
