for word in ["left", "mid", "right"]:
    print(f"[{word:<8}] [{word:^8}] [{word:>8}] [{word:*^9}]")
width = 12
for n in (1, 22, 333):
    print(f"{n:{width}d}|{n:0{width}d}|{n:,}")
