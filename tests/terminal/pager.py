"""Texts that do not fit the screen: when a pager shows them, which, and how one comes back."""
import os
import pathlib
import shutil
import signal
import stat
import termios

from program import Terminal, check, finish, path

LONG = "help functions"  # more than 24 rows at 80 columns
FIRST, LAST = "All functions", "see also: language commands"


def program(name, text):
    """A pager of our own: `text` is Python."""
    full = path(name, f"#!/usr/bin/env python3\nimport os, signal, sys, time\n{text}\n")
    os.chmod(full, os.stat(full).st_mode | stat.S_IXUSR)
    return full


def open_terminal(*arguments, **changes):
    settings = dict(PAGER=None, ATTN_PAGER=None, LESS=None, LESSCHARSET=None)
    settings.update(changes)
    terminal = Terminal(*arguments, **settings)
    check("a prompt", terminal.prompt(), terminal.text())
    return terminal


def shows(terminal, part):
    return terminal.wait(lambda: part in terminal.text())


def leave(terminal, name):
    """The prompt takes a line as if nothing had been."""
    terminal.prompt()
    check(f"{name}: the next line runs", "\n42\n" in "\n" + terminal.enter("6 * 7"), terminal.text())
    terminal.close()


def waits_in_less(terminal):
    return terminal.wait(lambda: terminal.lines() and terminal.lines()[-1] == ":")


# ---- less ----
if shutil.which("less"):
    for columns, rows, changes in ((80, 24, {}), (40, 20, {}), (200, 15, {}), (80, 24, dict(LC_ALL="C", NO_COLOR="1"))):
        where = f"less at {columns}x{rows} {changes}"
        terminal = open_terminal(columns=columns, rows=rows, **changes)
        before = termios.tcgetattr(terminal.child.child_fd)
        terminal.send(LONG + "\r")
        check(f"{where}: it waits", waits_in_less(terminal), terminal.text())
        check(f"{where}: from the top", terminal.lines()[0].startswith(FIRST), terminal.text())
        check(f"{where}: colours survive", (b"\033[1m" in terminal.raw) == ("NO_COLOR" not in changes) and "ESC" not in terminal.text(), terminal.text())
        terminal.send("G")
        check(f"{where}: to its end", shows(terminal, "language commands"), terminal.text())
        terminal.send("q")
        check(f"{where}: q leads back", terminal.prompt(), terminal.text())
        check(f"{where}: the terminal is as it was", termios.tcgetattr(terminal.child.child_fd) == before)
        leave(terminal, where)

    terminal = open_terminal()
    before = termios.tcgetattr(terminal.child.child_fd)
    for _ in range(3):
        terminal.send(LONG + "\r")
        waits_in_less(terminal)
        terminal.send("\x03")
        check("Ctrl-C in less: a prompt", terminal.wait(terminal.at_prompt), terminal.text())
        check("Ctrl-C in less: the terminal is as it was", terminal.prompt() and termios.tcgetattr(terminal.child.child_fd) == before)
    check("Ctrl-C in less is no error", "interrupt" not in terminal.text(), terminal.text())
    leave(terminal, "Ctrl-C in less")

    terminal = open_terminal()
    terminal.send('"注意力" * 2000\r')
    check("a line that wraps is paged", waits_in_less(terminal) and terminal.text().count("注") > 100, terminal.text())
    terminal.send("q")
    terminal.prompt()
    for line in ("help softmax", "apropos distance", "who", "show", "1 + 1", "print(eye(40))", "plot eye(30)"):
        terminal.enter(line)
        check(f"not paged: {line}", terminal.at_prompt(), terminal.text())
    terminal.enter("; ".join(f"v{i} = {i}" for i in range(30)))
    terminal.enter("X = randn(12, 32); set heads 16; attend;")
    for line in ("who", "apropos a", "help attend softmax mask", '"ab " * 1000', "help first plot", "plot heads"):
        terminal.send(line + "\r")
        check(f"paged: {line}", waits_in_less(terminal), terminal.text())
        terminal.send("q")
        terminal.prompt()
    long_script = path("long.attn", "help functions\nwho\n")
    shown = terminal.enter(f'run "{long_script}"')
    check("a script is not paged", terminal.at_prompt() and FIRST in shown and LAST in shown, terminal.text())
    terminal.send(LONG + "\r")
    check("paged after a script", waits_in_less(terminal), terminal.text())
    terminal.send("q")
    leave(terminal, "much")

    terminal = open_terminal("-i", path("begin.attn", "help functions\n"))
    check("-i: the script is not paged, what follows is", "language commands" in terminal.raw.decode())
    terminal.send(LONG + "\r")
    check("-i: paged at the prompt", waits_in_less(terminal), terminal.text())
    terminal.send("q")
    leave(terminal, "-i")

