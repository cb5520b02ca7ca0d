def digit_sum(n):
    total = 0
    for c in str(n):
        total += int(c)
    return total

n = 987654321
while n > 9:
    print(n)
    n = digit_sum(n)
print(n)
