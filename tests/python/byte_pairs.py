text = "low low lower lowest"
for round_number in range(2):
    best, best_count = "", 0
    for i in range(len(text) - 1):
        pair = text[i:i + 2]
        count = len(text.split(pair)) - 1
        if " " not in pair and count > best_count:
            best, best_count = pair, count
    print(f"{best} {best_count}")
    text = text.replace(best, "<" + best + ">")
print(text)
