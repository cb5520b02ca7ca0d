count = 0
for a in range(1, 7):
    for b in range(1, 7):
        if a == b:
            continue
        if a + b > 9:
            break
        count += 1
print(count)
for i in range(4):
    print("".join(["#" if (i + j) % 2 == 0 else "." for j in range(8)]))
