scores = [2, 0, 1]
total = sum([2 ** s for s in scores])
shares = [f"{2 ** s}/{total}" for s in scores]
print(shares)
values = [10, 20, 30]
print(sum([2 ** s * v for s, v in zip(scores, values)]), "over", total)
