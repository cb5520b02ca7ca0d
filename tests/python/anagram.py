def sorted_letters(word):
    return "".join(sorted(word.lower()))

pairs = [("listen", "silent"), ("triangle", "integral"), ("apple", "papel"), ("rat", "car")]
for first, second in pairs:
    print(first, second, sorted_letters(first) == sorted_letters(second))
