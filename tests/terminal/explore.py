"""explore: keys in, screens out, and the terminal and the session as they should be afterwards."""
import os
import signal
import termios
import time

from program import EDITING, Terminal, check, finish, path, run

SAT = 'set tokens "the cat sat on the mat"'
# The emulator knows no repeated characters, which xterm's entry has.
TERM = "screen-256color"
BRIEF = "? keys"

if "explore: ncurses" not in run("--version").out:
    finish()  # built without it


def open_explore(*lines, columns=80, rows=24, **changes):
    terminal = Terminal(columns=columns, rows=rows, **{"TERM": TERM, **changes})
    terminal.prompt()
    for line in lines or (SAT,):
        terminal.enter(line)
    terminal.before = termios.tcgetattr(terminal.child.child_fd)
    terminal.send("explore\r")
    check(f"explore opens at {columns}x{rows} {changes}", shows(terminal, BRIEF), terminal.text())
    return terminal


def shows(terminal, *parts):
    return terminal.wait(lambda: all(part in terminal.text() for part in parts))


def press(terminal, keys, *parts):
    terminal.send(keys)
    return check(f"{keys!r} shows {parts}", shows(terminal, *parts), terminal.text())


def left_screen(terminal):
    """vt100 has no second screen: there is nothing to leave."""
    return terminal.raw.rfind(b"\x1b[?1049l") >= terminal.raw.rfind(b"\x1b[?1049h")


def is_left(terminal, name):
    """The prompt is back, the terminal is as it was, and a line runs."""
    terminal.prompt()
    raw = terminal.raw
    check(f"{name}: the screen is given back", left_screen(terminal) and raw.rfind(b"\x1b[?25l") <= raw.rfind(b"\x1b[?25h"), raw[-300:])
    check(f"{name}: its mode too", termios.tcgetattr(terminal.child.child_fd) == terminal.before)
    check(f"{name}: the next line runs", "\n42\n" in "\n" + terminal.enter("6 * 7"), terminal.text())


def resize(terminal, columns, rows):
    terminal.screen.resize(rows, columns)
    terminal.child.setwinsize(rows, columns)


# ---- the keys, at three sizes, with and without colour ----
for columns, rows, changes in ((80, 24, {}), (40, 20, {}), (200, 50, {}), (80, 24, dict(NO_COLOR="1")), (80, 24, dict(LC_ALL="C")), (40, 20, dict(TERM="screen")), (80, 24, dict(TERM="vt100"))):
    where = f"{columns}x{rows} {changes}"
    utf8 = "LC_ALL" not in changes
    terminal = open_explore(columns=columns, rows=rows, **changes)
    check(f"{where}: title, labels, entropy, working", shows(terminal, "X 6", "temperature 1", "the", "mat", "entropy", 'query 0 "the", key 0 "the"', "weight   "), terminal.text())
    check(f"{where}: the bottom line is the last", len(terminal.lines()) == rows and terminal.lines()[-1].startswith(BRIEF), terminal.text())
    press(terminal, "\x1b[B\x1b[C", 'query 1 "cat", key 1 "cat"', ("▸" if utf8 else ">") + "cat")
    press(terminal, "t", "temperature 0.7", "entropy")
    press(terminal, "m", "mask causal" if columns > 40 else "causal")
    press(terminal, "H", "head 0 of 2")
    press(terminal, "]", "head 1 of 2", "head 1")
    press(terminal, "?", "any key leads back", "temperature down, up", "a page of queries")
    press(terminal, "x", BRIEF)
    colored = b"48;5;" in terminal.raw or b"\x1b[30;4" in terminal.raw or b"\x1b[37;4" in terminal.raw or b"\x1b[37m\x1b[4" in terminal.raw or b"\x1b[30m\x1b[4" in terminal.raw
    check(f"{where}: colour", colored == ("NO_COLOR" not in changes and changes.get("TERM") != "vt100"), terminal.raw[-500:])
    check(f"{where}: ASCII where nothing else is read", utf8 or max(terminal.raw) < 0x80)
    terminal.send("q")
    is_left(terminal, where)
    shown = terminal.enter("show")
    check(f"{where}: q keeps", "0.7" in shown and "causal" in shown and "heads       2" in shown, shown)
    terminal.enter("undo")
    shown = terminal.enter("show")
    check(f"{where}: one undo takes it back", "temperature 1\n" in shown and "mask        none" in shown and "heads       1" in shown, shown)
    terminal.close()

