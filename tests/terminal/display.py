"""Values and tables at a prompt: in the width that is there, aligned, saying what they leave out."""
import re

from program import EDITING, RUNNING, Terminal, check, finish, needs_editing, run

needs_editing()

SGR = re.compile(r"\x1b\[[0-9;]*m")
SIZES = ((40, 20), (80, 24), (200, 50))
TERMINALS = (("truecolor", {"COLORTERM": "truecolor"}), ("256 colours", {}), ("16 colours", {"TERM": "xterm"}), ("no colour", {"NO_COLOR": "1"}),
             ("ASCII", {"LC_ALL": "C", "LANG": "C", "NO_COLOR": "1"}))


def width(text):
    """Terminal columns, as the emulator counts them."""
    from wcwidth import wcswidth
    return wcswidth(text)


def enter(terminal, line):
    """Types an entry and gives what came before the next prompt, as soon as that is there."""
    start = len(terminal.raw)
    terminal.send(line + "\r")
    terminal.wait(lambda: EDITING in terminal.raw[start:] and terminal.at_prompt())
    after = terminal.raw[start:].partition(RUNNING)[2].partition(EDITING)[0]
    return after.decode("utf-8", "replace").replace("\r", "")


def shown(terminal, line):
    """The lines that an entry shows, without colour, with what `more` shows of them."""
    text = enter(terminal, line)
    while re.search(r"lines? left out: more shows them\)\n$", text):
        text = re.sub(r"\(\d+ lines? left out: more shows them\)\n$", "", text) + enter(terminal, "more")
    return SGR.sub("", text).rstrip("\n").split("\n")


def fits(where, line, lines, columns):
    wide = [text for text in lines if width(text) > columns]
    return check(f"{where}: {line} fits", not wide, wide[:1], "\n".join(lines[:8]))


def points(line):
    """Where the numbers of a row have their points, in columns."""
    return [width(line[:match.start() + match.group().find(".")]) for match in re.finditer(r"-?\d+\.\d+", line)]


def table_aligns(where, lines, labels):
    rows = [line for line in lines if line.startswith(labels)]
    places = {tuple(points(row)) for row in rows}
    check(f"{where}: a row for each label, their numbers below each other", len(rows) >= len(labels) and len(places) == 1, places, "\n".join(lines))


def values(where, terminal, columns, dots):
    enter(terminal, "A = randn(30, 30); B = A[:4, :3] * [1, 100, 0.01]; v = arange(3000) / 7")
    for line in ("A", "B", "v", "A[0]", "A > 0", "[A, v, \"a\"]", "svd(A[:4, :4])", "record(weights=A[:3, :3], label=\"查询\", more=v)", "[\"一个\"] * 60",
                 "A.reshape(3, 10, 30)", "A * 1e-9", "zeros((50, 1))", "range(60)"):
        fits(where, line, shown(terminal, line), columns)
    lines = shown(terminal, "B")
    check(f"{where}: points stand below each other", len(lines) == 4 and all(len({points(line)[i] for line in lines}) == 1 for i in range(3)), "\n".join(lines))
    lines = shown(terminal, "A")
    rest = re.search(r"columns (\d+) to (\d+) not shown", " ".join(lines))
    kept = len(re.findall(r"-?\d[\d.e-]*", lines[0]))
    if columns < 200:
        check(f"{where}: what is left out is said", rest and 30 - kept == int(rest[2]) - int(rest[1]) + 1, kept, "\n".join(lines))
        check(f"{where}: and marked", all(dots in line for line in lines[:30]), lines[0])
    else:
        check(f"{where}: some of it fits", kept >= 18, lines[0])
    lines = shown(terminal, "v")
    check(f"{where}: a long vector is one line and what it leaves out", dots in lines[0] and lines[0].endswith("]") and "not shown" in lines[1], "\n".join(lines))
    check(f"{where}: digits are heard", "0.33" in shown(terminal, "set digits 2; [1 / 3, 0.5]")[-1] and "0.333" not in terminal.lines()[-2], terminal.text())
    enter(terminal, "set digits 4")
    for code in ("A = randn(30, 30); print(A)", "print([1, 0.5; 22, 3])", "print((eye(3), [\"查询\"] * 40))"):
        script = run("-c", code).out.rstrip("\n").split("\n")
        if dots == "…":
            check(f"{where}: {code} is what it is in a script", shown(terminal, "set seed 0; " + code)[-len(script):] == script, script)


