x = 1
def change():
    x = 2
    return x

print(x, change(), x)
def read():
    return x + 10

print(read())
x = 5
print(read())
