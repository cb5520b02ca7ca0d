"""Pictures at the prompt: what stands on the screen after `plot`, its colours, and how soon."""
import re

from program import Terminal, check, finish, path, run

CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
COLORS = re.compile(r"\x1b\[[0-9;]*m")
TOKENS = '["the", "animal", "didn\'t", "cross", "the", "street", "because", "it", "was", "too", "tired", "."]'


def start(columns=80, rows=24, **changes):
    terminal = Terminal(columns=columns, rows=rows, **changes)
    check(f"{columns}x{rows}: a prompt", terminal.prompt(), terminal.text())
    return terminal


def grounds(terminal, row):
    """The ground of each column of a row of the screen."""
    return [terminal.screen.buffer[row][x].bg for x in range(terminal.screen.columns)]


def answer(shown):
    """What stands between what was typed and the prompt."""
    return shown.split("\n", 1)[1].rsplit("\n", 1)[0]


def picture(shown):
    """Its lines, without codes."""
    return CODES.sub("", answer(shown)).split("\n")


def row_of(terminal, start):
    return next((y for y, line in enumerate(terminal.screen.display) if line.startswith(start)), None)


# ---- a matrix of a few cells, in three depths ----
for depth, term, colorterm, code in (("truecolor", "xterm-256color", "truecolor", "48;2;253;231;37"), ("256", "xterm-256color", None, "48;5;220"), ("16", "xterm", None, "103")):
    terminal = start(TERM=term, COLORTERM=colorterm)
    terminal.enter('set tokens (["猫", "sat"])')
    shown = terminal.enter("plot [[1, 0], [0.25, 0.75]]")
    lines = picture(shown)
    check(f"{depth}: numbers in cells, names on both sides", any(line.startswith("猫") and "1.000" in line for line in lines) and any(re.match(r" +猫 +sat$", line) for line in lines), shown)
    check(f"{depth}: the colour of 1", code in shown, shown)
    check(f"{depth}: each line ends without a colour", all(line.endswith("\x1b[0m") for line in answer(shown).split("\n") if COLORS.search(line)), shown)
    at = row_of(terminal, "sat")
    check(f"{depth}: the ground ends with the cells", at is not None and grounds(terminal, at)[-1] == "default" and grounds(terminal, at)[3] == "default" and grounds(terminal, at)[6] != "default", at)
    check(f"{depth}: a table is shaded too", COLORS.search(answer(terminal.enter("Q = eye(2); K = Q; V = Q; attend"))), terminal.text())
    terminal.close()

# ---- twelve tokens ----
terminal = start()
terminal.enter(f"set tokens ({TOKENS})")
terminal.enter("Q = randn(12, 8); K = Q; V = Q; set mask causal; attend;")
lines = picture(terminal.enter("plot weights"))
check("twelve tokens: every name stands above", all(any(name in line for line in lines[2:4]) for name in ("animal", "didn't", "because", "tired")), "\n".join(lines))
check("twelve tokens: every row has its numbers", sum(len(re.findall(r"\d\.\d\d", line)) for line in lines) >= 78, "\n".join(lines))
check("twelve tokens: what is masked is said", any("·  masked" in line for line in lines), "\n".join(lines))
check("twelve tokens: one screen", len(lines) <= 22, len(lines))
check("as text", not COLORS.search(answer(terminal.enter("plot weights as text"))), terminal.text())
terminal.close()

# ---- larger ones, on several screens ----
for columns, rows in ((80, 24), (40, 20), (200, 50)):
    terminal = start(columns, rows)
    for code in ("randn(40, 40)", "randn(64, 3)", "randn(512, 512)", "rand(1, 300)", "sin(arange(0, 100) / 10), cos(arange(0, 100) / 10)", "[1, nan, 3, inf, 2]"):
        lines = picture(terminal.enter(f"plot {code}"))
        check(f"{columns}x{rows}: {code} fits", 4 < len(lines) < rows and all(len(line.rstrip()) <= columns for line in lines), "\n".join(lines))
    shown = terminal.enter("plot randn(512, 512)")
    check(f"{columns}x{rows}: it says what a cell is", re.search(r"each cell is the mean of about \d+×\d+\s+values", shown), shown)
    terminal.close()
terminal = start()
lines = picture(terminal.enter("plot randn(40, 40)"))
check("40x40: every cell is there", sum(line.count("▀") for line in lines) == 800, "\n".join(lines))
check("40x40: all of it is in sight", terminal.screen.display[0].startswith("randn(40, 40)") or terminal.screen.display[0].startswith("attn> plot"), terminal.text())
terminal.close()

# ---- several schemes at one look ----
for columns, rows in ((80, 24), (40, 20)):
    terminal = start(columns, rows)
    terminal.enter('set tokens "the cat sat on the mat"')
    terminal.enter("X = randn(6, 8)")
    terminal.enter("compare position none sinusoidal rope alibi;")
    lines = picture(terminal.enter("plot compare"))
    text = "\n".join(lines)
    check(f"{columns}x{rows}: four panels with their entropies, one bar of colours, one screen", len(lines) < rows and all(re.search(rf"{name} H \d\.\d\d", text) for name in ("none", "sinusoidal", "rope", "alibi")) and text.count("colours 0") == 1, text)
    terminal.close()
