def balanced(text):
    stack = []
    for c in text:
        if c in "([":
            stack.append(c)
        elif c in ")]":
            if len(stack) == 0:
                return False
            opening = stack[-1]
            stack = stack[:-1]
            if opening + c not in ("()", "[]"):
                return False
    return len(stack) == 0

for text in ["()", "([])", "([)]", "((", "", "a(b)c]"]:
    print(f"{text:<8}{balanced(text)}")
