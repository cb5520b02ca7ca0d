print("tab\tand\nnew line")
print('single "double" inside', "it's")
print("back\\slash", len("\n\t\\"))
print("多头注意力", len("多头注意力"), "多头注意力"[1:3])
