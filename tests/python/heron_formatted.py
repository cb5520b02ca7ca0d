guess, target = 1, 2
for step in range(6):
    print(f"{step}: {guess:.6f}")
    guess = (guess + target / guess) / 2
