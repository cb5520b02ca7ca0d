for n in [0, 1, 5, 8, 255, 4096, 48879]:
    print(f"{n:b} {n:o} {n:x} {n:X} {n:#b} {n:#o} {n:#x} {n:#X}")
print(f"|{5:08b}|{5:>8b}|{255:^10x}|{255:<6X}|{255:#010x}|{-5:b}|{-255:#x}|{7:+b}|")
print(f"{3735928559:_x} {255:_b} {1234567:,} {1234567:_} {2 ** 60:x}")
print(format(255, "x"), format(3.14159, ".2f"), format("ab", ">5"), format(12))
print("{:x} and {:08b}".format(254, 37), "%x %o" % (255, 64))
width = 12
print(f"{10:{width}b}|{10:0{width}b}|{True:d}")
red, green, blue = 255, 128, 0
print(f"#{red:02x}{green:02x}{blue:02x}")
