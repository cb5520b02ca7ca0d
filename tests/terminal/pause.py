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

result = run(path("show.attn", 'pause\npause 600\npause "words"\nprint("end")\n'), stdin="\n")
check("without a terminal nothing waits", result.out == "words\nend\n", result)
finish()
