"""Ctrl-C: what runs stops, at the prompt and in scripts, and what was done so far
stays. With --full each ten times, at full size and within 100 ms, which holds on a
machine that does nothing else; otherwise three times, and the clock says nothing."""
import random
import signal
import statistics
import subprocess
import sys
import time

from program import ATTN, EDITING, FULL, SANITIZED, Terminal, check, environment, finish, has_editing, path

import pexpect

TIMES, LIMIT = (10, 0.100) if FULL else (3, None)
n = (lambda full, light: full if FULL else light)

# Two values that share nothing, each with two parts that are the same value, which has two parts, and so on.
NESTED = " ".join(f"{name} = {'twice(' * 40}1{')' * 40};" for name in "xy")

# What is prepared, and what then runs until it is interrupted.
OPERATIONS = [
    ("a loop that does nothing", "", "while True: pass"),
    ("a loop that counts", "", "for i in range(10**15): n = i"),
    ("a large product", f"A = rand({n(4000, 3000)}, {n(4000, 3000)});", "B = A @ A"),
    ("a large sort", f"A = rand({n(50_000_000, 8_000_000)});", "B = sort(A)"),
    ("a comprehension", "", f"B = [i * 2 for i in range({n(10_000_000, 10_000_000)} * 100)]"),
    ("sums of a large array", f"A = rand({n(50_000_000, 10_000_000)});", "while True: sum(A)"),
    ("a wait", "", "sleep(1e9)"),
    ("recursion", "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)", "f(60)"),
    ("comparing what is shared", "def twice(x): return (x, x)\n" + NESTED, "x == y"),
    ("the order of what is shared", "def twice(x): return (x, x)\n" + NESTED, "sorted([x, y])"),
    ("rows of nothing as json", "", "json(zeros((1e12, 0)))"),
    ("a long string that is shown", 's = "a" * 1e9;', "s"),
    ("a large triangle", "", f"while True: tri({n(20000, 10000)})"),
    ("stripping a string", 's = "b" * 100000; t = "a" * 20000;', "while True: s.strip(t)"),
    ("a line of many points", f"A = rand({n(10_000_000, 4_000_000)});", "while True: plot A as text"),
    ("letters of a long string", 's = "ab" * 2e7;', "while True: s.isupper()"),
    ("a triangle", "", "while True: A = triu(ones(9000))"),
    ("different numbers", f"A = rand({n(10_000_000, 4_000_000)});", "while True: B = unique(A)"),
    ("numbers as a picture's data", f"A = rand({n(3000, 1500)}, {n(3000, 1500)});", 'while True: plot A to "big.gp" --force'),
    ("numbers as a picture's table", f"A = rand({n(3000, 1500)}, {n(3000, 1500)});", 'while True: plot A to "big.csv" --force'),
    ("a sweep of patches", f"m = transformer('decoder', vocab=1000, d_model={n(768, 128)}, heads=4, layers={n(12, 4)}, d_ff={n(3072, 512)}, max_len=32); inspect m range(20);", "while True: patch each resid_pre from range(1, 21);"),
]
if FULL:
    OPERATIONS += [
        ("an endless range", "", "B = [i for i in range(1e15) if i < 0]"),
        ("a generator", "", "sum(i for i in range(1e15))"),
        ("many random numbers", "", "while True: B = randn(2e7)"),
        ("a permutation", "", "while True: B = permutation(3e7)"),
        ("a stable argsort", "A = rand(2e7);", "B = argsort(A)"),
        ("elementwise", "A = rand(2e7);", "while True: B = exp(A)"),
        ("broadcasting", "A = rand(6000, 1);", "while True: B = A + A.T"),
        ("attention", "A = rand(6000, 64);", "while True: attention(A, A, A)"),
        ("attend", "X = rand(2500, 64);", "while True: attend;"),
        ("an inverse", "A = rand(2500, 2500);", "B = inv(A)"),
        ("a determinant", "A = rand(2500, 2500);", "while True: det(A)"),
        ("singular values", "A = rand(800, 800);", "B = svd(A)"),
        ("eigenvalues", "A = rand(800, 800); A = A + A.T;", "B = eigh(A)"),
        ("text", 's = "abc " * 300000;', "while True: tokens(s)"),
        ("a split", 's = "abc " * 300000;', "while True: s.split()"),
        ("printing", "A = rand(30, 30);", "while True: print(A)"),
        ("json", "A = rand(3e6);", "while True: json(A)"),
        ("saving", "A = rand(2e6);", 'while True: save("big.csv", A)'),
        ("a cumulative sum", "A = rand(5e7);", "while True: cumsum(A)"),
        ("a median", "A = rand(2e7);", "while True: median(A)"),
        ("a transpose", "A = rand(6000, 6000);", "while True: B = A.T + 0"),
        ("sorting a list", "A = [str(x) for x in rand(1000000)];", "while True: B = sorted(A)"),
        ("looking in a list", 'A = ["a"] * 5000000;', 'while True: "b" in A'),
        ("comparing lists", 'A = ["a"] * 3000000; B = A + [];', "while True: A == B"),
        ("a soft maximum", "A = rand(5000, 5000);", "while True: softmax(A)"),
        ("concatenating", "A = rand(3e7);", "while True: concatenate([A, A])"),
        ("a tile", "", "while True: B = tile(ones(1000), 1e5)"),
        ("large singular values", "A = rand(3000, 3000);", "B = svd(A)"),
        ("looking in a string", 's = "ab" * 5e8;', 'while True: s.find("c")'),
        ("rnn", "A = rand(100000, 64); W = rand(64, 64);", "while True: rnn(A, W, W)"),
    ]

