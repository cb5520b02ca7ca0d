for a in (True, False):
    for b in (True, False):
        print(a, b, a and b, a or b, not a, a == b, a != b)
print(True + True, True * 5, sum([True, False, True]))
