"""The pages of help, and what a terminal shows that does not read UTF-8."""
from program import Terminal, check, finish, run


def page(what, *parts):
    """The page of `what` holds these parts, in this order, and nothing is wider than a screen, be it narrow."""
    result = run("-c", f"help {what}")
    at = 0
    for part in parts:
        found = result.out.find(part, at)
        check(f"help {what}: {part}", result.status == 0 and found >= 0, result)
        at = max(at, found)
    check(f"help {what}: fits 80 columns", all(len(line) <= 80 for line in result.out.split("\n")), result)
    return result.out


def search(words, *first, without=()):
    """What is found begins with these names, one to a line."""
    result = run("-c", f"apropos {words}")
    names = [line.split("  ")[0] for line in result.out.splitlines()]
    check(f"apropos {words}: {first}", result.status == 0 and names[:len(first)] == list(first), result)
    check(f"apropos {words}: without {without}", not set(without) & set(names), result)
    check(f"apropos {words}: fits 80 columns", all(len(line) <= 80 for line in result.out.split("\n")), result)


def refuses(line, *parts):
    result = run("-c", line)
    check(f"{line}: {parts}", result.status == 1 and result.out == "" and all(part in " ".join(result.err.split()) for part in parts), result)


# ---- pages ----
page("", "X = randn(3, 4)", "attend", "set temperature", "plot", "undo", "help first", "help NAME", "apropos")
page("softmax", "softmax(x, axis=-1, temperature=1)", "shapes:", "formula:", "softmax([0, 0])", "see also:")
page("attention", "attention(Q, K, V, temperature=1, scale=\"sqrt\", mask=None, bias=None,\n    position=None", "shapes:")
page("pi", "pi", "circle")
page("attend", "attend Q K V", "Runs attention", "see also:")
page("set", "set NAME VALUE", "settings: temperature")
page("temperature", "set temperature VALUE", "values:", "now:      1", "set temperature 0.5")
check("help set NAME is the setting's page", page("set temperature", "set temperature VALUE") == page("temperature"))
check("several names, several pages", page("softmax entropy") == page("softmax") + "\n" + page("entropy"))
page("entropy", "entropy", "nats", "entropy(p, axis=-1, base=e")
check("the page of a method", page("extend").startswith("list.extend(items)"))
page('"mask"', "set mask VALUE")
page("language", "A @ B", "see also:", "set language VALUE")
page("np.softmax", "softmax(x")
for word, opens in {"for": "for NAME in VALUES", "while": "while CONDITION", "elif": "if CONDITION", "lambda": "lambda x: VALUE", "return": "def NAME", "import": "import numpy",
                    "try": "except KIND", "assert": "assert CONDITION", "del": "del NAME", '"in"': "for NAME", '"@"': "A @ B", "keys": "Ctrl-R", "files": "load",
                    "functions": "kl_divergence", "commands": "attend", "settings": "temperature"}.items():
    page(word, opens)

for line, says in {"A = zeros((2, 3)); help A": "A is a variable: an array 2×3", "def f(x, y=2): return x\nf?": "f is a variable: the function f(x, y=2)",
                   "xs = [1, \"a\"]; xs?": "xs is a variable: a list of 2", "t = 0.5\nhelp t": "t is a variable: the number 0.5", "help 3": "3 is the number 3",
                   "A = eye(2); help A.T": "A.T is an array 2×2", "mask = 3\nmask?": "mask is also a variable: the number 3"}.items():
    result = run("-c", line)
    check(f"{line}: {says}", result.status == 0 and result.out.endswith(says + "\n"), result)

page_of_model = run("-c", "m = transformer(\"decoder\", vocab=5, d_model=4, heads=1, layers=1)\nm?", COLUMNS="40").out
check("m? of a model shows how it is printed, its parts, and what takes one",
      all(part in page_of_model for part in ("m is a variable: a model\n", "\ndecoder, 1 layer, d_model 4", "\nhas:      .parameters", "see also: train evaluate predict"))
      and max(map(len, page_of_model.splitlines())) <= 40, page_of_model)
for columns in (40, 80):
    cut = [line.removesuffix(" …") for line in run("-c", "help commands", COLUMNS=str(columns)).out.splitlines() if line.endswith("…")]
    whole = " ".join(run("--reference").out.split())
    check(f"help commands cuts between words at {columns} columns", cut and all(line[13:].strip() + " " in whole for line in cut), cut)

refuses("help sofmax", "no page about sofmax", "Did you mean softmax?")
refuses("help distances", "no page about distances", "dist", "relative_bias")
result = run("-c", "help distance")
check("a word of a setting leads to it", result.status == 0 and "set position" in result.out, result)
refuses("help qwertyuiop", "overview")
refuses("my_matrix = 1; help my_matrx", "Did you mean my_matrix?")
result = run("-c", "softmax?")
check("NAME? is its page", result.status == 0 and result.out.startswith("softmax(x"), result)
for columns, rows in ((40, 18), (80, 22), (200, 48)):
    for what, most in (("", rows), ("first", 22)):
        lines = run("-c", f"help {what}", COLUMNS=str(columns)).out.splitlines()
        check(f"help {what} fits {columns} columns", len(lines) <= most and max(map(len, lines)) <= columns, lines)

# ---- search ----
search("mask", "set mask", "causal_mask")
search("MASK", "set mask", "causal_mask")
search("softmax", "softmax", "log_softmax")
search("distance", "set position", "dist", "relative_bias")
search("save", "save")
search("random", "random", "rng.random", "random_sample", "RandomState", "help import", "set seed", "rand", "randn")
search("random numbers", "random", "rng.random", "random_sample", "set seed", "rand", "randn")
search("picture", "plot")
search("loop", "help for")
search("masks", "set mask", without=("softmax",))
search('"entropy"', "entropy")
refuses("apropos 注意力", "no page mentions 注意力", "Write apropos attend")
refuses("apropos softmx", "Did you mean softmax?")
refuses("apropos maks", "Did you mean mask?")
refuses("apropos qqqq", "overview")
refuses("apropos mask qqqq", "together")
refuses("apropos", "missing", "apropos mask")
refuses("apropos 3", "takes words")
refuses("apropos " + "a " * 9, "at most 8")
lines = run("-c", "apropos mask", COLUMNS="40").out.splitlines()
check("apropos at 40 columns: cut with …", max(map(len, lines)) == 40 and any(line.endswith("…") for line in lines), lines)

# ---- the first minute: what it says to type runs ----
walk = [line[:24].strip() for line in run("-c", "help first").out.splitlines() if line[:24].strip() and not line.startswith(("A walk", "each", "Then", "takes"))]
result = run("-c", "\n".join(walk))
check("help first runs", result.status == 0 and len(walk) >= 5, walk, result)
for part in ("weights", "temperature 1 → 0.25", "mask none → causal", "undone: set mask causal"):
    check(f"help first shows {part}", part in result.out, walk, result)

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
terminal = Terminal(LC_ALL="zh_CN.GB18030")
terminal.prompt()
shown = terminal.enter("1 +")
check("ASCII: Chinese, of which a terminal in another encoding shows nothing", "a value is missing" in shown, shown)
terminal.enter("exit")
result = run("-", stdin=b'x = "caf\xe9"')  # as a terminal that reads Latin-1 sends it
check("another encoding: what to do is said", "sent by the terminal, as UTF-8" in " ".join(result.err.split()), result)
finish()
