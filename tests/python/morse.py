codes = [("s", "..."), ("o", "---"), ("e", "."), ("t", "-"), ("a", ".-")]

def code_of(letter):
    for known, code in codes:
        if known == letter:
            return code
    return "?"

print(" ".join([code_of(c) for c in "sos"]))
print(" / ".join([" ".join([code_of(c) for c in word]) for word in "tea seat x".split()]))
