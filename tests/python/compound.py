money = 1000
for year in range(1, 6):
    money *= 1.05
    print(f"year {year}: {money:10.2f}")
print(f"{money - 1000:+.1f}")