# ---- other programs ----
mark = path("mark")
touch = program("touch-mark", f"open({mark!r}, 'a').write(sys.stdin.read())")
for name, changes, arguments in (("cat", dict(PAGER="cat"), []), ("an empty name", dict(PAGER=""), []), ("an empty name of our own", dict(PAGER=touch, ATTN_PAGER=""), []),
                                 ("no such program", dict(PAGER=path("none")), []), ("no program", dict(PAGER=path("")), []), ("TERM=dumb", dict(TERM="dumb", PAGER=touch), []),
                                 ("no TERM", dict(TERM=None, PAGER=touch), []), ("--safe", dict(PAGER=touch), ["--safe"]), ("no less", dict(PATH="/nonexistent"), []),
                                 ("options", dict(PAGER="cat -u"), []), ("a pipe", dict(PAGER="cat | cat"), []), ("a variable", dict(PAGER="X=1 cat"), [])):
    terminal = open_terminal(*arguments, **changes)
    terminal.send(LONG + "\r")
    written = shows(terminal, LAST) and terminal.prompt()
    check(f"{name}: all is written, once", written and terminal.raw.decode().count(FIRST) == 1, terminal.text())
    check(f"{name}: no other program ran", not os.path.exists(mark))
    terminal.close()

terminal = open_terminal(PAGER="cat", ATTN_PAGER=touch)
terminal.enter(LONG)
check("ATTN_PAGER before PAGER", os.path.exists(mark) and LAST in pathlib.Path(mark).read_text() and FIRST not in terminal.text(), terminal.text())
terminal.close()
terminal = open_terminal(PAGER="env")
shown = terminal.enter(LONG)
check("less gets its options", "LESS=FRX\n" in shown and "LESSCHARSET=utf-8\n" in shown, shown)
terminal.close()
terminal = open_terminal(PAGER="env", LESS="S", LC_ALL="C")
shown = terminal.enter(LONG)
check("less keeps the user's options", "LESS=S\n" in shown and "LESS=FRX" not in shown and "LESSCHARSET" not in shown, shown)
terminal.close()
if os.path.exists("/proc/self/status"):
    terminal = open_terminal(PAGER="grep Sig /proc/self/status")
    shown = terminal.enter(LONG)
    masks = [int(line.split()[1], 16) for line in shown.splitlines() if line.startswith(("SigIgn", "SigBlk"))]
    ours = sum(1 << (number - 1) for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGTERM, signal.SIGQUIT, signal.SIGTSTP))
    check("a pager begins with its own signals", len(masks) == 2 and not any(mask & ours for mask in masks), shown)
    terminal.close()

# ---- what may go wrong ----
for name, text, ends in (("reads nothing", "print('waits', flush=True); time.sleep(600)", False), ("is deaf", "signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN); print('waits', flush=True); time.sleep(600)", False),
                         ("leaves early", "sys.stdin.readline(); print('left')", True), ("fails", "print('failed'); sys.exit(3)", True), ("dies", "os.kill(os.getpid(), 9)", True),
                         ("closes its input", "os.close(0); print('waits', flush=True); time.sleep(600)", False)):
    terminal = open_terminal(PAGER=program("pager", text))
    before = termios.tcgetattr(terminal.child.child_fd)
    if ends:
        terminal.enter('"ab " * 100000')
    else:
        terminal.send('"ab " * 100000\r')
        check(f"a pager that {name}: it runs", shows(terminal, "waits"), terminal.text())
        terminal.send("\x03")
    check(f"a pager that {name}: a prompt", terminal.prompt(), terminal.text())
    check(f"a pager that {name}: the terminal is as it was", termios.tcgetattr(terminal.child.child_fd) == before, termios.tcgetattr(terminal.child.child_fd), before)
    leave(terminal, f"a pager that {name}")

terminal = open_terminal(PAGER=program("raw", "import tty; tty.setraw(1); print('raw', end='\\r\\n', flush=True)"))
before = termios.tcgetattr(terminal.child.child_fd)
terminal.enter(LONG)
check("a pager that leaves the terminal raw", termios.tcgetattr(terminal.child.child_fd) == before)
leave(terminal, "raw")
finish()
