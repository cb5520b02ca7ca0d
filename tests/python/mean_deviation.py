xs = [2, 4, 4, 4, 5, 5, 7, 9]
mean = sum(xs) / len(xs)
variance = sum([(x - mean) ** 2 for x in xs]) / len(xs)
print(f"mean {mean:.3f}, variance {variance:.3f}, deviation {variance ** 0.5:.3f}")
