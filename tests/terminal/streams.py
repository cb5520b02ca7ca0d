"""Output that is closed or full, input that is not what it should be."""
import os
import subprocess
import threading

from program import ATTN, FULL, PATIENCE, SANITIZED, check, environment, finish, path, run

# ---- a reader that goes away ----


def closed_pipe(code, lines=1):
    child = subprocess.Popen([ATTN, "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    for _ in range(lines):
        child.stdout.readline()
    child.stdout.close()
    errors = []
    reader = threading.Thread(target=lambda: errors.append(child.stderr.read().decode()))
    reader.start()
    try:
        status = child.wait(20)
    except subprocess.TimeoutExpired:
        child.kill()
        status = "no end"
    reader.join()
    return status, errors[0]


for code in ("for i in range(1000000): print(i)", "while True: print(1)", "x = 1\nx\nfor i in range(100000): print([i, i])",
             "Q = randn(300, 300); K = Q; V = Q\nfor i in range(100): attend"):
    status, errors = closed_pipe(code)
    check(f"a closed pipe: {code}", status == 1 and errors.count("file error") == 1 and "closed" in errors, status, errors)
status, errors = closed_pipe("print(1)", 0)
check("a pipe closed before the first line", status in (0, 1) and errors.count("error") <= 1, status, errors)

# ---- a reader that waits ----
for code in ("print(1, flush=True)\nwhile True: pass", "for i in range(2):\n    print(1, flush=True)\n    while True: pass",
             "import sys\ndef f():\n    print(1)\n    sys.stdout.flush()\n    while True: pass\nf()"):
    child = subprocess.Popen([ATTN, "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment())
    check(f"what is flushed comes at once: {code}", child.stdout.readline() == b"1\n")
    child.kill()
    child.communicate()

# ---- a full disk ----
if os.path.exists("/dev/full"):
    for code in ("print(1)", "for i in range(100000): print(i)", "1 + 1", 'print("x" * 1000000)', "show", "help",
                 'set tokens "a b"; attend', "while True: print(1)"):
        with open("/dev/full", "w") as full:
            result = run("-c", code, stdout=full)
        check(f"a full disk: {code}", result.status == 1 and result.err.count("file error") == 1 and "No space left" in result.err, result)
    for flag in ("--help", "--version"):
        with open("/dev/full", "w") as full:
            result = run(flag, stdout=full)
        check(f"a full disk: {flag}", result.status == 1, result)
    for code in ('save("/dev/full", [1])', 'save("/dev/full.csv", [1])', 'plot [1, 2] to "/dev/full/a.txt"', 'save("/proc/a.npy", [1])',
                 'plot [1, 2] to "/proc/a.txt"', 'plot [1, 2] to "/proc/a.csv"', 'plot [1, 2] to "/proc/a.svg"'):
        result = run("-c", code)
        # root may make files in /dev
        if os.path.exists("/dev/full.csv"):
            os.unlink("/dev/full.csv")
            continue
        check(f"no room: {code}", result.status == 1 and " error: " in result.err and result.out == "", result)

# A file that grew too large for the user's limit: the old one stays, nothing is left beside it.
old = path("kept.csv", "1\n")
limited = subprocess.run(["/bin/sh", "-c", f"ulimit -f 1; exec {ATTN} -c 'save(\"kept.csv\", rand(100000))'"], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, env=environment(), cwd=os.path.dirname(old))
check("a file that cannot be written whole", limited.returncode == 1 and "file error" in limited.stderr and open(old).read() == "1\n", limited)
check("nothing is left beside it", [name for name in os.listdir(os.path.dirname(old)) if name != "kept.csv"] == [], os.listdir(os.path.dirname(old)))

# ---- input ----
for name, content in (("a byte", b"print(1)\nx = '\xff'\n"), ("half a character", b"x = '\xe4\xb8"), ("overlong", b"\xc0\x80 = 1\n"), ("surrogate", b"x = '\xed\xa0\x80'\n"),
                      ("a zero byte", b"x = 1\x00\n"), ("UTF-16", "print(1)\n".encode("utf-16")), ("a program", b"\x7fELF\x02\x01\x01\x00\x00\xfe\xff")):
    result = run(path("bytes.attn", content))
    check(f"not UTF-8: {name}", result.status == 1 and "syntax error" in result.err, result)
    result = run("-", stdin=content)
    check(f"not UTF-8 in standard input: {name}", result.status == 1 and "syntax error" in result.err, result)
folder = subprocess.run([ATTN, "-"], stdin=os.open(os.path.dirname(old), os.O_RDONLY), capture_output=True, text=True, env=environment())
check("a folder as standard input", folder.returncode == 1 and "input" in folder.stderr, folder)
closed = subprocess.run(["/bin/sh", "-c", f"exec {ATTN} -c 'print(1)' <&-"], capture_output=True, text=True, env=environment())
check("no standard input", closed.returncode == 0 and closed.stdout == "1\n", closed)
closed = subprocess.run(["/bin/sh", "-c", f"exec {ATTN} -c 'print(1)' >&-"], capture_output=True, text=True, env=environment())
check("no standard output", closed.returncode == 1 and closed.stderr.count("file error") == 1, closed)

# ---- a reader that waits ----
# What an entry wrote arrives when the entry ends: the one behind it never does.
inner, endless = path("inner.attn", 'print("inner")\n'), "while True: 0\n"
for name, arguments, given, wanted in (
        ("a script", [path("slow.attn", f'print("one")\n2\nprint("three")\n{endless}')], "", ["one", "2", "three"]),
        ("-c", ["-c", f'print("one")\n{endless}'], "", ["one"]), ("standard input", ["-"], f'print("one")\n{endless}', ["one"]),
        ("cells", [path("slow.md", f'```attn\nprint("one")\n```\n\n```attn\n{endless}```\n')], "", ["one"]),
        ("run within a script", [path("outer.attn", f'run "{inner}"\n{endless}')], "", ["inner"]),
        ("an error that is caught, and what is shown", [path("order.attn", f'print("a")\nset mask [0, 1]\nX = eye(2); attend;\nprint("b")\n{endless}')], "", ["a", "note", "b"])):
    child = subprocess.Popen([ATTN, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
    child.stdin.write(given.encode())
    child.stdin.close()
    killer = threading.Timer(PATIENCE, child.kill)
    killer.start()
    lines = [child.stdout.readline().decode() for _ in wanted]
    check(f"{name}: it has arrived", all(part in line or part == "note" and line.startswith("(") for part, line in zip(wanted, lines)), lines)
    killer.cancel()
    child.kill()
    child.wait()
both = subprocess.run([ATTN, path("both.attn", 'print("one")\nnp.nothing\n')], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
check("an error stands behind what came before it", both.stdout.decode().startswith("one\n") and both.stdout.count(b"name error") == 1, both.stdout)

# ---- input without an end ----
if os.path.exists("/dev/zero"):
    for name in "zero.csv", "zero.npy":
        os.symlink("/dev/zero", path(name))
    for what in ("/dev/zero",), ("-c", 'run "/dev/zero"'), ("-c", 'load("zero.csv")'), ("-c", 'load("zero.npy")'), ("-",):
        with open("/dev/zero", "rb") as zero:
            child = subprocess.run([ATTN, *what], stdin=zero, capture_output=True, text=True, env=environment(), cwd=os.path.dirname(old), timeout=PATIENCE)
        check(f"no end: {what}", child.returncode == 1 and "limit error" in child.stderr and "is larger than the 67108864 bytes" in child.stderr, child)

# ---- a very long line ----
SIZE = 100_000_000 if FULL else 10_000_000
for name, begin, part, end, good in (("comment", b"# ", b"x" * 100, b"\n", True), ("text", b"x = '", b"y" * 100, b"'\n", True), ("list", b"x = [", b"1, " * 33, b"1]\n", None),
                                     ("sum", b"x = 1", b" + 1" * 25, b"\n", None), ("spaces", b"x = 1", b" " * 100, b"\n", True), ("name", b"x", b"x" * 100, b" = 1\n", None),
                                     ("digits", b"x = 1", b"2" * 100, b"\n", None), ("brackets", b"x = ", b"(" * 100, b"\n", False), ("parts", b"x = 1", b"; x = 1" * 14, b"\n", None),
                                     ("junk", b"", b"\x01\x02)]}?$`!" * 10, b"\n", False)):
    with open(path("long.attn"), "wb") as file:
        file.write(begin)
        for _ in range(SIZE // len(part) // 1000):
            file.write(part * 1000)
        file.write(end)
    result = run("--safe", path("long.attn"))
    ended = result.status == 0 if good else result.status == 1 and " error: " in result.err if good is False else result.status in (0, 1)
    check(f"a line of {SIZE // 1000000} MB: {name}", ended and (result.megabytes < 1500 or SANITIZED) and len(result.err) < 3000, result)
    if FULL:
        print(f"    {name}: status {result.status}, {result.seconds:.1f} s, {result.megabytes:.0f} MB {result.err[-80:]!r}")
os.unlink(path("long.attn"))

finish()