# Words after --full choose: interrupt.py --full sort
chosen = [word for word in sys.argv[1:] if not word.startswith("-")]
OPERATIONS = [row for row in OPERATIONS if not chosen or any(word in row[0] for word in chosen)]


def report(name, seconds):
    """Says how long it took, and checks it, where that means something."""
    if FULL and not SANITIZED:
        print(f"    {name:40s} median {1000 * statistics.median(seconds):6.1f} ms   longest {1000 * max(seconds):6.1f} ms")
        check(f"{name}: within {1000 * LIMIT:.0f} ms", max(seconds) <= LIMIT, *seconds)


def at_prompt(name, prepare, operation):
    terminal = Terminal()
    terminal.prompt()
    terminal.enter("before = 123")
    if prepare:
        terminal.enter(prepare)
    seconds = []
    for i in range(TIMES):
        start = len(terminal.raw)
        terminal.send(operation + "\r")
        # Echo, and nothing more: it runs.
        until = time.monotonic() + 1
        while terminal.read(0.1 + 0.03 * (i % 5)) and time.monotonic() < until:
            pass
        if not check(f"{name}: still runs when it is interrupted", not terminal.at_prompt() or b"..." in terminal.raw[start:], terminal.text()):
            return terminal.close()
        if b"..." in terminal.raw[start:]:
            terminal.send("\r")
            while terminal.read(0.2):
                pass
        began = time.monotonic()
        terminal.child.kill(signal.SIGINT) if i % 2 else terminal.send("\x03")
        ended = terminal.wait(terminal.at_prompt)
        seconds.append(time.monotonic() - began)
        terminal.prompt()
        if not check(f"{name}: a prompt again", ended, terminal.text()):
            return terminal.close()
    report(name, seconds)
    check(f"{name}: what was done before stays", "124" in terminal.enter("before + 1"), terminal.text())
    if operation.startswith("for i"):
        check(f"{name}: the loop's variables stay", "\nTrue" in terminal.enter("n > 100"), terminal.text())
        check(f"{name}: undo takes the entry back", "undone: " in terminal.enter("undo"), terminal.text())
    terminal.send("\x04")
    check(f"{name}: and Ctrl-D leaves", terminal.wait(lambda: terminal.ended), terminal.text())
    return terminal.close()


def in_script(name, prepare, operation):
    script = path("interrupted.attn", f"{prepare}\nprint('go')\n{operation}\nprint('not reached')\n")
    seconds, statuses = [], []
    for i in range(TIMES):
        child = pexpect.spawn(ATTN, [script], env=environment(), timeout=60)
        child.expect("go")
        time.sleep(0.1 + 0.03 * i)
        began = time.monotonic()
        child.kill(signal.SIGINT)
        child.expect(pexpect.EOF)
        child.wait() if child.isalive() else None
        seconds.append(time.monotonic() - began)
        child.close()
        statuses.append((child.exitstatus, child.signalstatus))
        check(f"{name}: nothing is said in a script, nothing goes on", b"not reached" not in child.before and b"rror" not in child.before, child.before)
    check(f"{name}: exit status 130", set(statuses) == {(130, None)}, statuses)
    report(name + ", script", seconds)


for row in OPERATIONS:
    at_prompt(*row)
for row in OPERATIONS if FULL else OPERATIONS[:3]:
    in_script(*row)

