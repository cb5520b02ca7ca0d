def size(n):
    if n < 0:
        return "negative"
    elif n == 0:
        return "zero"
    elif n < 10:
        return "digit"
    elif n < 100:
        return "two digits"
    else:
        return "many digits"

for n in (-5, 0, 7, 42, 12345):
    print(n, size(n))
