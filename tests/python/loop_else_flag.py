for n in range(2, 20):
    found = False
    for d in range(2, n):
        if n % d == 0:
            print(n, "=", d, "*", n // d)
            found = True
            break
    if not found:
        print(n, "is prime")
