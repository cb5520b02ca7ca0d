letters = "abcdefghijklmnopqrstuvwxyz"
index_of = lambda c: [i for i, l in enumerate(letters) if l == c][0]

def vigenere(text, key, sign=1):
    out = ""
    for i, c in enumerate(text):
        out += letters[(index_of(c) + sign * index_of(key[i % len(key)])) % 26]
    return out

secret = vigenere("attackatdawn", "lemon")
print(secret, vigenere(secret, "lemon", sign=-1))
