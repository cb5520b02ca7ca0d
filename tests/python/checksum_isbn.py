def check_digit(isbn):
    total = sum([(10 - i) * int(c) for i, c in enumerate(isbn)])
    digit = (11 - total % 11) % 11
    return "X" if digit == 10 else str(digit)

for isbn in ["030640615", "097522980", "080442957"]:
    print(isbn + "-" + check_digit(isbn))
