rows = [("item", "count", "price"), ("apple", 3, 0.5), ("pear", 12, 0.25), ("melon", 1, 3.75)]
for i, (item, count, price) in enumerate(rows):
    if i == 0:
        print(f"{item:<10}{count:>8}{price:>10}")
        print("-" * 28)
    else:
        print(f"{item:<10}{count:>8}{price:>10.2f}")
total = sum([count * price for item, count, price in rows[1:]])
print(f"{'total':<18}{total:>10.2f}")
