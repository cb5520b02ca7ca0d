print(f"{'C':>5}{'F':>8}")
for celsius in range(-10, 41, 10):
    print(f"{celsius:5d}{celsius * 9 / 5 + 32:8.1f}")
