alphabet = "abcdefghijklmnopqrstuvwxyz"

def place(letter):
    for i, other in enumerate(alphabet):
        if other == letter:
            return i
    return -1

def shift(text, by):
    out = ""
    for letter in text:
        at = place(letter)
        out += alphabet[(at + by) % 26] if at >= 0 else letter
    return out

secret = shift("attention is all you need", 3)
print(secret)
print(shift(secret, -3))
