letters = ["a", "b", "c", "d"]
letters[1] = "B"
letters[-1] = letters[0] + letters[2]
print(letters)
longer = letters + ["x", "y"]
print(longer[2:5], len(longer), "x" in longer, "z" in longer)
print(["="] * 3, ["ab", "c"] * 2)
