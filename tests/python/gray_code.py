def gray(n):
    if n == 0:
        return [""]
    smaller = gray(n - 1)
    return ["0" + g for g in smaller] + ["1" + g for g in smaller[::-1]]

print(gray(1))
print(gray(3))
