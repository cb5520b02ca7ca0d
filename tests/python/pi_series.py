total, sign = 0, 1
for k in range(2000):
    total += sign * 4 / (2 * k + 1)
    sign = -sign
print(f"{total:.5f}")
