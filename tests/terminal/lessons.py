"""Lessons in a terminal: screens, exercises, kill -9 in the middle, the way back to the prompt."""
import os
import pathlib
import random
import re
import shutil
import signal
import sys
import tempfile
import unicodedata

from program import EDITING, RUNNING, Terminal, check, finish, needs_editing, run

state = tempfile.mkdtemp(prefix="attn-lessons-")
FULL = "--full" in sys.argv
needs_editing()


def lesson(*words, **changes):
    return Terminal(*words, XDG_STATE_HOME=state, **changes)


def prompt(terminal):
    return terminal.wait(lambda: terminal.row().startswith("["))


def enter(terminal, line=""):
    """Types a line and waits for the lesson's next prompt; what stands on the screen then."""
    start = len(terminal.raw)
    terminal.send(line + "\r")
    terminal.wait(lambda: RUNNING in terminal.raw[start:])
    terminal.wait(lambda: EDITING in terminal.raw[start:].rpartition(RUNNING)[2])
    prompt(terminal)
    while terminal.read(0.03):
        pass
    return terminal.text()


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def interrupt(terminal, lines):
    """Types lines, and Ctrl-C when all of them have been read and what they started runs."""
    start = len(terminal.raw)
    terminal.send(lines)
    terminal.wait(lambda: terminal.raw[start:].count(RUNNING) == lines.count("\r"))
    terminal.read(0.2)
    terminal.send("\x03")


listed = run("lessons", XDG_STATE_HOME=state)
check("attn lessons lists them", re.search(r"^→ 1  soft-lookup +A soft lookup +25$", listed.out, re.M) and listed.status == 0, listed)
check("with what each needs", re.search(r"^ +5  scaling +Why the root\? +25 +1, 2$", listed.out, re.M), listed)
check("in two lines where the screen is narrow", "\n  5  Why the root?\n     25 min  needs 1, 2\n" in run("lessons", XDG_STATE_HOME=state, COLUMNS="40").out)
for columns in 40, 66, 80, 100:
    for language in "en", "zh":
        out = run("lessons", "--language", language, XDG_STATE_HOME=state, COLUMNS=str(columns)).out
        check(f"{language}: the list fits {columns} columns", max(map(width, out.split("\n"))) <= columns, out)
check("in less than 30 ms, or a busy machine's", listed.seconds < 1, listed.seconds)
check("in Chinese", "分钟" in run("lessons", "--language", "zh", XDG_STATE_HOME=state).out)
check("no such lesson", run("lesson", "scalling").err.startswith("name error: there is no lesson scalling"))

for columns, rows in ((80, 24), (40, 20), (100, 40)):
    for language, words in (("en", ("Enter: run", "Solved: scores", "it → animal")), ("zh", ("回车：运行", "做对了：scores", "它 → 猫"))):
        shutil.rmtree(state, ignore_errors=True)
        t = lesson("--language", language, "lesson", "1", columns=columns, rows=rows)
        check(f"{language} {columns}x{rows}: the lesson begins", prompt(t), t.text())
        screens = [t.text()]
        while f"[{words[0]}]" not in t.row() and len(screens) < 5:
            screens.append(enter(t))
        check(f"{language} {columns}x{rows}: it stops at a cell", f"[{words[0]}]" in t.row(), t.text())
        screens.append(enter(t))
        check(f"{language} {columns}x{rows}: the cell ran", words[2] in screens[-1], screens[-1])
        screens.append(enter(t, "goto scores"))
        check(f"{language} {columns}x{rows}: goto", t.row().startswith("[scores]"), t.text())
        screens.append(enter(t, "s = K @ q / sqrt(2); off = 0.943 - s[1]"))
        check(f"{language} {columns}x{rows}: a right answer is noticed", words[1] in screens[-1].replace("\n", ""), screens[-1])
        t.send("quit\r")
        t.wait(lambda: t.ended)
        check(f"{language} {columns}x{rows}: quit leaves", t.close() == 0)
        listed = run("lessons", "--language", language, XDG_STATE_HOME=state).out
        check(f"{language}: the list says what was solved", re.search(r"^→ 1 .* 1/4$", listed, re.M), listed)

