def even(n):
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

print([n for n in range(8) if even(n)], odd(7), even(41))
