for i in range(1, 10):
    print(" ".join([f"{i * j:3d}" for j in range(1, 10)]))
