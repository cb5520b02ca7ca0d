def binary(n):
    if n == 0:
        return "0"
    digits = ""
    while n > 0:
        digits = str(n % 2) + digits
        n //= 2
    return digits

def value(text):
    total = 0
    for digit in text:
        total = total * 2 + int(digit)
    return total

for n in [0, 1, 5, 37, 255, 1024]:
    print(f"{n:5d} {binary(n):>12} {value(binary(n)) == n}")
