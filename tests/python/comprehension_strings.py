words = ["attention", "is", "all", "you", "need"]
print([w[0] for w in words])
print([w[::-1] for w in words if "e" in w])
print([f"{i}{w}" for i, w in enumerate(words)])
print("-".join([w[:2] for w in words]))
