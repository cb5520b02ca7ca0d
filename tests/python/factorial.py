def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)

for n in range(0, 18, 3):
    print(f"{n:>2}! = {factorial(n):>15}")
