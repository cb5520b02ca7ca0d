state = 12345
rolls = []
for k in range(12):
    state = (state * 1103515245 + 12345) % 2147483648 if state < 4000000 else (state * 16807) % 2147483647
    rolls.append(state % 6 + 1)
print(rolls)
print(state)
