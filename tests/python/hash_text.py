def hash_of(text):
    h = 5381
    for i, c in enumerate(text):
        for k, letter in enumerate("abcdefghijklmnopqrstuvwxyz "):
            if c == letter:
                h = (h * 33 + k) % 1000003
    return h

for text in ["attention", "transformer", "", "a b"]:
    print(f"{text:>12} {hash_of(text):07d}")
