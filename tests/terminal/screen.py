"""What a person sees: the screen after some lines were typed, at two widths."""
import os
import re
import unicodedata

from program import Terminal, check, finish, path


def width(text):
    """Terminal columns, by Unicode's tables."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def cells(terminal):
    """The screen as columns: a wide character stands in two of them, the second empty."""
    rows = []
    for y in range(terminal.screen.lines):
        rows.append([terminal.screen.buffer[y][x].data for x in range(terminal.screen.columns)])
    return rows


def number_ends(row):
    """The columns in which numbers end."""
    text = "".join(c if len(c) == 1 and width(c) == 1 else "#" for c in (cell or "#" for cell in row))
    return [match.end() for match in re.finditer(r"(?<![\w.])-?[\d.]+(?![\w.])", text)]


def table_rows(terminal, labels):
    """The screen rows that begin with a label, behind the last occurrence of the header."""
    found = []
    for y, line in enumerate(terminal.screen.display):
        if any(line.strip().replace(" ", "").startswith(label) for label in labels):
            found.append(y)
    return found


SETUPS = [(80, 24), (40, 20)]
for columns, rows in SETUPS:
    terminal = Terminal(columns=columns, rows=rows)
    where = f"{columns}×{rows}"
    check(f"{where}: a prompt", terminal.prompt(), terminal.text())
    check(f"{where}: nothing stands before it", terminal.lines() == ["attn>"], terminal.text())

    # ---- a table with Chinese labels ----
    terminal.enter('set tokens ["我", "喜欢", "猫"]')
    terminal.enter("X = eye(3); X[0, 2] = 0.5")
    terminal.enter("attend;")
    shown = terminal.enter("weights")
    grid = cells(terminal)
    at = [y for y in table_rows(terminal, ["我", "喜欢", "猫"])][-3:]
    ends = [number_ends(grid[y]) for y in at]
    check(f"{where}: three rows of numbers", len(at) == 3 and all(len(row) >= 3 for row in ends), terminal.text())
    check(f"{where}: numbers stand below each other, whatever the labels' width", len({tuple(row) for row in ends}) == 1, ends, terminal.text())
    check(f"{where}: no line is wider than the screen", all(width(re.sub(r"\x1b\[[0-9;]*m", "", line)) <= columns for line in shown.split("\n")), shown)
    check(f"{where}: no line is wrapped", terminal.text().count("我") >= 2, terminal.text())
    terminal.enter('set tokens ["b", "字", "é́"]')
    terminal.enter("attend")
    check(f"{where}: the output has its labels", terminal.text().count("字") >= 1, terminal.text())
    grid = cells(terminal)
    at = table_rows(terminal, ["b", "字", "é"])[-3:]
    ends = [number_ends(grid[y]) for y in at]
    check(f"{where}: columns of the output align", len(at) == 3 and len({tuple(row) for row in ends}) == 1, ends, terminal.text())

    # ---- a wide table says what it leaves out ----
    terminal.enter("unset tokens; X = rand(30, 30)")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.enter("attend"))
    lines = shown.split("\n")
    check(f"{where}: a wide table fits", all(width(line) <= columns for line in lines[1:]), max(lines[1:], key=width))
    check(f"{where}: and marks the gap", "…" in shown, shown)
    terminal.enter("unset tokens; del X; reset")

    # ---- the caret stands below what was typed ----
    for line, caret, length in (("1 + nothing", 4, 7), ("(1 + [1, 2] @ [1]) * 2", 5, 12), ('"查询" + nothing', 9, 7), ('s = "é́" @ 3', 4, 7)):
        terminal.enter(line)
        lines = terminal.lines()
        typed = max(i for i, text in enumerate(terminal.screen.display) if text.startswith("attn> ") and len(text.strip()) > 5)
        below = "".join(c or " " for c in cells(terminal)[typed + 1]).rstrip()
        expected = " " * (6 + caret) + "^" * length
        check(f"{where}: the caret of {line}", below == expected, f"{below!r}", f"{expected!r}", terminal.text())

    # ---- continuation ----
    check(f"{where}: a block goes on", terminal.more("for i in [1, 2]:"), terminal.text())
    check(f"{where}: until an empty line", terminal.more("    print(i * 10)"), terminal.text())
    check(f"{where}: then it runs", "10\n20" in terminal.enter(""), terminal.text())
    check(f"{where}: an open bracket goes on", terminal.more("x = [1,"), terminal.text())
    terminal.enter("2]")
    check(f"{where}: and ends at once", "[1, 2]" in terminal.enter("x"), terminal.text())
    check(f"{where}: an open text goes on", terminal.more('t = """one'), terminal.text())
    terminal.enter('two"""')
    check(f"{where}: and has two lines", "'one\\ntwo'" in terminal.enter("t"), terminal.text())
    terminal.more("def f(x):")
    terminal.more("    return x + nothing")
    terminal.enter("")
    shown = terminal.enter("f(1)")
    check(f"{where}: an error in a function shows its line", "return x + nothing" in shown and "name error" in shown, shown)
    check(f"{where}: an error leaves the prompt", "\n3" in terminal.enter("1 + 2"), terminal.text())
    check(f"{where}: an empty line does nothing", terminal.enter("").strip() == "attn>", terminal.text())
    check(f"{where}: a comment does nothing", "error" not in terminal.enter("# nothing"), terminal.text())

    # ---- pictures in the terminal ----
    terminal.enter("Q = randn(12, 12); K = Q; V = Q; attend;")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.enter("plot weights"))
    check(f"{where}: a picture fits", all(width(line) <= columns for line in shown.split("\n")[1:]) and shown.count("\n") > 6, shown)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.enter("plot [1, 4, 9, 16], [2, 3, 4, 5]"))
    check(f"{where}: lines fit", all(width(line) <= columns for line in shown.split("\n")[1:]) and shown.count("\n") > 6, shown)
    shown = terminal.enter("help softmax")
    check(f"{where}: help fits", all(width(line) <= max(columns, 60) for line in shown.split("\n")[1:]) and "softmax(" in shown, shown)
    check(f"{where}: an overview", "set temperature" in terminal.enter("help"), terminal.text())
    shown = terminal.enter("set temperature 0.1")
    whole = all(width(line) <= columns for line in shown.split("\n")) and ("max 0." in shown if columns == 80 else "mean max weight 0." in shown)
    check(f"{where}: an answer in whole parts", "temperature 1 → 0.1" in shown and whole, shown)
    shown = terminal.enter("Q = Q * 2")
    check(f"{where}: an assignment to an input answers", re.search(r"Q\s+(mean )?entropy", shown), terminal.text())
    terminal.send("\x04")
    check(f"{where}: Ctrl-D leaves", terminal.wait(lambda: terminal.ended), terminal.text())
    check(f"{where}: with status 0", terminal.close() == 0)