# The lesson is killed at random moments; each time it goes on, and what was solved stays solved.
random.seed(5)
for attempt in range(100 if FULL else 6):
    t = lesson("lesson", "1")
    check("it goes on after kill -9", prompt(t) and "not kept" not in t.text(), t.text())
    for line in random.sample(["", "", "x = 1", "where", "goto third", "back", "hint", "0.5"], random.randrange(3)):
        enter(t, line)
    t.send(random.choice(["", "goto pear", "y = 2"]) + "\r")
    t.read(random.random() * 0.05)
    os.kill(t.child.pid, signal.SIGKILL)
    t.wait(lambda: t.ended)
    t.close()
    listed = run("lessons", XDG_STATE_HOME=state).out
    check("what was solved stays solved", " 1/4" in listed, listed)

# From the prompt: the variables of before come back.
t = lesson(rows=24)
t.prompt()
t.enter("mine = 5")
t.send("lesson 2\r")
check("lesson opens at the prompt", prompt(t), t.text())
enter(t, "mine = 6")
t.send("quit\r")
check("quit goes back to the prompt", t.wait(lambda: t.row().startswith("attn>")), t.text())
check("with its variables", "5" in t.enter("mine"), t.text())
check("words of lessons are none without one", "none is open" in t.enter("hint"), t.text())
t.close()

# What the person has made may never end, and the check runs it.
t = lesson("lesson", "2")
prompt(t)
enter(t, "goto doubling")
interrupt(t, "def doubling(s):\r    while True: pass\r\r")
check("Ctrl-C stops a check, and says so", prompt(t) and "The check was stopped." in t.text(), t.text())
check("it is not checked again before something changes", enter(t, "17").endswith("17\n[doubling]"), t.text())
enter(t, "def doubling(s): return 2 ** (s - max(s)) / sum(2 ** (s - max(s)))")
check("what comes then is checked", "Solved: doubling" in t.text(), t.text())
t.close()

with open(os.path.join(state, "own.md"), "w", encoding="utf-8") as file:
    file.write("# Mine\n\nText.\n\n```attn\nwhile True: pass\n```\n\nThe end.\n")
t = lesson("lesson", os.path.join(state, "own.md"))
check("a document of one's own", prompt(t) and "Mine" in t.text(), t.text())
interrupt(t, "\r")
check("Ctrl-C stops a cell, and the lesson stands where it stood", prompt(t) and "Enter: run" in t.row(), t.text())
t.send("\x04")
t.wait(lambda: t.ended)
check("Ctrl-D leaves", t.close() == 0)

# What took seconds is done again at the next visit: that is said, and Ctrl-C leaves.
with open(os.path.join(state, "slow.md"), "w", encoding="utf-8") as file:
    file.write("# Slow\n\n```attn\nx = 0\nfor i in range(70000000): x += 1\nx\n```\n\nThe end.\n")
t = lesson("lesson", os.path.join(state, "slow.md"))
prompt(t)
t.send("\r")
check("a slow cell", t.wait(lambda: "The end" in t.text()), t.text())
t.send("quit\r")
t.wait(lambda: t.ended)
t.close()
# How long it took depends on the machine: here it shall have been a minute.
kept = [path for path in pathlib.Path(state, "attn", "lessons").glob("*.json") if "null, " in path.read_text()]
check("the time of a slow cell is kept", len(kept) == 1, kept)
for path in kept:
    path.write_text(re.sub(r'(\["cell", \d+, null), [\d.]+\]', r"\1, 60.00]", path.read_text()))
t = lesson("lesson", os.path.join(state, "slow.md"))
check("it is said that it will take long", t.wait(lambda: "Ctrl-C leaves" in t.text()), t.text())
t.send("\x03")
check("Ctrl-C leaves it", t.wait(lambda: t.row().startswith("attn>")), t.text())
t.close()
t = lesson("lesson", os.path.join(state, "slow.md"))
check("and the progress is as it was", t.wait(lambda: "here you left" in t.text()), t.text())
t.close()
before = sorted(os.listdir(os.path.join(state, "attn", "lessons")))
t = lesson("--safe", "lesson", "3")
check("--safe", prompt(t), t.text())
enter(t)
t.close()
check("--safe writes nothing", sorted(os.listdir(os.path.join(state, "attn", "lessons"))) == before, before)
shutil.rmtree(state, ignore_errors=True)
finish()
