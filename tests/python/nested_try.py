def risky(n):
    try:
        if n == 0:
            return unknown_name
        try:
            return [1, 2, 3][n]
        except:
            return -1
    except:
        return -2

print([risky(n) for n in range(5)])
