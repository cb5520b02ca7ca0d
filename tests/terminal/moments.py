"""Ctrl-C at random moments: while a line is edited, a search goes on, a loop or a product
runs, a page is read, a picture is drawn. Then a prompt is there again, what was defined is
kept, and the terminal is as it was. With --full 200 times, each within 100 ms, which holds
on a machine that does nothing else."""
import random
import statistics
import termios
import time

from program import FULL, SANITIZED, Terminal, check, finish

TIMES, LIMIT = (200, 0.100) if FULL else (14 if SANITIZED else 21, None)

# What is typed, and what must then be seen before the time counts.
MOMENTS = {
    "editing": ["x = softmax([1, 2", "def f(a):\r    return a", "查询 = [1, 2,\r 3", "set mask cau\t", "1 + " * 60, "\x1b[A\x1b[A\x1b[B", "soft\t\t", '"""text\rover lines'],
    "searching": ["\x12kee", "\x12nothing like it", "\x12A\x12", "\x12查"],
    "computing": ["while True: pass\r\r", "for i in range(10**12): n = i\r\r", "while True: B = A @ A\r\r", "while True: softmax(A)\r\r", "[i for i in range(10**12)]\r", "sweep length 4096 4096\r"],
    "paging": ["help language\r", "help language\r ", "help language\r/the\r", "apropos a\r"],
    "plotting": ["plot A\r", "while True: plot weights\r\r", "while True: plot A as text\r\r", "sweep temperature 0.01 100\r", "plot A[0]\r"],
    "looking": ["trace 1\r", "explore\r", "explore\r\x1b[B\x1b[Bt", "compare temperature 1 2\r", "pause\r", "pause 60\r"],
}


def interrupt(terminal, typed, delay):
    """Seconds from Ctrl-C to a prompt; None when none came."""
    terminal.send(typed)
    end = time.monotonic() + delay
    while time.monotonic() < end:
        terminal.read(0.005)
    start, began = len(terminal.raw), time.monotonic()
    terminal.send("\x03")
    if not terminal.wait(lambda: len(terminal.raw) > start and terminal.row().startswith("attn>")):
        return None
    took = time.monotonic() - began
    terminal.prompt(0.2)
    if not terminal.at_prompt(): # a key that was typed ahead of the prompt
        terminal.send("\x03")
    return took


choose = random.Random(20)
terminal = Terminal()
terminal.prompt()
editing = termios.tcgetattr(terminal.child.child_fd)
terminal.enter("kept = 41; A = randn(600, 600); X = randn(12, 8)")
terminal.enter("attend X;")
seconds = {kind: [] for kind in MOMENTS}
for i in range(TIMES):
    kind = list(MOMENTS)[i % len(MOMENTS)]
    typed = choose.choice(MOMENTS[kind])
    took = interrupt(terminal, typed, choose.choice([0, 0.003, 0.02, 0.1, 0.3]))
    if not check(f"{kind}: a prompt again after {typed!r}", took is not None, terminal.text()):
        break
    seconds[kind].append(took)
    terminal.prompt()
    if i % 10 == 9:
        check(f"{kind}: the variables are kept", "\n42" in terminal.enter("kept + 1"), terminal.text())
        check(f"{kind}: the terminal is as at any prompt", termios.tcgetattr(terminal.child.child_fd) == editing, typed)
# While explore opens its screen: the signal may come before explore listens.
terminal.enter("X = randn(1500, 64)")
terminal.enter("attend X;")
for i in range(200 if FULL else 20):
    took = interrupt(terminal, "explore\r", choose.uniform(0, 0.12))
    if not check("explore: a prompt again after Ctrl-C while it opens", took is not None, terminal.text()):
        break
    terminal.prompt()
for kind, times in seconds.items():
    if FULL and times:
        print(f"    {kind:12s} {len(times):4d} times   median {1000 * statistics.median(times):6.1f} ms   longest {1000 * max(times):6.1f} ms")
        check(f"{kind}: within {1000 * LIMIT:.0f} ms", SANITIZED or max(times) <= LIMIT, times)
terminal.send("\x04")
check("Ctrl-D leaves", terminal.wait(lambda: terminal.ended), terminal.text())
left = termios.tcgetattr(terminal.child.child_fd)
usual = termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN
check("the terminal is left as terminals are", left[3] & usual == usual and left[0] & termios.ICRNL, left)
check("with status 0", terminal.close() == 0)
finish()
