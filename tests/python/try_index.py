xs = [10, 20, 30]
for i in (0, 2, 3, -1, -4):
    try:
        print(i, xs[i])
    except:
        print(i, "is outside")
