for value in (0, 1, "", "a", None, True, [], (), "0"):
    print("yes" if value else "no", end=" ")
print()
print("" or "fallback", "first" or "second", "a" and "b", 0 or 7, None or "none")
