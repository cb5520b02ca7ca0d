"""The pages of help, and what a terminal shows that does not read UTF-8."""
from program import Terminal, check, finish, run


def page(what, *parts):
    """The page of `what` holds these parts, in this order, and nothing is wider than a screen."""
    result = run("-c", f"help {what}")
    at = 0
    for part in parts:
        found = result.out.find(part, at)
        check(f"help {what}: {part}", result.status == 0 and found >= 0, result)
        at = max(at, found)
    check(f"help {what}: fits 80 columns", all(len(line) <= 80 for line in result.out.split("\n")), result)


page("", "attend", "set temperature", "plot", "undo", "help NAME")
page("softmax", "softmax(x, temperature=1, axis=-1)", "shapes:", "formula:", "softmax([0, 0])", "see also:")
page("pi", "pi", "circle")
page("attend", "attend Q K V", "Runs attention", "see also:")
page("temperature", "set temperature VALUE", "values:", "now: 1", "set temperature 0.5")
page("set temperature", "set temperature VALUE")
page("entropy", "entropy", "nats", "entropy(p, axis=-1, base=e")
page("append", "append", "list")
page('"mask"', "set mask VALUE")

result = run("-c", "my_matrix = eye(2)\nhelp my_matrix")
check("help of a variable says what it is", result.status == 0 and "my_matrix is a variable: an array" in result.out, result)
result = run("-c", "help sofmax")
check("help with a slip names the page", result.status == 1 and "Did you mean softmax?" in result.err, result)
result = run("-c", "help qwertyuiop")
check("help of nothing known leads on", result.status == 1 and "overview" in result.err, result)
result = run("-c", "help 3")
check("help of a number is an error", result.status == 1 and "error" in result.err, result)
result = run("-c", "softmax?")
check("NAME? is its page", result.status == 0 and result.out.startswith("softmax(x"), result)

# ---- a terminal that reads ASCII alone ----
terminal = Terminal(LANG="C", LC_ALL="C", LC_CTYPE="C")
terminal.prompt()
shown = terminal.enter("Q = eye(2); K = Q; V = Q; attend")
check("ASCII: a heading", "Q 2x2 K 2x2 V 2x2" in shown, shown)
shown = terminal.enter("set temperature 0.5")
check("ASCII: an arrow", "temperature 1 -> 0.5" in shown, shown)
shown = terminal.enter("set mask causal")
shown = terminal.enter("weights")
check("ASCII: a masked cell", " ." in shown and "·" not in shown, shown)
shown = terminal.enter("plot weights")
check("ASCII: a picture", all(ord(c) < 128 for c in shown), shown)
shown = terminal.enter("help softmax")
check("ASCII: a formula", "tau" in shown and all(ord(c) < 128 for c in shown), shown)
shown = terminal.enter("Q @ ones((3, 2))")
check("ASCII: an error", "shape error: Q is 2x2" in shown, shown)
shown = terminal.enter("print('λ Ω é √2 x² 字 “a”')")
check("ASCII: what has no twin", "lambda Omega ? sqrt 2 x^2 ? \"a\"" in shown, shown)
terminal.enter("exit")
finish()
