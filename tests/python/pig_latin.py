def pig(word):
    if word[0] in "aeiou":
        return word + "way"
    i = 0
    while i < len(word) and word[i] not in "aeiou":
        i += 1
    return word[i:] + word[:i] + "ay"

print(" ".join([pig(w) for w in "please read the small print again".split()]))
