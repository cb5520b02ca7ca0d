def reverse(text):
    out = ""
    for letter in text:
        out = letter + out
    return out

for word in ["stressed", "a", "", "drawer"]:
    print(reverse(word), word[::-1], reverse(word) == word[::-1])
