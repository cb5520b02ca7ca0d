stock = [("bolt", 40), ("nut", 25), ("gear", 3)]

def take(items, name, n):
    out = []
    for item, count in items:
        assert item != name or count >= n, "not enough " + name
        out.append((item, count - n if item == name else count))
    return out

stock = take(stock, "bolt", 15)
try:
    stock = take(stock, "gear", 10)
except:
    print("refused")
for item, count in stock:
    print(f"{item:.<10}{count:.>5}")
