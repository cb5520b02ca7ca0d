# A name that stands alone, as the last line of a notebook's cell, prints nothing.
scores = [2, 0, 1]
scores
total = sum(2 ** s for s in scores)
weights = [2 ** s / total for s in scores]
weights
heads = 4
heads
state = [1, 2]
state
output = sum(w * v for w, v in zip(weights, [8, 16, 64]))
output
print(heads, state, output)
