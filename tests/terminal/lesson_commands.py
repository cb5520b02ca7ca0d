"""Each command and each key of the prompt, typed inside a lesson: who comes back finds the same step and the same variables, nothing is opened, and no file is written."""
import os
import re
import shutil
import signal

from program import EDITING, FOLDER, RUNNING, Terminal, check, finish, needs_editing, path, run

needs_editing()

LESSON = path("own.md", """# Own

Words.

```attn
X = randn(3, 4)
attend X
```

```attn predict
How many?

answer: n
```

```attn
n = 3
n
```

```attn exercise {#made}
Make `made` 5.
```

```attn check
assert made == 5, "not 5"
```

```attn solution
made = 5
```

## More

```attn
n + 1
```

The end.
""")
FULL_SCREEN = b"\x1b[?1049h"


def files():
    """What lies in the folder where attn runs, with the times of the last changes."""
    return {name: os.stat(path(name)).st_mtime_ns for name in os.listdir(FOLDER.name) if not name.startswith("state")}


def open_lesson(state, at="[made]"):
    t = Terminal("lesson", LESSON, XDG_STATE_HOME=path(state))
    t.wait(lambda: t.row() == at if at else t.row().startswith("["))
    return t


def enter(t, line=""):
    """Types a line, and leaves what stops to be looked at, or asks, as a person would. What came after it."""
    start = len(t.raw)

    def waits():
        since = t.raw[start:]
        return t.ended or t.row() == "  ..." or RUNNING in since and EDITING in since.rpartition(RUNNING)[2] and re.match(r"\[|attn>", t.row())

    def stops():
        return FULL_SCREEN in t.raw[start:] or b"[y/N]" in t.raw[start:]

    t.send(line + "\r")
    t.wait(lambda: waits() or stops(), 3 if line.startswith("pause") or line.endswith("pause") else 60)
    for key in ("q", "\r"):
        if not waits():
            t.send(key)
            t.wait(waits, 1)
    t.wait(waits)
    while t.read(0.02):
        pass
    return t.raw[start:].partition(RUNNING)[2].rpartition(b"\r\n")[0].decode("utf-8", "replace")


def leave(t):
    if not t.ended:
        t.send("quit\r")
        t.wait(lambda: t.ended)
    t.close()


def stands(t):
    """The variables, the settings, the step, and the next random number."""
    return enter(t, "who; show; where") + enter(t, "rand()")


def copy(state, to):
    shutil.rmtree(path(to), ignore_errors=True)
    shutil.copytree(path(state), path(to))


def compare(acts):
    """Acts in a lesson, one after the other, and compares what stands there with what the next visit finds. An act that leaves the lesson is the last in a visit: what stood before it is to be found."""
    copy("state", "state-typed")
    t = open_lesson("state-typed")
    done = 0
    while done < len(acts) and not t.ended and t.row().startswith("[made"):
        copy("state-typed", "state-before")
        acts[done][1](t)
        done += 1
    name = ", ".join(dict.fromkeys(name for name, _ in acts[:done]))
    left = t.ended or "Own" not in enter(t, "where")
    if left:
        leave(t)
        t = open_lesson("state-before", None)
    copy("state-typed", "state-next")
    wanted = stands(t)
    leave(t)
    written = files()
    t = open_lesson("state-next", None)
    check(f"{name}: nothing is opened", t.row().startswith("[") and FULL_SCREEN not in t.raw and "could not be done" not in t.text(), t.text())
    found = stands(t)
    if left:  # by a line that may have set a variable before
        found = re.sub(r"kept +number 7\r\n", "", found)
        wanted = re.sub(r"kept +number 7\r\n", "", wanted)
    check(f"{name}: the same step and variables", found == wanted, found, wanted)
    leave(t)
    check(f"{name}: no file is written", files() == written, written)
    if done < len(acts):
        compare(acts[done:])


t = open_lesson("state", "[Enter: run]")
enter(t)
enter(t, "3")
enter(t)
enter(t, "a = randn(2)")
enter(t, "made = 4")
leave(t)

reference = run("--reference").out.partition("## Commands")[2].partition("\n## ")[0]
commands = re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", reference, re.M | re.S)
check("the table of commands", len(commands) > 50, [name for name, _ in commands])
typed = []
for name, page in commands:
    example = re.search(r"```attn\n(.*?)```", page, re.S)[1].splitlines() + [""]
    for line in example + [name, f"kept = 7; {name}"]:
        typed.append((name, lambda t, line=line: enter(t, line)))
for i in range(0, len(typed), 100):
    compare(typed[i:i + 100])


def press(t, keys):
    t.send("made = 4" + keys)
    t.read(0.1)
    t.send("\x03")
    t.read(0.1)
    t.child.kill(signal.SIGCONT)  # Ctrl-Z has stopped it
    t.read(0.02)


keys = {f"Ctrl-{chr(code + 64)}": chr(code) for code in range(1, 32) if code not in (10, 13)}
keys.update({"Up": "\x1b[A", "Down": "\x1b[B", "Page Up": "\x1b[5~", "Home": "\x1b[H", "Delete": "\x1b[3~", "Esc Esc": "\x1b\x1b", "Tab Tab": "\t\t",
             "Ctrl-X Ctrl-E": "\x18\x05", "Alt-.": "\x1b.", "Backspace": "\x7f", "Up Enter": "\x1b[A\r"})
compare([(name, lambda t, sent=sent: press(t, sent)) for name, sent in keys.items()])
finish()
