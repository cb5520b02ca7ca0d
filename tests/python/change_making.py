def change(amount, coins):
    used = []
    for coin in coins:
        while amount >= coin:
            amount -= coin
            used.append(coin)
    return used

for amount in (41, 99, 5):
    print(amount, change(amount, (25, 10, 5, 1)))
