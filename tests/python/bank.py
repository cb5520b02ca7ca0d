balance = 100
log = []
for kind, amount in [("in", 50), ("out", 30), ("out", 500), ("in", 5)]:
    if kind == "out" and amount > balance:
        log.append(f"refused {amount}")
        continue
    balance = balance + amount if kind == "in" else balance - amount
    log.append(f"{kind} {amount} -> {balance}")
for line in log:
    print(line)
