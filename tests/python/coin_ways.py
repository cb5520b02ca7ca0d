ways = [1]
for n in range(30):
    ways.append(0)
for coin in (1, 5, 10, 25):
    for amount in range(coin, 31):
        ways[amount] += ways[amount - coin]
print(ways[5], ways[10], ways[25], ways[30])
