n = 0
while True:
    n += 7
    if n % 2 == 0:
        continue
    if n > 60:
        break
    print(n)
print("stopped at", n)
