# where parts of strings are, and what their characters are
text = "attention is all you need, attention"
print(text.find("is"), text.find("none"), text.rfind("attention"), text.rfind("x"))
print(text.index("all"), text.count("t"), text.count("attention"), "aaaa".count("aa"), "abc".count(""))
try:
    text.index("zebra")
except ValueError:
    print("not there")
for word in ["2026", "12a", "", "abc", "ABC", "Abc", " ", "a b", "gpt2", "-5"]:
    print(repr(word), word.isdigit(), word.isalpha(), word.isalnum(), word.isspace(), word.isupper(), word.islower())
print("the CAT sat".capitalize(), "|", "layer norm of x2y".title())
print("[" + "ab".ljust(5) + "][" + "ab".rjust(5) + "][" + "ab".center(5) + "][" + "abc".center(6) + "][" + "a".center(4, "*") + "]")
print("7".zfill(3), "-7".zfill(4), "+7".zfill(2), "abc".zfill(2), "".zfill(2))
print("[" + "  x ".lstrip() + "][" + "  x ".rstrip() + "][" + "   ".rstrip() + "][" + "xxyxx".lstrip("x") + "][" + "xxyxx".rstrip("x") + "]")
print("a\nb\r\nc\n\nd".splitlines(), "".splitlines(), "x\n".splitlines())
print([ord(c) - ord("a") for c in "hello"])
print("".join(chr(ord(c) + 1) for c in "HAL"))
print(chr(233), ord("é"))
print("wörter".find("t"), "wörter".index("r", ) )
