"""What save session writes does what was seen: random sessions at a prompt, whose last weights the saved document prints again."""
import os
import random
import re

from program import FULL, SEED, Terminal, check, finish, has_editing, path, run

ENTRIES = ["attend", "attend;", "attend X", "attend Q K V;", "Q = Q * 2", "Q = Q * 2;", "X = X * 2", "K = K + 1;", "Q[0, 0] = 3", "X += 0.1", "V = V * 2; K = K * 2", "X = Q", "Q = zeros((3, 5))", "del X",
           "Q = randn(2, 2)", "seed(3); Q = randn(2, 2)", "set temperature 2", "set temperature 0.5;", "set mask causal", "unset mask", "set heads 2", "unset heads", "set position alibi",
           "unset position", "undo", "undo", "redo", "snapshot a", "restore a", "reset", "sweep temperature 0.1 10;", "compare temperature 1 against 2;", "y = last"]
LAST = "print(json(last.weights))"

chance = random.Random(SEED)
compared = number = 0
for number in range(200 if FULL else 12) if has_editing() else ():
    entries = ["seed(1); Q = [1, 0; 0, 1]; K = Q; V = Q; X = [1, 2; 3, 4]", "attend;"] + chance.choices(ENTRIES, k=chance.randint(3, 12)) + ["Q = Q * 2", LAST]
    saved = path(f"saved{number}.md")
    terminal = Terminal(columns=200, ATTN_PAGER="")
    terminal.prompt()
    for entry in entries:
        out = terminal.enter(entry)
    terminal.enter(f'save session "{os.path.basename(saved)}"')
    terminal.close()
    seen = re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()[1]
    again = run(saved)
    compared += " error: " not in out
    check(f"session {number} does it again (seed {SEED})", " error: " in out or (again.status == 0 and again.out.splitlines()[-1:] == [seen]), entries, seen, again)

check("most sessions have weights in the end", not has_editing() or compared > number / 2, compared, number)
finish()