terminal = start(80, 50)
terminal.enter('set tokens "the cat sat on the mat"')
terminal.enter("X = randn(6, 8)")
shown = terminal.enter("compare temperature 0.1 1 10")
check("compare of three in colours: means, panels, entropies of each query", all(part in CODES.sub("", shown) for part in ("temperature", "0.1 H 0.00", "10 H 1.78", "entropy", "mat")) and COLORS.search(shown), shown)
terminal.close()

# ---- links ----
for columns, rows in ((80, 24), (40, 20)):
    terminal = start(columns, rows)
    terminal.enter('set tokens "the cat sat on the mat 猫"')
    terminal.enter("X = 3 * eye(7) + rand(7, 7); set heads 1; attend;")
    shown = terminal.enter("plot links")
    lines = picture(shown)
    check(f"{columns}x{rows}: links between the tokens, one screen", len(lines) < rows and sum(bool(re.match(r" *cat ⠒.* cat$", line)) for line in lines) == 1 and "from 0.67" in shown, shown)
    check(f"{columns}x{rows}: the fainter have other colours", len(set(COLORS.findall("\n".join(line for line in shown.split("\n"))))) > 3, shown)
    check(f"{columns}x{rows}: no line is wider", all(len(line) <= columns for line in lines), "\n".join(lines))
    lines = picture(terminal.enter('plot links of "cat"'))
    check(f"{columns}x{rows}: one query is bars", any(re.match(r"cat +█+.* 0\.\d+$", line) for line in lines) and len(lines) < rows, "\n".join(lines))
    terminal.close()
terminal = start(LC_ALL="C", LANG="C")
terminal.enter('set tokens "the cat sat"')
terminal.enter("X = 3 * eye(3); attend;")
shown = terminal.enter("plot links threshold 0.5")
check("no UTF-8: a list of links", shown.isascii() and re.search(r"^cat -> cat 0\.\d+$", CODES.sub("", shown), re.M), shown)
terminal.close()

# ---- the heads of a model ----
for columns, rows in ((80, 24), (40, 20)):
    terminal = start(columns, rows)
    terminal.enter('m = transformer("encoder", vocab=["the", "cat", "sat", "on", "猫"], d_model=12, heads=6, layers=4, d_ff=4, max_len=40)')
    terminal.enter('inspect m ["the", "cat", "sat", "on", "猫"];')
    lines = picture(terminal.whole("plot heads"))
    titles = [line for line in lines if re.match(r"\d\.0 ", line)]
    check(f"{columns}x{rows}: the heads of each layer in one row", [line.split() for line in titles] == [[f"{layer}.{head}" for head in range(6)] for layer in range(4)], "\n".join(lines))
    check(f"{columns}x{rows}: one bar of colours, and the tokens", "\n".join(lines).count("colours 0") == 1 and "4 猫" in "\n".join(lines), "\n".join(lines))
    lines = picture(terminal.whole("plot links layer 3"))
    check(f"{columns}x{rows}: the links of a layer", "layer 3 of m: the cat sat on猫" in " ".join(" ".join(lines).split()) and any(line.startswith("    cat ⠂") or line.startswith("    cat ⠒") for line in lines) and "head 5" in "\n".join(lines), "\n".join(lines))
    check(f"{columns}x{rows}: no line of a model's pictures is wider", all(len(line) <= columns for line in lines), "\n".join(lines))
    terminal.enter("inspect m ([i % 5 for i in range(40)]);")
    lines = picture(terminal.whole("plot heads"))
    check(f"{columns}x{rows}: many tokens are small maps", re.search(r"each cell is the largest of (about )?\d×\d values", " ".join(lines)) and len(lines) < 4 * rows + 20, len(lines), "\n".join(lines))
    terminal.close()

# ---- other terminals ----
terminal = start(LC_ALL="C", LANG="C")
shown = terminal.enter("plot randn(9, 9)")
check("no UTF-8: ASCII on colours", shown.isascii() and COLORS.search(answer(shown)), shown)
check("no UTF-8: lines in ASCII", terminal.enter("plot [1, 4, 9], [1, 2, 3]").isascii(), terminal.text())
terminal.close()
terminal = start(NO_COLOR="1")
shown = answer(terminal.enter("plot randn(9, 9)"))
check("no colour: shades", not COLORS.search(shown) and "shades" in shown, shown)
terminal.close()
result = run("-c", "plot [[1, 0], [0, 1]]")
check("a pipe gets text", result.status == 0 and "\x1b" not in result.out and "shades" in result.out, result)
result = run("-c", 'plot [[1, 0], [0, 1]] to "colors.txt"')
check("a file gets text", result.status == 0 and "\x1b" not in open(path("colors.txt"), encoding="utf-8").read(), result)

finish()
