# A program with comments in every place.
total = 0  # starts at zero

for i in range(5):  # five times

    # before the addition
    total += i

    # after it
print(total)  # 10
print("# not a comment")
