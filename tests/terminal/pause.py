"""pause at a terminal: in a script and at the prompt."""
import random
import signal
import time

from program import Terminal, check, finish, has_editing, path, run

SIGN = "[Enter]"


def script(text, columns=80, **changes):
    return Terminal(path("pause.attn", text), columns=columns, rows=12, **changes)


def waits(terminal):
    return terminal.wait(lambda: terminal.row().endswith(SIGN))


def ends(terminal):
    terminal.wait(lambda: terminal.ended)
    return terminal.close()


t = script('print("one")\npause\nprint("two")\npause "and now"\nprint("three")\n')
check("the first sign stands alone", waits(t) and t.lines() == ["one", SIGN], t.text())
t.send("\r")
check("Enter goes on and the sign is gone", t.wait(lambda: "now" in t.text()) and waits(t) and t.lines() == ["one", "two", "and now  " + SIGN], t.text())
t.send("some words\r")
check("so do words with Enter; the text stays", ends(t) == 0 and t.lines()[:3] == ["one", "two", "and now"] and t.lines()[-1] == "three", t.text())

t = script('pause "a text that is too long for the sign beside it"\nprint("end")\n', columns=30)
check("a long text is wrapped", waits(t) and t.lines() == ["a text that is too long for", "the sign beside it", SIGN], t.text())
t.send("\r")
check("and stays", ends(t) == 0 and t.lines() == ["a text that is too long for", "the sign beside it", "end"], t.text())

# ---- keys that turn a page, and q ----
FORWARD = {"Space": " ", "Right": "\x1b[C", "Right of the keypad": "\x1bOC", "Page Down": "\x1b[6~", "Enter": "\r", "Ctrl-D": "\x04"}
PAGES = 'print("one")\npause\nprint("two")\npause "and now"\nprint("three")\n'
for columns in (80, 40):
    for name, key in FORWARD.items():
        t = script(PAGES, columns)
        waits(t)
        t.send(key)
        turned = t.wait(lambda: "now" in t.text()) and waits(t)
        check(f"{name} turns the page", turned and t.lines() == ["one", "two", "and now  " + SIGN], t.text())
        t.send(key)
        check(f"{name} turns the last one", ends(t) == 0 and t.lines()[-1] == "three", t.text())
    for name, key in {"b": "b", "Left": "\x1b[D", "Page Up": "\x1b[5~", "Up": "\x1b[A", "F5": "\x1b[15~"}.items():
        t = script(PAGES, columns)
        waits(t)
        t.send(key)
        t.read(0.2)
        check(f"{name} turns none: a script has no way back", t.lines() == ["one", SIGN], t.text())
        t.send(" ")
        check(f"{name}: and the next key does", t.wait(lambda: "now" in t.text()), t.text())
        t.close()
    t = script(PAGES, columns)
    waits(t)
    t.send("q")
    check("q alone leaves", ends(t) == 0 and "two" not in t.text(), t.text())
    t = script(PAGES, columns)
    waits(t)
    t.send("question 2\r")
    check("words that begin with q turn it with their Enter", t.wait(lambda: "now" in t.text()), t.text())
    t.close()
t = Terminal()
t.prompt()
t.send(f'run "{path("pages.attn", PAGES)}"\r')
waits(t)
t.send("q")
check("at a prompt q ends the show and comes back", t.prompt() and "two" not in t.text(), t.text())
t.enter("q = 20")
check("where q is a name like any other", "21" in t.enter("q + 1") and "20" in t.enter("q"), t.text())
t.close()

# ---- the same keys where a document is presented ----
path("talk.md", "# One\n\nFirst words.\n\n# Two\n\nSecond words.\n\n```attn\nz = 6 * 7\nprint(z)\n```\n\n# Three\n\nThird words.\n")
if has_editing():
    for columns, rows in ((80, 24), (40, 20)):
        for name, forward, back in (("Space and Left", " ", "\x1b[D"), ("Right and Page Up", "\x1b[C", "\x1b[5~"), ("Page Down and b", "\x1b[6~", "b\r"), ("Enter and Left", "\r", "\x1bOD")):
            where = f"present at {columns}x{rows}, {name}"
            t = Terminal("present", path("talk.md"), columns=columns, rows=rows)
            asks = lambda: t.row().startswith("[") and t.row().endswith("]")
            check(f"{where}: begins", t.wait(lambda: "First" in t.text() and asks()), t.text())
            t.send(forward)
            check(f"{where}: on", t.wait(lambda: "Second" in t.text() and "First" not in t.text() and asks()), t.text())
            t.send(forward)
            check(f"{where}: runs what is shown", t.wait(lambda: "\n42" in t.text() and asks()), t.text())
            t.send("z + 1\r")
            check(f"{where}: a space within what is typed is a space", t.wait(lambda: "\n43" in t.text() and asks()), t.text())
            t.send(back)
            check(f"{where}: back", t.wait(lambda: "First" in t.text() or "Second" in t.text() and "43" not in t.text()) and t.wait(asks), t.text())
            t.send("q = 5\r")
            t.wait(lambda: "q = 5" in t.text() and asks())
            t.send("q\r")
            check(f"{where}: q is a variable where there is one", t.wait(lambda: "\n5" in t.text() and asks()), t.text())
            t.send("del q\r")
            t.wait(lambda: "del q" in t.text() and asks())
            t.send("q\r")
            check(f"{where}: and leaves where there is none", ends(t) == 0, t.text())

