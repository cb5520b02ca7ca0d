def spiral(n):
    order = []
    top, left, bottom, right = 0, 0, n - 1, n - 1
    while top <= bottom and left <= right:
        for j in range(left, right + 1):
            order.append(top * n + j)
        for i in range(top + 1, bottom + 1):
            order.append(i * n + right)
        for j in range(right - 1, left - 1, -1):
            order.append(bottom * n + j)
        for i in range(bottom - 1, top, -1):
            order.append(i * n + left)
        top, left, bottom, right = top + 1, left + 1, bottom - 1, right - 1
    return order

print(spiral(3))
print(spiral(4))
