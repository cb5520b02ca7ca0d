def luhn(number):
    total = 0
    for i, c in enumerate(number[::-1]):
        d = int(c)
        if i % 2 == 1:
            d *= 2
            if d > 9:
                d -= 9
        total += d
    return total % 10 == 0

for number in ["79927398713", "79927398710", "4539578763621486"]:
    print(number, "valid" if luhn(number) else "invalid")
