try:
    print(not_there)
except:
    print("no such name")
try:
    assert 1 > 2, "wrong order"
    print("not reached")
except:
    print("assertion failed")
print("done")
