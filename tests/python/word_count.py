text = "the cat and the dog and the bird"
words = text.split()
seen = []
for word in words:
    if word not in seen:
        seen.append(word)
for word in seen:
    count = 0
    for other in words:
        if other == word:
            count += 1
    print(f"{word:<6}{count:>3}")
