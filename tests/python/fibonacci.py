a, b = 0, 1
numbers = []
while a < 1000:
    numbers.append(a)
    a, b = b, a + b
print(numbers)

def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print(fib(15), fib(0), fib(1))
