digits = "0123456789abcdefghijklmnopqrstuvwxyz"

def to_base(n, base):
    if n < base:
        return digits[n]
    return to_base(n // base, base) + digits[n % base]

for base in (2, 3, 8, 16, 36):
    print(base, to_base(2024, base))
