text = "hello world"
for old, new in [("l", "L"), ("o", "0"), ("world", "there"), ("w0rLd", "planet")]:
    text = text.replace(old, new)
    print(text)
