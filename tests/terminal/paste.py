"""What is pasted is one entry, cleaned of prompts, and waits for Enter."""
import os
import threading

from program import FULL, Terminal, check, finish, needs_editing, path

needs_editing()

SIZES = (100_000, 1_000_000, 8_000_000) if FULL else (1_000_000,)


def marked(text):
    """As a terminal sends it that marks what is pasted: its lines end in CR."""
    return "\x1b[200~" + text.replace("\n", "\r") + "\x1b[201~"


def fresh(columns=80, rows=24, **changes):
    os.makedirs(path(f"state-{columns}-{len(changes)}"), exist_ok=True)
    terminal = Terminal(columns=columns, rows=rows, XDG_STATE_HOME=path(f"state-{columns}-{len(changes)}"), **changes)
    check("a prompt", terminal.prompt(), terminal.text())
    return terminal


def ends(terminal, name, keys, *rows):
    """After these keys the screen ends with the rows."""
    terminal.send(keys)
    return check(name, terminal.wait(lambda: terminal.lines()[-len(rows):] == list(rows)), terminal.text(), "wanted:", "\n".join(rows))


def drop(terminal):
    terminal.send("\x03")
    check("dropped", terminal.wait(terminal.at_prompt), terminal.text())


for columns, rows, changes in ((80, 24, {}), (40, 20, {"NO_COLOR": "1"}), (200, 50, {}), (80, 24, {"LC_ALL": "C", "LANG": "C", "LC_CTYPE": "C"})):
    where = f"{columns}×{rows}{' ASCII' if 'LC_ALL' in changes else ''}"
    terminal = fresh(columns, rows, **changes)
    ends(terminal, f"{where}: a block with empty lines", marked("n = 0\nfor i in [1, 2]:\n\n    n += i\n\n    n += 10\nn\n"),
         "attn> n = 0", "  ... for i in [1, 2]:", "  ...", "  ...     n += i", "  ...", "  ...     n += 10", "  ... n")
    check(f"{where}: runs at Enter, as one entry", "\n23\n" in terminal.enter(""), terminal.text())
    terminal.send("\x1b[A")
    check(f"{where}: from history too", terminal.wait(lambda: terminal.row() == "  ... n") and "\n23\n" in terminal.enter(""), terminal.text())

    ends(terminal, f"{where}: prompts are taken off, results left out", marked(">>> x = [1,\n...      2]\n>>> x\n[1, 2]\n>>> sum(x)\n3\n"),
         "attn> x = [1,", "  ...      2]", "  ... x", "  ... sum(x)")
    check(f"{where}: and it runs", "[1, 2]\n3\n" in terminal.enter(""), terminal.text())
    ends(terminal, f"{where}: our own prompts", marked("attn> if 1:\n  ...     y = 5\n  ...\nattn> y * 2\n10\n"), "attn> if 1:", "  ...     y = 5", "  ...", "  ... y * 2")
    check(f"{where}: run", "\n10\n" in terminal.enter(""), terminal.text())

    ends(terminal, f"{where}: a line with its end waits for Enter", marked("z = 7\n"), "attn> z = 7")
    terminal.enter("")
    hint = 'print(*values, sep=" ", end=None, file=None, flush=False)'
    ends(terminal, f"{where}: in the middle of a line", "print()\x1b[D" + marked("z"), "attn> print(z)", hint if len(hint) < columns else hint[:columns - 2] + "…")
    check(f"{where}: and runs there", "\n7\n" in terminal.enter(""), terminal.text())
    ends(terminal, f"{where}: two pastes", marked("a = 1\n") + "\x1b\r" + marked("b = a + 1"), "attn> a = 1", "  ... b = a + 1")
    check(f"{where}: are one entry", "\n2\n" in terminal.enter("\x1b\rb"), terminal.text())
    ends(terminal, f"{where}: a block that is not whole", marked("def f(x):"), "attn> def f(x):")
    check(f"{where}: goes on at Enter", terminal.show("\r", lambda: terminal.row() == "  ..."), terminal.text())
    ends(terminal, f"{where}: indented", "return x", "attn> def f(x):", "  ...     return x")
    drop(terminal)
    ends(terminal, f"{where}: an edited one is a block like others", marked("for i in [1]:\n    i") + "\x7fprint(i)", "attn> for i in [1]:", "  ...     print(i)")
    check(f"{where}: that goes on", terminal.show("\r", lambda: terminal.row() == "  ..."), terminal.text())
    drop(terminal)
    ends(terminal, f"{where}: undone in one step", "k = 1" + marked("2\n3") + "\x1f", "attn> k = 1")
    drop(terminal)
    ends(terminal, f"{where}: control characters stay out", marked("'\x01\x1b[31mred\x07'"), "attn> '[31mred'")
    drop(terminal)
    ends(terminal, f"{where}: Ctrl-C ends a paste whose end is lost", "\x1b[200~lost\x03", "attn> ^C", "attn>")
    check(f"{where}: and all is well", "\n3" in terminal.enter("1 + 2"), terminal.text())
    if "LC_ALL" not in changes:
        ends(terminal, f"{where}: Chinese", marked('s = "查询\n注意力"').replace('"', '"""', 1).replace('"\x1b', '"""\x1b'), 'attn> s = """查询', '  ... 注意力"""')
        check(f"{where}: runs", "'查询\\n注意力'" in terminal.enter("\x1b\rs"), terminal.text())
    terminal.send("\x04")
    check(f"{where}: Ctrl-D leaves", terminal.wait(lambda: terminal.ended), terminal.text())
    terminal.close()

for size in SIZES:
    terminal = fresh()
    line = "x = 1 # " + "查" * 20 + "\n"
    text = line * (size // len(line.encode())) + "end = 42"
    sender = threading.Thread(target=terminal.send, args=(marked(text),))
    sender.start()
    arrived = terminal.wait(lambda: terminal.row() == "  ... end = 42")
    sender.join()
    check(f"{size} bytes are in the line", arrived, terminal.text()[-300:])
    check(f"a key behind {size} bytes", terminal.show("1", "  ... end = 421"), terminal.text()[-300:])
    terminal.send("\x7f")
    shown = terminal.enter("")
    check(f"{size} bytes run at Enter", "error" not in shown and "\n42" in terminal.enter("end"), shown)
    terminal.close()
# ---- lines that end as on Windows, from a terminal that does not mark what is pasted ----
terminal = fresh()
out = terminal.enter("n = 0\r\nfor i in range(2):\r\n    n += 1\r\n    n += 10\r\n\r\n")
check("CRLF is one end of a line", "\n22\n" in terminal.enter("n"), out, terminal.text())
terminal.close()
finish()
