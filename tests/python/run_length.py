def encode(text):
    out, i = "", 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out += text[i] + str(j - i)
        i = j
    return out

def decode(code):
    return "".join([code[i] * int(code[i + 1]) for i in range(0, len(code), 2)])

print(encode("aaabccdddd"))
print(decode(encode("aaabccdddd")))
