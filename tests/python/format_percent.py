scores = [("ann", 45, 50), ("bob", 30, 50), ("eve", 50, 50)]
for name, got, of in scores:
    print(f"{name.upper():<5} {got:3d}/{of} = {got / of:7.1%}")
