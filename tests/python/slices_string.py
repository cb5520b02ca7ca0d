text = "transformer"
print(text[0], text[-1], text[2:5], text[:5], text[5:])
print(text[::2], text[::-1], text[-4:], text[8:2:-2])
print(text[20:], len(text[3:100]))
