names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

def weekday(year, month, day):
    if month < 3:
        month += 12
        year -= 1
    return (day + 13 * (month + 1) // 5 + year + year // 4 - year // 100 + year // 400 + 5) % 7

for year, month, day in [(2000, 1, 1), (2017, 6, 12), (1969, 7, 20), (2024, 2, 29)]:
    print(f"{year}-{month:02d}-{day:02d} {names[weekday(year, month, day)]}")
