def roman(n):
    out = ""
    for value, letters in [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
                           (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        while n >= value:
            out += letters
            n -= value
    return out

for year in [1, 4, 9, 14, 40, 90, 400, 1994, 2017, 2024]:
    print(year, roman(year))
