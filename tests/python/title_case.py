def title(text):
    return " ".join([w[0].upper() + w[1:].lower() for w in text.split()])

print(title("attention is ALL you need"))
print(title("  several   spaces here "))
