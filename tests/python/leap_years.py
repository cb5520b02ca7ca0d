def leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

print([year for year in range(1890, 1921) if leap(year)])
for year in (1900, 2000, 2023, 2024):
    print(year, "leap" if leap(year) else "common")
