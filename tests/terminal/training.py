"""A training at the prompt: its line of progress, Ctrl-C, undo, what scripts show of it."""
import re

from program import Terminal, check, finish, needs_editing, run

needs_editing()
PREPARE = 't = task("reverse", length=4, vocab=6); m = transformer(vocab=t.vocab, d_model=16, heads=2, layers=1, d_ff=16, max_len=8);'
LONG = "train m on t for 1000000 steps batch 8"


def watch(terminal, what, times=6000):
    """Reads until the screen has the pattern; the line that has it."""
    for _ in range(times):
        terminal.read()
        for line in terminal.lines():
            if re.search(what, line):
                return line
    return ""


for columns in (80, 40):
    t = Terminal(columns=columns)
    t.prompt()
    t.enter(PREPARE)
    t.child.send(LONG + "\r")
    line = watch(t, r"loss .*held.* \d+%" if columns == 40 else r"loss .*held-out \d+\.\d%")
    check(f"{columns} columns: loss, held-out accuracy, speed and time left are shown", re.search(r"loss \d.*held.*%.*/s.*\d:\d\d", line), t.text())
    check(f"{columns} columns: in one line", len(line) < columns, line)
    t.child.sendintr()
    t.prompt()
    said = " ".join(t.text().split()).replace(LONG, "")
    check(f"{columns} columns: Ctrl-C says what was learned", re.search(r"stopped after \d+ steps.*what was +learned stays", said), t.text())
    check(f"{columns} columns: it is no error, and the progress goes", "error" not in said and "left" not in said and "█" not in said, t.text())
    t.enter("print(m.steps > 0)")
    check(f"{columns} columns: the steps stay", "True" in t.text(), t.text())
    t.enter("undo")
    t.enter("undo")
    t.enter("print(f'{m.steps} steps')")
    check(f"{columns} columns: undo takes them back", "0 steps" in t.text(), t.text())
    t.close()

t = Terminal()
t.prompt()
t.enter(PREPARE)
t.enter("train m on t for 3 steps batch 4")
check("at its end one line says what was reached", re.search(r"3 steps in \d+\.\d s: loss \d.* → \d.*, held-out accuracy \d+\.\d%", t.text()), t.text())
t.enter("train m on t for 3 steps batch 4 rate 1e9 clip 0 warmup 0")
check("a loss that is no number ends it", "value error: step " in t.text() and "clip=1" in " ".join(t.text().split()), t.text())
t.enter("print(m.steps)")
check("which leaves the model as it was", any(line == "3" for line in t.lines()), t.text())
t.close()

# The map of a head is drawn again in its place, and stands there once at the end, also after Ctrl-C.
for columns in (80, 40):
    t = Terminal(columns=columns)
    t.prompt()
    t.enter(PREPARE)
    t.child.send(LONG + " watching head encoder 0 1 every 5\r")
    watch(t, r"head encoder 0 1 after [1-9]\d* steps")
    watch(t, r"loss \d")
    check(f"{columns} columns: one map is there", sum("head encoder 0 1 after" in line for line in t.lines()) == 1, t.text())
    t.child.sendintr()
    t.prompt()
    check(f"{columns} columns: one map stays", sum("head encoder 0 1 after" in line for line in t.lines()) == 1, t.text())
    check(f"{columns} columns: the progress goes", "stopped after" in t.text() and " left" not in t.text(), t.text())
    t.enter("print(len(m.history.watched.step) - m.steps // 5 in [0, 1])")  # the last look may be cut off
    check(f"{columns} columns: the measures stay", any(line == "True" for line in t.lines()), t.text())
    t.close()

result = run("-c", PREPARE + "train m on t for 30 steps batch 4")
check("a script shows the last line alone", re.fullmatch(r"30 steps in .*%\n", result.out) and not result.err, result)
result = run("-c", PREPARE + "train m on t for 3 steps batch 4 watching head encoder 0 1")
check("and of what it watches the last map", result.out.count("head encoder 0 1 after") == 1 and "after 3 steps" in result.out and "\x1b" not in result.out, result)
finish()
