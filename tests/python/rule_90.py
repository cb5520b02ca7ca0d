cells = "." * 15 + "#" + "." * 15
for step in range(8):
    print(cells)
    padded = "." + cells + "."
    cells = "".join(["#" if padded[i] != padded[i + 2] else "." for i in range(len(cells))])
