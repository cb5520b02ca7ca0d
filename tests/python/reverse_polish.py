def evaluate_rpn(text):
    stack = []
    for word in text.split():
        if word in ("+", "-", "*"):
            b, a = stack[-1], stack[-2]
            stack = stack[:-2]
            stack.append(a + b if word == "+" else a - b if word == "-" else a * b)
        else:
            stack.append(int(word))
    return stack[0]

for text in ["3 4 +", "5 1 2 + 4 * + 3 -", "2 3 * 4 5 * +"]:
    print(text, "=", evaluate_rpn(text))
