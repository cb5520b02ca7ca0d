def greet(name, greeting="Hello", mark="!", times=1):
    return " ".join([greeting + ", " + name + mark] * times)

print(greet("Ada"))
print(greet("Bob", "Hi"))
print(greet("Cy", mark="?"))
print(greet(times=2, name="Dee", greeting="Hey"))
