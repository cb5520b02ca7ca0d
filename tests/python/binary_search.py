def search(xs, wanted):
    low, high = 0, len(xs) - 1
    while low <= high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        if xs[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return None

squares = [n * n for n in range(20)]
for wanted in [0, 49, 50, 361, 400]:
    at = search(squares, wanted)
    print(wanted, "is missing" if at is None else f"is at {at}")
