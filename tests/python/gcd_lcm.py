def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a

def lcm(a, b):
    return a * b // gcd(a, b)

for a, b in [(12, 18), (35, 64), (100, 75), (7, 7)]:
    print(f"gcd({a}, {b}) = {gcd(a, b)}, lcm = {lcm(a, b)}")
