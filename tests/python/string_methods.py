s = "  The Quick Brown Fox  "
print("[" + s.strip() + "]", s.lower().strip(), s.upper().strip())
print(s.strip().split())
print("a,b,,c".split(","), "-".join(["x", "y", "z"]))
print("banana".replace("a", "o"), "banana".startswith("ban"), "banana".startswith("nan"))
