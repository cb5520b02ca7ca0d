"""The instructors' shows: they run by themselves, and page by page at a terminal, where every page fits."""
import pathlib
import re
import shutil
import unicodedata

from program import Terminal, check, finish, path, run

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "scripts"
NAMES = ["temperature", "scaling", "masks", "positions", "heads"]
# These open a model that has learned.
OPENING = ["pronoun", "circuits"]
# These train: here for few steps.
LEARNING = ["training", "reverse", "language-model"]
# A page with the sign below it; one at 80x24 leaves a line to what stands above.
SIZES = [(80, 24, 23), (40, 20, 20)]
PROMPT = b"[Enter]"


def width(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def plain(raw):
    """The text without colours, and without the lines of progress, which were erased."""
    text = re.sub(r"[^\n]*\r\x1b\[K", "", raw.decode("utf-8", "replace"))
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).replace("\r", "")


def source(name):
    return (FOLDER / f"{name}.attn").read_text()


def script(name):
    return [str(FOLDER / f"{name}.attn")] + ["3"] * (name in LEARNING)


def unattended(name, columns):
    result = run(*script(name), COLUMNS=str(columns))
    wide = [line for line in result.out.split("\n") if width(line) > columns]
    check(f"{name} at {columns} columns runs by itself", result.status == 0 and not result.err, result)
    check(f"{name} at {columns} columns has no wider line", not wide, *wide)
    check(f"{name} at {columns} columns does not wait", PROMPT.decode() not in result.out)


def pictures(name):
    folder = pathlib.Path(path(f"pictures-{name}"))
    result = run("--plots", str(folder), str(FOLDER / f"{name}.attn"))
    wanted, found = len(re.findall(r"^plot ", source(name), re.M)), sorted(folder.glob("*.png"))
    check(f"{name} makes its {wanted} pictures", result.status == 0 and wanted > 0 and len(found) == wanted, found, result)
    check(f"{name} makes no empty picture", all(file.stat().st_size > 1000 for file in found), found)


def leave(terminal):
    """Enter at the prompt behind the show."""
    terminal.send("\r")
    check("Enter leaves the prompt of a show", terminal.wait(lambda: terminal.ended), terminal.text())
    return terminal.close()


def pages(name, columns, rows):
    """The pages as they come at a terminal, Enter pressed below each; and how it ended."""
    terminal, found = Terminal(*script(name), columns=columns, rows=rows), []
    start = 0
    end = lambda: "Enter leaves, or try: " in terminal.text() and terminal.at_prompt()
    while terminal.wait(lambda: terminal.raw[start:].endswith(PROMPT) or end() or terminal.ended) and not terminal.ended:
        if end():
            found.append(plain(terminal.raw[start:]))
            return found, leave(terminal)
        found.append(plain(terminal.raw[start:]))
        terminal.read(0.01)
        check(f"{name}: page {len(found)} waits", terminal.raw.endswith(PROMPT))
        start = len(terminal.raw)
        terminal.send("\r")
        terminal.wait(lambda: terminal.raw[start:].startswith(b"\r\n") or terminal.ended)
        start += 2
    found.append(plain(terminal.raw[start:]))
    return found, terminal.close()


def attended(name, columns, rows, most):
    found, status = pages(name, columns, rows)
    where = f"{name} at {columns}x{rows}"
    check(f"{where} comes to its end", status == 0, status, found[-1])
    check(f"{where} pauses where it says", len(found) == len(re.findall(r"^pause", source(name), re.M)), len(found))
    check(f"{where} ends at a prompt with something to try", "Enter leaves, or try: " in found[-1].replace("\n", " "), found[-1])
    for number, page in enumerate(found, 1):
        lines = page.rstrip("\n").split("\n")
        check(f"{where}: page {number} fits", len(lines) <= most and all(width(line) <= columns for line in lines), len(lines), page)


