def number_or(text, fallback):
    try:
        return int(text)
    except:
        return fallback

for text in ["12", " 7 ", "x", "", "-3", "4.5"]:
    print("[" + text + "]", number_or(text, -1))