t = script('pause "dumb"\nprint("end")\n', TERM="dumb")
waits(t)
t.send("\r")
check("no sequence for a terminal that knows none", ends(t) == 0 and b"\x1b" not in t.raw, t.raw)

t = script('pause 60 "a minute"\nprint("over")\n')
check("seconds need no sign", t.wait(lambda: "a minute" in t.text()) and SIGN not in t.text(), t.text())
t.send("\r")
check("Enter ends them", ends(t) == 0 and "over" in t.text(), t.text())

t = script('pause 0.01\nprint("over")\n')
check("seconds end by themselves", ends(t) == 0 and "over" in t.text(), t.text())

for line in ("pause", 'pause "x"', "pause 60"):
    t = script(f'print("begun")\n{line}\nprint("not said")\n')
    t.wait(lambda: "begun" in t.text())
    t.read(0.05)
    t.send("\x03")
    check(f"Ctrl-C ends {line}", ends(t) == 130 and "not said" not in t.text(), t.child.exitstatus, t.text())

# The loop is long enough to be stopped in; it goes on when the Enter is there.
t = script('print("begun")\nn = 0\nwhile n < 3000000: n += 1\npause\nprint("end")\n')
t.wait(lambda: "begun" in t.text())
t.child.kill(signal.SIGSTOP)
t.send("\r")
t.child.kill(signal.SIGCONT)
check("an Enter pressed too early turns no page", waits(t) and "end" not in t.text(), t.text())
t.send("\r")
check("the next one does", ends(t) == 0, t.text())

t = script("X = eye(5)\npause\nattend X\n", NO_COLOR="1")
waits(t)
t.child.setwinsize(12, 40)
start = len(t.raw)
t.send("\r")
lines = t.raw[start:].decode().replace("\x1b[A\r\x1b[K", "").replace("\r", "").split("\n") if ends(t) == 0 else []
check("a window made narrower is measured", len(lines) > 10 and all(len(line) <= 40 for line in lines), t.raw)

t = Terminal()
t.prompt()
t.send('pause "here"; kept = 41\r')
check("it waits at the prompt too", waits(t), t.text())
t.send("\r")
check("and comes back to it", t.prompt() and "42" in t.enter("kept + 1"), t.text())
t.send("pause\r")
waits(t)
t.send("\x03")
check("as Ctrl-C does", t.prompt() and "42" in t.enter("kept + 1"), t.text())
if has_editing():
    t.send("pause 0.5\r1 + 1")
    check("half a line typed meanwhile is kept", t.wait(lambda: t.row() == "attn> 1 + 1"), t.text())
t.close()

# Ctrl-C that comes while what was typed is being read: it must not leave a read waiting for more.
# Each byte is another chance, so there are many.
choose = random.Random(7)
for name, wanted, changes in (("pause", SIGN, {}), ("a prompt without editing", "attn>", {"TERM": "dumb"})):
    t = Terminal(**changes)
    t.prompt()
    for i in range(60):
        if name == "pause":
            t.send("pause\r")
            t.wait(lambda: t.row().endswith(SIGN))
        start = len(t.raw)
        t.send("#" * 300 + "\r")
        time.sleep(choose.uniform(0, 0.001))
        t.send("\x03")
        if name != "pause":
            t.send("\r") # a Ctrl-C between two entries is for nothing, and may take the prompt from sight
        ended = t.wait(lambda: t.raw[start:].rstrip().endswith(b"attn>"))
        if not check(f"Ctrl-C beside other keys ends {name}", ended and not t.ended, i, t.text()):
            break
        t.prompt()
    t.close()

# input asks in the same way, and reads what is typed behind its prompt.
t = Terminal()
t.prompt()
t.send('name = input("name? ")\r')
check("input asks", t.wait(lambda: t.row().endswith("name?")), t.text())
t.send("Bo 雪\r")
check("input gives the line", t.prompt() and "'Bo 雪!'" in t.enter("name + '!'"), t.text())
for key, word in ("\x03", "41"), ("\x04", "EOFError"):
    t.send('try: name = input("name? ")\rexcept EOFError: print("EOF" + "Error")\r\r')
    t.wait(lambda: t.row().endswith("name?"))
    t.send(key)
    check("Ctrl-C and Ctrl-D end input", t.prompt() and word in t.enter("40 + 1") + t.text(), t.text())
t.close()
ask = path("ask.attn", 'a = input("? ")\nprint(a, input())\ninput()\n')
result = run(ask, stdin="one\r\ntwo")
check("input reads lines without a terminal", result.out == "? one two\n" and "nothing more to read" in result.err and result.status == 1, result)
result = run("-", stdin="print(1)\ninput()\n2\n")
check("a program on standard input has no other input", "nothing more to read" in result.err, result)
result = run(ask, stdin=b"\xff\n")
check("bytes that are no text are refused", "not UTF-8" in result.err, result)

result = run(path("show.attn", 'pause\npause 600\npause "words"\nprint("end")\n'), stdin="\n")
check("without a terminal nothing waits", result.out == "words\nend\n", result)
finish()
