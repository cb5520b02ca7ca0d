"""How far a long sweep is, at a prompt only."""
import re

from program import Terminal, check, finish, run

LONG = "X = randn(1500, 64); attend X; sweep temperature 0.01 100;"

t = Terminal()
t.prompt()
lines = t.lines()
t.enter(LONG)
shown = re.findall(rb"\r\x1b\[Ksweep (\d+)%", t.raw)
check("a long sweep says how far it is", shown and shown == sorted(shown, key=int) and int(shown[-1]) < 100, shown)
check("which goes when it is done", not any("%" in line for line in t.lines()), t.text())
t.raw = b""
t.enter("X = [[1, 2]]; attend X; sweep temperature 0.1 1;")
check("a short one says nothing", b"%" not in t.raw, t.raw)
t.close()

result = run("-c", LONG)
check("nor does one that nobody watches", result.status == 0 and not result.err.strip(), result)
finish()
