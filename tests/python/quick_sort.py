def quick_sort(words):
    if len(words) < 2:
        return words
    pivot = words[0]
    less = [w for w in words[1:] if w < pivot]
    more = [w for w in words[1:] if w >= pivot]
    return quick_sort(less) + [pivot] + quick_sort(more)

print(quick_sort("the quick brown fox jumps over the lazy dog".split()))