def tables(where, terminal, columns, utf8):
    labels = ("the", "我", "注意", "🐱", "🇨🇳", "é́") if utf8 else ("the", "cat", "b c")
    enter(terminal, "set tokens [" + ", ".join(f'"{label}"' for label in labels) + "]")
    lines = shown(terminal, "attend")
    fits(where, "attend", lines, columns)
    table_aligns(f"{where} weights", shown(terminal, "weights"), labels)
    table_aligns(f"{where} output", shown(terminal, "output"), labels)
    table_aligns(f"{where} entropy", shown(terminal, "entropy"), labels)
    for digits in (2, 9):
        enter(terminal, f"set digits {digits}")
        first = next(line for line in shown(terminal, "weights") if line.startswith("the"))
        number = re.search(r"\d\.\d+", first)[0]
        check(f"{where}: a table hears digits {digits}", len(number) == digits + 2 or columns == 40 and digits == 9, first)
    enter(terminal, "set digits 4; unset tokens; Q = randn(50, 60); K = Q; V = Q; attend Q K V;")
    for line in ("weights", "scores", "output", "entropy", "trace 1", "why 1 0", "who", "show", "diagnose", "sweep temperature 0.1 10"):
        lines = shown(terminal, line)
        fits(where, line, lines, columns)
        if line in ("weights", "scores"):
            text = " ".join(lines)
            check(f"{where}: {line} say which columns and rows they leave out", re.search(r"columns [\d ,to]+ of 50|no columns [\d ,-]+ of 50", text)
                  and re.search(r"rows \d+ to \d+ of 50", text), text[-300:])


def colours(name, changes):
    terminal = Terminal(columns=80, **changes)
    terminal.prompt()
    enter(terminal, "X = randn(3, 4); attend;")
    got = set(re.findall(r"\x1b\[([0-9;]*)m", enter(terminal, "weights")))
    depth = {"truecolor": r"38;2;.*48;2;", "256 colours": r"38;5;.*48;5;", "16 colours": r"[39]\d;(4|10)\d"}.get(name)
    if depth:
        check(f"{name}: shades", any(re.match(depth, code) for code in got), got)
    else:
        check(f"{name}: none", not got, got)
    terminal.close()


for name, changes in TERMINALS:
    colours(name, changes)
    for columns, rows in SIZES:
        if name not in ("truecolor", "ASCII") or (name == "ASCII" and columns == 200):
            continue
        utf8 = name != "ASCII"
        terminal = Terminal(columns=columns, rows=rows, **changes)
        where = f"{columns}×{rows} {name}"
        check(f"{where}: a prompt", terminal.prompt(), terminal.text())
        values(where, terminal, columns, "…" if utf8 else "...")
        tables(where, terminal, columns, utf8)
        terminal.close()

# ---- four million numbers ----
terminal = Terminal()
terminal.prompt()
enter(terminal, "A = randn(2000, 2000);")
found = enter(terminal, "A")
check("an array taller than the screen is cut in its middle, to one screen", "rows 9 to 1990" in found and "left out" not in found and found.count("\\n") <= 22, found)
check("one that is a little taller, at its end", len(shown(terminal, "A[:30, :2]")) == 30 and "(9 lines left out: more shows them)" in enter(terminal, "A[:30, :2]"), terminal.text())
terminal.close()
finish()
