def common(a, b):
    if a == "" or b == "":
        return ""
    if a[0] == b[0]:
        return a[0] + common(a[1:], b[1:])
    left, right = common(a[1:], b), common(a, b[1:])
    return left if len(left) >= len(right) else right

print(common("ABCBDAB", "BDCABA"))
print(common("query", "key"), len(common("abc", "xyz")))
