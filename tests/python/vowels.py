def count_vowels(text):
    return sum(1 for c in text.lower() if c in "aeiou")

for word in "Attention Is All You Need".split():
    print(f"{word:10s}|{count_vowels(word)}")
