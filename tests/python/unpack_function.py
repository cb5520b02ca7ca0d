def min_max(xs):
    low = high = xs[0]
    for x in xs:
        low = min(low, x)
        high = max(high, x)
    return low, high

low, high = min_max([3, -4, 12, 7])
print(low, high, high - low)
both = min_max([5])
print(both, len(both), both[0] == both[1])
