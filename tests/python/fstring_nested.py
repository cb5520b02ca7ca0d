width, name = 10, "ada"
print(f"[{name:>{width}}] [{name.upper()!r}] {{braces}} {name[0]}{len(name)}")
print(f"{'yes' if width > 5 else 'no'} {1 + 2 * 3} {max(3, 4)}")
values = [1, 2, 3]
print(f"{values} {sum(values)} {(1, 'a')} {width=}")
