def outer(n):
    def square(x):
        return x * x

    def sum_squares(k):
        total = 0
        for i in range(1, k + 1):
            total += square(i)
        return total

    return sum_squares(n), square(n)

print(outer(3), outer(10))
