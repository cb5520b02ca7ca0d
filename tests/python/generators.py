print(sum(x * x for x in range(11)))
print(any(x > 8 for x in range(10)), all(x < 9 for x in range(10)))
print(max(len(w) for w in "the quick brown fox jumped".split()))
print(min(abs(x - 7) for x in (1, 4, 12)))
