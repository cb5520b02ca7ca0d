found = [(a, b, c) for a in range(1, 25) for b in range(a, 25) for c in range(b, 25) if a * a + b * b == c * c]
for a, b, c in found:
    print(f"{a}**2 + {b}**2 = {c}**2")
print(len(found))
