"""What does not fit the screen: help goes to a pager, which one, and how one comes back; what commands and values show is cut, and `more` shows the rest."""
import os
import pathlib
import re
import shutil
import signal
import stat
import termios

from program import ATTN, Terminal, check, finish, path

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
    for line in ("help softmax", "apropos distance", "who", "show", "1 + 1", "print(eye(40))", "plot eye(30)", '"注意力" * 2000', '["a"] * 900', "X = randn(12, 32); set heads 16; attend", "trace 1", "plot heads"):
        terminal.enter(line)
        check(f"not paged: {line}", terminal.at_prompt(), terminal.text())
    for line in ("help functions", "apropos a", "help attend softmax mask", "help first plot"):
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

    # less would take for its own commands what is typed for the prompt.
    terminal = open_terminal()
    terminal.send(LONG + "\rset digits 6\r")
    check("a line that waits: all is written", terminal.wait(lambda: "set digits 6" in terminal.text() and terminal.at_prompt()) and "6" in terminal.enter("show digits").split(), terminal.text())
    terminal.enter("n = 0")
    terminal.send(f"while n < 300000: n += 1\r\r{LONG}\r1 + 1")
    check("half a line that waits: all is written, and it stands at the prompt", terminal.wait(lambda: terminal.row() == "attn> 1 + 1"), terminal.text())
    check("and its entry goes on", "\n3\n" in terminal.enter(" + 1"), terminal.text())
    terminal.send(LONG + "\r")
    check("paged when nothing waits", waits_in_less(terminal), terminal.text())
    terminal.send("s" + path("stolen") + "\r!touch " + path("touched") + "\r")
    terminal.read(0.2)
    terminal.send("qqq\x15\r")
    check("less writes no file and starts no program", terminal.prompt() and not os.path.exists(path("stolen")) and not os.path.exists(path("touched")), terminal.text())
    terminal.close()

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
                                 ("options", dict(PAGER="cat -u"), []), ("a pipe", dict(PAGER="cat | cat"), []), ("a variable", dict(PAGER="X=1 cat"), []),
                                 ("a line of a shell", dict(PAGER=f"cat; touch {mark}"), []), ("a backquote", dict(PAGER=f"cat `touch {mark}`"), []), ("a dollar", dict(PAGER=f"cat $(touch {mark})"), []),
                                 ("quotes", dict(PAGER="cat '-u'"), []), ("only blanks", dict(PAGER="  "), []), ("very many words", dict(PAGER="cat" + " -u" * 100), [])):
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
check("less gets its options", all(f"{part}\n" in shown for part in ("LESS=FRX", "LESSSECURE=1", "LESSCHARSET=utf-8")), shown)
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

# Ctrl-Z, which needs a shell that can say fg: less, which ignores it, takes no key meanwhile.
if shutil.which("less"):
    shell = program("shell", """os.environ["PS1"] = "$ "\nos.execvp("sh", ["sh", "-i"])""")
    terminal = Terminal(program=shell, PAGER="less", ATTN_PAGER=None, LESS=None, ENV=None)
    terminal.wait(lambda: terminal.at_prompt("$"))
    terminal.send(ATTN + " --quiet\r")
    terminal.prompt()
    for _ in range(2):
        terminal.send(LONG + "\r")
        terminal.wait(lambda: terminal.row() == ":")
        terminal.send("\x1a")
        check("Ctrl-Z leads from a page to the shell", terminal.wait(lambda: terminal.at_prompt("$")), terminal.text())
        terminal.send("fg\r")
        check("and fg back to it", terminal.wait(lambda: terminal.row(1).endswith("fg") or "attn" in terminal.row(1)) and terminal.show("q", terminal.at_prompt, timeout=10), terminal.text())
    leave(terminal, "after Ctrl-Z in less")

# ---- cut to the screen ----
BENCH = "Q = [1, 0; 0, 1; 1, 1]; K = Q; V = [10, 0; 0, 10; 5, 5]; L = ['a'] * 900; D = {f'k{i}': [i, 'x'] for i in range(60)}; A = eye(30); attend;"
REST = re.compile(r"\((\d+) lines? left out: more shows them\)\n")


def shown_by(terminal, line):
    """What the line shows, without the prompt behind it."""
    return terminal.enter(line).partition("\n")[2].removesuffix("attn> ")


