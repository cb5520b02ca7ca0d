"""What was typed before: kept in a file, shared by prompts that run at once, lost by nothing."""
import os
import random
import signal
import stat
import time

from program import EDITING, FULL, RUNNING, SEED, Terminal, check, finish, needs_editing, path

needs_editing()

UP, DOWN, CTRL_R = "\x1b[A", "\x1b[B", "\x12"
BLOCK = ["for i in [1, 2]:", "print(i * 10)"]
BLOCK_TEXT = "for i in [1, 2]:\n    print(i * 10)"


def state(name):
    os.makedirs(path(name), exist_ok=True)
    return path(name)


def prompt(name, *arguments, **changes):
    """A prompt whose state is in the folder `name`."""
    terminal = Terminal(*arguments, **{"XDG_STATE_HOME": state(name), **changes})
    check(f"{name}: a prompt", terminal.prompt(), terminal.text())
    return terminal


def entries(name):
    """The entries of the file, None without one."""
    try:
        with open(os.path.join(path(name), "attn", "history"), encoding="utf-8") as file:
            lines = file.read().split("\n")
    except OSError:
        return None
    check(f"{name}: the file ends with a whole line", lines.pop() == "", lines[-1:])
    return [line.replace("\\\\", "\0").replace("\\n", "\n").replace("\0", "\\") for line in lines]


def leave(terminal):
    terminal.send("\x04")
    terminal.wait(lambda: terminal.ended)
    return terminal.close()


def drop(terminal):
    start = len(terminal.raw)
    terminal.send("\x03")
    terminal.wait(lambda: EDITING in terminal.raw[start:] and terminal.at_prompt())


def recalls(terminal, name, keys, *rows):
    """After the keys the screen ends with these rows."""
    terminal.send(keys)
    check(name, terminal.wait(lambda: terminal.lines()[-len(rows):] == list(rows)), terminal.text(), "wanted:", *rows)


# ---- one prompt, and the next ----
terminal = prompt("one")
terminal.enter("x = 1")
terminal.more(BLOCK[0])
terminal.more(BLOCK[1])
shown = terminal.enter("")
check("the block runs", "10\n20" in shown, shown)
check("an entry is in the file before the next one", entries("one") == ["x = 1", BLOCK_TEXT], entries("one"))
recalls(terminal, "Up brings back the block", UP, "attn> for i in [1, 2]:", "  ...     print(i * 10)")
terminal.send("\r")
check("Enter runs it as it stands", terminal.wait(lambda: terminal.text().count("\n20") == 2 and terminal.at_prompt()), terminal.text())
check("once more is no new entry", entries("one") == ["x = 1", BLOCK_TEXT], entries("one"))
terminal.enter('查询 = ["我", "喜欢", "猫"]')
terminal.enter('t = "a\\nb"')
terminal.enter("   ")
terminal.enter("nothing_of_this_name")
terminal.more("(1 + ")
drop(terminal)
leave(terminal)
kept = ["x = 1", BLOCK_TEXT, '查询 = ["我", "喜欢", "猫"]', 't = "a\\nb"', "nothing_of_this_name"]
check("all entries are kept, mistakes too, dropped lines not", entries("one") == kept, entries("one"))
mode = os.stat(os.path.join(path("one"), "attn", "history")).st_mode
check("only its owner may read it", stat.S_IMODE(mode) == 0o600, oct(mode))

terminal = prompt("one")
recalls(terminal, "after a restart Up brings the last", UP, "attn> nothing_of_this_name")
recalls(terminal, "then the one before", UP, 'attn> t = "a\\nb"')
recalls(terminal, "Chinese", UP, 'attn> 查询 = ["我", "喜欢", "猫"]')
recalls(terminal, "and the block whole", UP, "attn> for i in [1, 2]:", "  ...     print(i * 10)")
drop(terminal)
recalls(terminal, "a beginning and Up", "x" + UP, "attn> x = 1")
drop(terminal)
recalls(terminal, "a Chinese beginning and Up", "查" + UP, 'attn> 查询 = ["我", "喜欢", "猫"]')
recalls(terminal, "Down comes back to what was typed", DOWN, "attn> 查")
drop(terminal)
terminal.send(CTRL_R + "喜欢")
check("Ctrl-R finds Chinese", terminal.wait(lambda: '查询 = ["我", "喜欢", "猫"]' in terminal.text().split("^C")[-1]), terminal.text())
drop(terminal)
terminal.send(CTRL_R + "i * 10")
check("Ctrl-R finds in a second line", terminal.wait(lambda: "print(i * 10)" in terminal.text().split("^C")[-1]), terminal.text())
terminal.send("\x07")
terminal.prompt()
leave(terminal)

# ---- other windows ----
first, second = prompt("two"), prompt("two")
first.enter("mine = 1")
second.enter("yours = 2")
recalls(first, "Up passes what another window typed", UP, "attn> mine = 1")
drop(first)
recalls(first, "with a beginning too", "y" + UP, "attn> y")
drop(first)
first.send(CTRL_R + "yours")
check("Ctrl-R finds it", first.wait(lambda: "yours = 2" in first.text().split("^C")[-1]), first.text())
drop(first)
first.enter("last = 3")
recalls(first, "Up after both", UP + UP, "attn> mine = 1")
drop(first)
leave(first)
leave(second)
check("the file has both, in their order", entries("two") == ["mine = 1", "yours = 2", "last = 3"], entries("two"))

