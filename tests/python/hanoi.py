def hanoi(n, start, goal, spare):
    if n == 0:
        return 0
    moves = hanoi(n - 1, start, spare, goal)
    print(f"disk {n}: {start} -> {goal}")
    return moves + 1 + hanoi(n - 1, spare, goal, start)

print(hanoi(3, "A", "C", "B"), "moves")