for columns, rows in ((80, 24), (40, 20), (120, 12)):
    terminal = open_terminal(columns=columns, rows=rows, NO_COLOR="1")
    terminal.enter(BENCH)
    check(f"{columns}x{rows}: nothing was left out", "nothing was left out" in terminal.enter("more"), terminal.text())
    tall = open_terminal(columns=columns, rows=400, NO_COLOR="1")
    tall.enter(BENCH)
    for line in ("trace 1", "trace 0; trace 1", "L", "D", "A", "'注' * 2000", "sweep temperature 0.1 10", "compare position none relative alibi rope", "for i in range(2): trace i", "who"):
        whole, parts, left = shown_by(tall, line), [shown_by(terminal, line)], []
        while REST.search(parts[-1]) and len(parts) < 40:
            check(f"{columns}x{rows}: {line}: a screen", line.count("trace") > 1 or "for" in line or len(line) + 6 >= columns or "sweep" in line or terminal.lines()[0].startswith("attn> ") and terminal.at_prompt(), terminal.text())
            left.append([int(count) for count in REST.findall(parts[-1])])
            parts.append(shown_by(terminal, "more"))
        found = "".join(REST.sub("", part) for part in parts)
        if line not in ("sweep temperature 0.1 10", "'注' * 2000"): # the picture is as high as the screen; a line that wraps is ended where it is cut
            check(f"{columns}x{rows}: {line}: nothing is lost", sorted(found.splitlines()) == sorted(whole.splitlines()) if len(left) and len(left[0]) > 1 else found == whole, found, whole)
        check(f"{columns}x{rows}: {line}: counted", whole.count("\n") < rows or left or line in ("sweep temperature 0.1 10", "A"), left)
        for above, below in zip(left, left[1:]):
            check(f"{columns}x{rows}: {line}: what is left becomes less", sum(above) > sum(below), left)
    check(f"{columns}x{rows}: print is the person's own", shown_by(terminal, "for i in range(100): print(i)").splitlines()[-1] == "99")
    terminal.enter("trace 1; more = 3")
    check(f"{columns}x{rows}: a variable of that name", "\n3\n" in terminal.enter("more"), terminal.text())
    terminal.enter("del more; X = randn(40, 4); attend X")
    terminal.enter("x = 1")
    check(f"{columns}x{rows}: more, some entries later", "attn> more" in terminal.text() or len(shown_by(terminal, "more")) > 100, terminal.text())
    nested = path("nested.attn", "trace 1\n")
    check(f"{columns}x{rows}: a script is not cut", "5. The output" in terminal.enter(f'run "{nested}"'), terminal.text())
    terminal.close()
    tall.close()
terminal = open_terminal()
terminal.enter(BENCH + " trace 1")
terminal.enter("more")
terminal.enter('save session "cut.md"')
saved = pathlib.Path(path("cut.md")).read_text()
check("a session that was saved has all of it, once", saved.count("5. The output") == 1 and "left out" not in saved and "\nmore\n" not in saved, saved)
terminal.close()

# README's own lines, and what is typed next.
terminal = open_terminal()
for line in ("Q = [1, 0; 0, 1; 1, 1]", "K = Q", "V = [10, 0; 0, 10; 5, 5]", "attend", "trace 1", "set mask causal"):
    terminal.enter(line)
check("what is typed behind trace goes to the prompt", "causal" in terminal.enter("show mask").split() and not os.path.exists(path("et mask causal")), terminal.text())
terminal.close()

# ---- what may go wrong ----
for name, text, ends in (("reads nothing", "print('waits', flush=True); time.sleep(600)", False), ("is deaf", "signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN); print('waits', flush=True); time.sleep(600)", False),
                         ("leaves early", "sys.stdin.readline(); print('left')", True), ("fails", "print('failed'); sys.exit(3)", True), ("dies", "os.kill(os.getpid(), 9)", True),
                         ("closes its input", "os.close(0); print('waits', flush=True); time.sleep(600)", False)):
    terminal = open_terminal(PAGER=program("pager", text))
    before = termios.tcgetattr(terminal.child.child_fd)
    if ends:
        terminal.enter(LONG)
    else:
        terminal.send(LONG + "\r")
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
