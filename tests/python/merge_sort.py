def merge(a, b):
    out = []
    i = j = 0
    while i < len(a) or j < len(b):
        if j == len(b) or (i < len(a) and a[i] <= b[j]):
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out

def merge_sort(xs):
    if len(xs) < 2:
        return xs
    half = len(xs) // 2
    return merge(merge_sort(xs[:half]), merge_sort(xs[half:]))

print(merge_sort([38, 27, 43, 3, 9, 82, 10]))
print(merge_sort(["pear", "fig", "apple"]))