def stays(name):
    """Behind a show the bench is as the show left it; once something was typed Enter stays."""
    found = 0
    terminal = Terminal(str(FOLDER / f"{name}.attn"))
    while terminal.wait(lambda: terminal.row().endswith("[Enter]") or terminal.at_prompt()) and not terminal.at_prompt():
        found += 1
        start = len(terminal.raw)
        terminal.send("\r")
        cleared = terminal.wait(lambda: b"\x1b[2J" in terminal.raw[start:] or terminal.at_prompt())
        check(f"{name}: the screen is cleared behind page {found}", cleared, terminal.text())
    terminal.send("show temperature\r")
    check(f"{name}: the prompt runs lines", terminal.wait(lambda: re.search(r"\ntemperature [0-9.]+\s*\nattn>", terminal.text())), terminal.text())
    terminal.send("\r")
    terminal.read(0.2)
    check(f"{name}: Enter stays then", not terminal.ended, terminal.text())
    terminal.send("exit\r")
    terminal.wait(lambda: terminal.ended)
    check(f"{name}: exit leaves", terminal.close() == 0, terminal.text())


def presented(name):
    """Step by step, Enter pressed at each: every cell is run, and the end is reached."""
    terminal, steps = Terminal("present", str(FOLDER / f"{name}.attn"), columns=40, rows=20), 0
    first = None
    while terminal.wait(lambda: terminal.row().endswith("]") or terminal.ended) and not terminal.ended and steps < 200:
        steps += 1
        first = first or terminal.text()
        if steps == 3:
            terminal.enter("goto 1")
            jumped = terminal.wait(lambda: "[1/" in terminal.row() and terminal.row().endswith("]"))
            check(f"{name}: goto shows a page again", jumped and [*first.split("\n")][:-1] == [*terminal.text().split("\n")][:-1], terminal.text())
        start = len(terminal.raw)
        terminal.send("\r")
        terminal.wait(lambda: len(terminal.raw) > start + 2 or terminal.ended)
        terminal.read(0.1)
    pages = len(re.findall(r"^pause", source(name), re.M))
    check(f"{name}: presented, its pages are what it prints", f"/{pages} " in first and "print(" not in plain(terminal.raw), pages, first)
    check(f"{name} is presented to its end", terminal.close() == 0 and "the end" in plain(terminal.raw), steps, terminal.text())


def begins(name):
    """Of those that train the first page alone: there they look for the words behind the script."""
    terminal = Terminal("present", str(FOLDER / f"{name}.attn"), columns=40, rows=20)
    shown = terminal.wait(lambda: terminal.row().startswith("[1/") and terminal.row().endswith("]"))
    check(f"{name}: presented, its first page comes", shown and "error" not in terminal.text(), terminal.text())
    terminal.send("q\r")
    terminal.wait(lambda: terminal.ended)
    check(f"{name}: q leaves", terminal.close() == 0, terminal.text())


def left(name):
    terminal = Terminal(str(FOLDER / f"{name}.attn"))
    check(f"{name} begins", terminal.wait(lambda: terminal.raw.endswith(PROMPT)))
    terminal.send("\x03")
    terminal.wait(lambda: terminal.ended)
    check(f"Ctrl-C leaves {name}", terminal.close() == 130, terminal.child.exitstatus, terminal.text())


for name in NAMES + OPENING + LEARNING:
    for columns, rows, most in SIZES:
        unattended(name, columns)
        attended(name, columns, rows, most)
    (begins if name in LEARNING else presented)(name)
    if shutil.which("gnuplot") and name in NAMES:
        pictures(name)
if shutil.which("gnuplot"):
    before, place = set(FOLDER.iterdir()), path("new")
    pathlib.Path(place).mkdir()
    result = run(str(FOLDER / "first-look.attn"), "3", TMPDIR=place)
    made = list(pathlib.Path(place).iterdir())
    check("the first look writes to a new folder, named at the end", result.status == 0 and len(made) == 1 and len(list(made[0].iterdir())) == source("first-look").count(" to new ") and f"(its pictures lie in {made[0]})" in result.err, made, result)
    check("the first look writes nothing beside itself", set(FOLDER.iterdir()) == before, set(FOLDER.iterdir()) - before)
place = path("without-gnuplot")
pathlib.Path(place).mkdir()
for options in [], ["--plots", place]:
    result = run(*options, str(FOLDER / "first-look.attn"), "3", TMPDIR=place, ATTN_GNUPLOT=path("none"))
    check("the first look goes on without gnuplot", result.status == 0 and "pictures as text" in result.err and not list(pathlib.Path(place).iterdir()), result)
    check("and shows its pictures as text", result.out.count("rows: queries, columns: keys") == source("first-look").count("plot weights to new "), result)
left(NAMES[0])
stays(NAMES[0])
finish()