# ---- two prompts at once ----
both = [prompt("at once"), prompt("at once")]
for i in range(50):
    for name, terminal in zip("ab", both):
        terminal.send(f"{name} = {i}\r")
    for name, terminal in zip("ab", both):
        terminal.wait(lambda: terminal.raw.count(EDITING) >= i + 2)
for terminal in both:
    leave(terminal)
kept = entries("at once")
for name in "ab":
    mine = [line for line in kept if line.startswith(name)]
    check(f"nothing of prompt {name} is lost or out of order", mine == [f"{name} = {i}" for i in range(50)], mine)
check("and there is nothing else", len(kept) == 100, len(kept))

# ---- killed, by any signal ----
# Numbers over 999 are shown with their half, too.
os.makedirs(path("digits/attn"))
path("digits/attn/init.attn", "set digits 9;\n")
chance = random.Random(SEED)
answered, number = [], 990
for life in range(100 if FULL else 10):
    terminal = Terminal(XDG_STATE_HOME=state("killed"), XDG_CONFIG_HOME=path("digits"))
    terminal.wait(lambda: terminal.at_prompt())
    terminal.send(f"print({number} + 0.5)\r")
    terminal.wait(lambda: f"{number}.5\r\n".encode() in terminal.raw)
    number += 1
    end = time.monotonic() + chance.uniform(0, 0.15)
    while time.monotonic() < end:
        line = f"print({number} + 0.5)" if chance.random() < 0.8 else f"[{number} + 0.5,\r1]"
        number += 1
        terminal.send(line + "\r")
        terminal.read(chance.uniform(0, 0.01))
    terminal.child.kill(chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)))
    while terminal.read(1):
        pass
    terminal.close()
    # What was answered: the output of a line is there only after it ran.
    seen = terminal.raw.replace(RUNNING, b"").decode("utf-8", "replace")
    answered += [i for i in range(990, number) if f"\n{i}.5\r" in seen or f"\n[{i}.5, 1]\r" in seen]
kept = entries("killed")
wanted = {f"print({i} + 0.5)" for i in range(990, number)} | {f"[{i} + 0.5,\n1]" for i in range(990, number)} | {f"[{i} + 0.5,\n 1]" for i in range(990, number)}
lost = [i for i in answered if not any(f"{i} + 0.5" in line for line in kept)]
check(f"a kill loses nothing that was answered (seed {SEED})", answered and not lost, f"{len(answered)} answered, lost: {lost}")
check(f"and leaves nothing torn (seed {SEED})", all(line in wanted for line in kept), [line for line in kept if line not in wanted])

# ---- a place that cannot be written, and none ----
for name, changes in (("a home that is no folder", {"HOME": "/dev/null", "XDG_STATE_HOME": None}), ("no home", {"HOME": None, "XDG_STATE_HOME": None}),
                      ("a place that is no folder", {"XDG_STATE_HOME": "/dev/null"}), ("an empty home", {"HOME": "", "XDG_STATE_HOME": ""})):
    terminal = Terminal(**changes)
    check(f"{name}: a prompt, and nothing else", terminal.prompt() and terminal.lines() == ["attn>"], terminal.text())
    terminal.enter("x = 1")
    recalls(terminal, f"{name}: history lasts as long as the prompt", UP, "attn> x = 1")
    drop(terminal)
    check(f"{name}: it ends well", leave(terminal) == 0)
os.makedirs(path("home/.local"), exist_ok=True)
for name, given in (("unset", None), ("empty", ""), ("relative", "elsewhere")):
    terminal = Terminal(HOME=path("home"), XDG_STATE_HOME=given)
    terminal.prompt()
    terminal.enter(f'where = "{name}"')
    leave(terminal)
with open(path("home/.local/state/attn/history"), encoding="utf-8") as file:
    check("XDG_STATE_HOME unset, empty or relative: ~/.local/state", file.read().count("where") == 3)
check("a relative one is not made", not os.path.exists(path("elsewhere")))
os.makedirs(path("folder/attn/history"))
terminal = prompt("folder")
terminal.enter("x = 1")
recalls(terminal, "a folder in its place: history lasts as long as the prompt", UP, "attn> x = 1")
drop(terminal)
leave(terminal)

# ---- --safe ----
terminal = prompt("safe", "--safe")
terminal.enter("x = 1")
recalls(terminal, "--safe: Up works", UP, "attn> x = 1")
drop(terminal)
leave(terminal)
check("--safe writes nothing", os.listdir(path("safe")) == [], os.listdir(path("safe")))
terminal = prompt("one", "--safe")
terminal.send(UP)
check("--safe reads nothing", not terminal.wait(lambda: not terminal.at_prompt(), 0.3), terminal.text())
leave(terminal)

# ---- a file that is not as it was left ----
os.makedirs(path("junk/attn"))
path("junk/attn/history", b"good = 1\n\xff\xfe torn\nwith\0zero\ncut = [1,")
terminal = prompt("junk")
recalls(terminal, "a line that was cut is there", UP, "attn> cut = [1,")
recalls(terminal, "what is no text is passed over", UP, "attn> good = 1")
drop(terminal)
terminal.enter("new = 2")
leave(terminal)
with open(path("junk/attn/history"), "rb") as file:
    content = file.read()
check("a new entry begins on a line of its own", content.endswith(b"cut = [1,\nnew = 2\n"), content)
finish()
