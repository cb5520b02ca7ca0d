"""The README, typed at the prompt from top to bottom; and the session that it shows at its head."""
import pathlib
import re

from wcwidth import wcswidth

from program import Terminal, check, finish, needs_editing

README = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text()
ERRORS = re.compile(r"^(syntax|name|type|value|shape|file|limit|plot|check) error:", re.M)


def blocks(mark):
    return re.findall(rf"^```{mark}\n(.*?)^```", README, re.M | re.S)


def session(block):
    """Each line behind `attn> ` is typed; the screen must then be the block."""
    terminal = Terminal(columns=80, rows=60, NO_COLOR="1")
    terminal.prompt()
    for line in re.findall(r"^attn> (.*)$", block, re.M):
        terminal.enter(line)
    wanted = block.rstrip("\n").split("\n")
    check("the session at the head of the README is what the prompt shows", terminal.lines()[:len(wanted)] == wanted, terminal.text())
    terminal.send("exit\r")
    terminal.wait(lambda: terminal.ended)


def typed(columns, rows):
    """Every line of every block, as somebody would type it who reads from the top."""
    terminal = Terminal(columns=columns, rows=rows, ATTN_PAGER="cat", NO_COLOR="1")
    terminal.prompt()
    for block in blocks("attn"):
        for line in block.rstrip("\n").split("\n"):
            out = terminal.enter(line.split("  # ")[0])
            check(f"README: {line}", not ERRORS.search(out), out)
            if block.startswith("Q = ") and line == "attend":
                check("README: the second block attends to its own Q, K and V", "Q 3×2 K 3×2 V 3×2" in out, out)
            # What was typed may be longer than the screen is wide: only what the program wrote is measured.
            # A bar that shows how far a training is gets wiped, and written over.
            shown = re.split("\r(?:\x1b\\[K)?|\n", out.partition("\n")[2].removesuffix("attn> "))
            check(f"README: fits into {columns} columns: {line}", all(0 <= wcswidth(row) <= columns for row in shown), out)
    terminal.send("exit\r")
    terminal.wait(lambda: terminal.ended)
    check("README: typed to its end", terminal.close() == 0, terminal.text())


needs_editing()
check("the README begins with a session", len(blocks("console")) == 1 and README.index("```console") < 900, README[:900])
session(blocks("console")[0])
typed(80, 24)
typed(40, 20)
finish()
