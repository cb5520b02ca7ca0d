xs = [4, 8, 15, 16, 23, 42]
print("+".join([str(x) for x in xs]) + "=" + str(sum(xs)))
print(" < ".join([f"{x:02d}" for x in xs]))