os.makedirs(path("config/attn"))
path("config/attn/init.attn", "x = 7\n")

# ---- a window that changes, no UTF-8, no colour ----
terminal = Terminal()
terminal.prompt()
terminal.enter("Q = randn(20, 20); K = Q; V = Q; attend;")
terminal.child.setwinsize(24, 50)
shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.enter("weights"))
check("a narrower window is heard", all(width(line) <= 50 for line in shown.split("\n")[1:]) and "…" in shown, shown)
terminal.close()
terminal = Terminal(NO_COLOR="1")
terminal.prompt()
check("NO_COLOR", "\x1b[4" not in terminal.enter("Q = eye(2); K = Q; V = Q; attend"), terminal.text())
terminal.close()
terminal = Terminal(NO_COLOR="")
terminal.prompt()
check("an empty NO_COLOR means nothing", "\x1b[" in terminal.enter("Q = eye(2); K = Q; V = Q; attend"), terminal.text())
terminal.close()
terminal = Terminal(LC_ALL="C", LANG="C")
terminal.prompt()
shown = re.sub(r"\x1b\[[0-9;]*m", "", terminal.enter("Q = randn(20, 20); K = Q; V = Q; plot Q"))
check("a terminal without UTF-8 gets ASCII pictures", shown.isascii(), shown)
shown = terminal.enter("τ = Q[0:1] @ K[0:2].T @ Q")
check("nor errors that are more than ASCII", shown.split("\n", 1)[1].isascii() and "1x2" in shown, shown)
check("nor help", "exp(x_i / tau)" in terminal.enter("help softmax"), terminal.text())
terminal.close()
terminal = Terminal(XDG_CONFIG_HOME=path("config"))
terminal.prompt()
check("init.attn is run at a prompt", terminal.enter("x").split("\n")[1:2] == ["7"], terminal.text())
terminal.close()
terminal = Terminal(TERM="dumb")
terminal.prompt()
check("a terminal that can do nothing", "\x1b[4" not in terminal.enter("Q = eye(2); K = Q; V = Q; attend"), terminal.text())
terminal.close()
finish()