# ---- leaving without keeping ----
for name, keys in (("Esc", "\x1b"), ("Ctrl-C", "\x03")):
    terminal = open_explore("Q = [1, 0; 0, 1]; K = Q; V = Q", "attend;")
    press(terminal, "ttms", "scale none")
    terminal.send(keys)
    is_left(terminal, name)
    check(f"{name} is no error", "error" not in terminal.text() and "interrupted" not in terminal.text(), terminal.text())
    shown = terminal.enter("show")
    check(f"{name} leaves the settings as they were", "temperature 1\n" in shown and "scale       sqrt" in shown and "mask        none" in shown, shown)
    terminal.enter("undo")
    check(f"{name}: nothing to take back in it", "undone: attend" in terminal.text() or "undone: Q" in terminal.text(), terminal.text())
    terminal.close()

terminal = open_explore("X = randn(5, 4)", "attend X;")
press(terminal, "t", "temperature 0.7")
terminal.send("q")
terminal.prompt()
check("q says what it changed", shows(terminal, "temperature 1 → 0.7   mean entropy"), terminal.text())
terminal.send("explore;\r")
shows(terminal, BRIEF)
press(terminal, "T", "0.7 → 1")
terminal.send("q")
is_left(terminal, "a second time")
check("; keeps it quiet", "0.7 → 1" not in terminal.text().partition("explore;")[2], terminal.text())
terminal.send("explore\rtq2 + 3\r")
check("keys typed ahead", terminal.wait(lambda: "\n5\n" in terminal.text() + "\n"), terminal.text())
check("were heard", "temperature 0.7" in " ".join(terminal.enter("show temperature").split()), terminal.text())
terminal.close()

terminal = open_explore(SAT)
terminal.send("tmq")
terminal.prompt()
saved = path("explored.md")
terminal.enter(f'save session "{saved}"')
terminal.close()
again = run("-c", f'run "{saved}"; show')
check("a session that was saved runs again", again.status == 0 and "0.7" in again.out and "causal" in again.out, again)

# ---- what does not fit ----
terminal = open_explore("X = randn(4, 8)", "set position alibi 0.3", "attend X;")
press(terminal, "H", "slope", "heads 1")
press(terminal, "\x1b[C", "key 1")
check("what does not fit is said until the next key", terminal.wait(lambda: "slope" not in terminal.lines()[-2]), terminal.text())
press(terminal, "ppppppw", "m leads to a window")
terminal.send("q")
is_left(terminal, "after a misfit")
terminal.close()

terminal = Terminal(TERM=TERM)
terminal.prompt()
shown = terminal.enter("explore")
check("nothing to explore is an error", "there is nothing to attend to yet" in shown, shown)
check("no such word", "syntax error" in terminal.enter("explore 3"), terminal.text())
terminal.close()
for name, changes in (("dumb", dict(TERM="dumb")), ("none", dict(TERM=None)), ("unknown", dict(TERM="no-such-terminal"))):
    terminal = Terminal(**changes)
    terminal.prompt()
    terminal.enter("X = randn(3, 4)")
    shown = terminal.enter("explore").replace("\n", " ")
    check(f"a terminal that is {name} is refused, and what to use instead", "plot error" in shown and "set turns a setting" in shown, shown)
    check(f"a terminal that is {name}: nothing is left of it", "nothing to undo" in terminal.enter("undo; undo") or "last" not in terminal.enter("who"), terminal.text())
    terminal.close()
result = run("-c", "X = randn(3, 4)\nexplore")
check("without a terminal it is an error", result.status == 1 and "there is none here" in result.err, result)

