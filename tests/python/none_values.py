def nothing():
    pass

def early(n):
    if n > 0:
        return
    print("not positive", n)

print(nothing(), early(3), early(-1))
result = nothing()
print(result is None, result == None, result is not None)
