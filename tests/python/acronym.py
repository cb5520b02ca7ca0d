for phrase in ["portable network graphics", "Graphics Interchange Format", "read eval print loop"]:
    print("".join([w[0] for w in phrase.upper().split()]))