# ---- Chinese ----
for columns, rows in ((80, 24), (40, 20), (200, 50)):
    terminal = open_explore('set tokens "我喜欢注意力"', columns=columns, rows=rows)
    check("Chinese labels", shows(terminal, 'query 0 "我", key 0 "我"'), terminal.text())
    names = next(line for line in terminal.screen.display if "entropy" in line)
    first = next(y for y, line in enumerate(terminal.screen.display) if line.startswith("▸"))
    number = terminal.screen.buffer[first]
    bracket = next(x for x in range(columns) if number[x].data == "[")
    label = next(x for x in range(columns) if terminal.screen.buffer[first - 1][x].data == "我")
    check(f"Chinese labels stand above their cells at {columns}", bracket <= label <= bracket + 5, terminal.text())
    entropy = [x for x in range(columns) if terminal.screen.buffer[first - 1][x].data == "y"]
    check("and beyond them all is in its column", terminal.screen.buffer[first][entropy[0]].data.isdigit(), terminal.text())
    press(terminal, "jl", 'query 1 "喜"')
    terminal.send("q")
    is_left(terminal, "Chinese")
    terminal.close()

# ---- the window changes ----
terminal = open_explore("X = randn(32, 16)", "attend X;")
press(terminal, "jjl", "query 2, key 1", "queries 0–9 of 32")
for columns, rows, part in ((40, 20, "of 32"), (200, 50, "over the 32 keys that it sees"), (20, 6, "▸"), (1, 1, ""), (120, 30, "query 2, key 1"), (80, 24, "queries 2–11 of 32")):
    resize(terminal, columns, rows)
    check(f"a window of {columns}x{rows}", terminal.wait(lambda: part in terminal.text() and (rows < 6 or terminal.screen.display[-1].startswith(BRIEF))), terminal.text())
press(terminal, "t", "temperature 0.7")
press(terminal, " ", "keys 0–")
press(terminal, "\x1b[6~\x1b[F", "key 31")
press(terminal, "\x1b[H\x1b[5~", "key 0")
terminal.send("q")
is_left(terminal, "after resizing")
terminal.close()

# ---- signals ----
terminal = open_explore()
os.kill(terminal.child.pid, signal.SIGTSTP)
# A terminal without a shell cannot stop a program: it goes on at once.
check("Ctrl-Z gives the screen back, and takes it again", terminal.wait(lambda: terminal.raw.count(b"\x1b[?1049l") == 1 and terminal.raw.count(b"\x1b[?1049h") == 2) and shows(terminal, BRIEF), terminal.text())
press(terminal, "t", "temperature 0.7")
terminal.send("q")
is_left(terminal, "after Ctrl-Z")
terminal.close()
for number in (signal.SIGTERM, signal.SIGHUP):
    terminal = open_explore()
    terminal.child.kill(number)
    terminal.wait(lambda: terminal.ended)
    terminal.child.wait()
    check(f"{number.name} ends it", terminal.child.signalstatus == number, terminal.child.signalstatus, terminal.child.exitstatus)
    check(f"{number.name}: the screen is given back", left_screen(terminal))

# Ctrl-C while an arrow key is being read: nothing of the key reaches the prompt.
terminal = open_explore("X = randn(4, 4)", "attend X;")
for i in range(40):
    if i > 0:
        start = len(terminal.raw)
        terminal.send("explore\r")
        terminal.wait(lambda: b"\x1b[?1049h" in terminal.raw[start:])
        while terminal.read(0.05):
            pass
    start = len(terminal.raw)
    terminal.send("\x1b[A")
    moment = time.perf_counter() + 0.001 * i / 40
    while time.perf_counter() < moment:
        pass
    terminal.send("\x03")
    terminal.wait(lambda: EDITING in terminal.raw[start:])
    if not check("Ctrl-C beside an arrow key", terminal.prompt(2), i, terminal.text()):
        break
terminal.close()

# Ctrl-C while it computes.
terminal = open_explore("X = randn(1500, 64)", "attend X;", "1;")
terminal.send("t")
time.sleep(0.02)
terminal.send("\x03")
check("Ctrl-C while it computes", terminal.prompt(), terminal.text())
is_left(terminal, "Ctrl-C while it computes")
terminal.close()

finish()
