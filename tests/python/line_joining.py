total = (1 +
         2 +
         3)
names = [
    "one",
    "two",  # with a comma at the end
]
print(total, names)
print(max(
    4,
    9,
), len(names))