# While it starts: the signal ends it, or what it says is that it was interrupted, by its status.
choose = random.Random(5)
for i in range(400 if FULL else 200):
    child = subprocess.Popen([ATTN, "--seed", "3", "-c", "1 + 1"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
    time.sleep(choose.uniform(0.001, 0.008))
    child.send_signal(signal.SIGINT)
    said = child.communicate()[1]
    if not check("interrupted at its start", child.returncode in (0, 130, -signal.SIGINT) and not said, child.returncode, said):
        break

# A cell of a lesson.
slow = path("slow.md", "# Slow\n\n```attn\nwhile True: pass\n```\n\nThe end.\n")
terminal = Terminal("lesson", slow)
terminal.wait(lambda: terminal.row().startswith("[Enter: run]"))
terminal.send("\r")
while terminal.read(0.2):
    pass
terminal.send("\x03")
check("a cell that is interrupted is no error", terminal.wait(lambda: "interrupted; what was done stays" in terminal.text() and terminal.row().startswith("[")) and "error" not in terminal.text(), terminal.text())
terminal.close()

# ---- the prompt itself ----
terminal = Terminal()
terminal.prompt()
terminal.send("x = 1 + 2")
terminal.read(0.2)
terminal.send("\x03")
check("a half-typed line is dropped", terminal.prompt(), terminal.text())
check("and does not run", "name error" in terminal.enter("x"), terminal.text())
terminal.more("for i in range(3):")
terminal.send("\x03")
check("a half-typed block is dropped", terminal.prompt(), terminal.text())
check("and does not run either", "name error" in terminal.enter("i"), terminal.text())
for _ in range(20):
    terminal.send("\x03")
check("Ctrl-C at an empty prompt is harmless", terminal.prompt() and "\n3" in terminal.enter("1 + 2"), terminal.text())

# Ctrl-C drops what was typed before it, and nothing else: not what comes in the same instant.
if has_editing():
    for i, (before, running) in enumerate((("", ""), ("junk", ""), ("", "half a li"), ("sum(", "("), ("\x03", "\x12"), ("dropped = 4\r", ""), ("", "while True: pass\r\r"), ("dropped = 4\r", "while True: pass\r\r"), ("", "pause\r"), ("", "pause 60\r"))):
        terminal.send(running)
        while terminal.read(0.3):
            pass
        terminal.send(f"{before}\x03{i} + 1000\r")
        kept = terminal.wait(lambda: f"\n{i + 1000}" in terminal.text() and terminal.at_prompt())
        check(f"{before!r}, Ctrl-C and a line at once, while {running!r}", kept, terminal.text())
        terminal.prompt()
    check("what came before Ctrl-C was dropped", "name error" in terminal.enter("dropped"), terminal.text())

# Ctrl-C less than a millisecond after another key: readline must not take it for the end of the
# input. After Ctrl-A the line is empty, and a thousand of them leave time to come in between.
if has_editing():
    keys = ("x", "é", "(", "\t", "\r", "\x7f", "\x1b", "\x1b[A", "\x12", "\x16", "\x18")
    choose = random.Random(4)
    for i in range(2000 if FULL else 400):
        start, key = len(terminal.raw), choose.choice(keys) if i % 2 else "\x01" * choose.choice([1, 200, 2000])
        terminal.send(key)
        moment = time.perf_counter() + choose.uniform(0, 0.001)
        while time.perf_counter() < moment:
            pass
        terminal.send("\x03") if i % 3 else terminal.child.kill(signal.SIGINT)
        back = lambda: any(sign in terminal.raw[start:] for sign in (b"^C", EDITING)) and terminal.at_prompt()
        # A signal may overtake the key before it, which then begins something new.
        if i % 3 == 0 and not terminal.wait(back, 5):
            terminal.send("\x03")
        back = terminal.wait(back)
        if not check("Ctrl-C beside another key leaves the prompt", back and not terminal.ended, i, key[:5], len(key), terminal.text()):
            break
    terminal.prompt()

# Signals cut off what the editor writes: that is no error of the entries that follow.
choose = random.Random(3)
for i in range(1000 if FULL else 200):
    terminal.send("1 + 1\r" * choose.choice([1, 2, 3]))
    moment = time.perf_counter() + choose.uniform(0, 0.004)
    while time.perf_counter() < moment:
        pass
    for _ in range(choose.choice([1, 3, 10])):
        terminal.child.kill(signal.SIGINT)
    terminal.wait(terminal.at_prompt, 1)
    terminal.send("\x03")
    terminal.prompt()
    if not check("entries after many signals", "4\nattn>" in terminal.enter("2 + 2"), i, terminal.text()):
        break

# What was shown before is kept whole, however much it was.
terminal.send("while True: print(12345678)\r\r")
while len(terminal.raw) < 10**6 and terminal.read(1):
    pass
terminal.send("\x03")
terminal.prompt()
check("save session after an interrupted entry with a long output", "saved: " in terminal.enter('save session "long.md"'), terminal.text())

terminal.enter("y = 1; a = rand(2500, 2500); y = 2")
terminal.send("y = 3; z = a @ a @ a @ a; y = 4\r")
while terminal.read(0.15):
    pass
terminal.send("\x03")
terminal.prompt()
check("an interrupt is no error", "interrupted" in terminal.text() and "error" not in terminal.text().split("y = 4")[-1], terminal.text())
check("what stood before it on the line stays", "\n3" in terminal.enter("y"), terminal.text())
terminal.enter("undo")
check("undo takes the whole entry back", "\n2" in terminal.enter("y"), terminal.text())
terminal.close()
finish()
