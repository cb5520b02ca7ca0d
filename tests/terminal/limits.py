"""Depth, size and memory end in an error, never in a crash."""
import os
import re
import resource
import subprocess

from program import ATTN, FULL, SANITIZED, check, finish, run


def limit(name, code, kinds=("limit",), *arguments):
    result = run(*arguments, "-c", code)
    right = result.status == 1 and any(f"{kind} error: " in result.err for kind in kinds) and len(result.err) < 3000
    check(f"{name}: ends in an error of kind {' or '.join(kinds)}", right, result)


def fine(name, code, out=None, *arguments):
    result = run("-", stdin=code + "\n") if "-" in arguments else run(*arguments, "-c", code)
    check(f"{name}: runs", result.status == 0 and (out is None or result.out == out), result)


# ---- recursion ----
limit("itself", "def f(x): return f(x)\nf(1)")
limit("itself plus one", "def f(x): return 1 + f(x + 1)\nf(1)")
limit("each other", "def f(x): return g(x)\ndef g(x): return f(x)\nf(1)")
limit("lambdas", "f = lambda x: f(x)\nf(1)")
limit("through a comprehension", "def f(x): return [f(y) for y in [x]]\nf(1)")
limit("through arguments", "def f(x, y=1): return f(f(x), y=f(x))\nf(1)")
limit("through an f-string", 'def f(x): return f"{f(x)}"\nf(1)')
limit("through an index", "def f(x): return [1, 2][f(x)]\nf(1)")
limit("through a condition", "def f(x): return 1 if f(x) else 2\nf(1)")
limit("through a loop", "def f(x):\n    for i in range(3):\n        while True:\n            f(i)\nf(1)")
limit("through try", "def f(x):\n    try:\n        return f(x)\n    except name:\n        pass\nf(1)")
limit("through commands", "def f():\n    set temperature f()\nf()")
limit("through plots", "def f():\n    plot f()\nf()")
fine("caught", "def f(x): return f(x)\ntry:\n    f(1)\nexcept limit:\n    print(\"deep\")\nprint(1 + 1)", "deep\n2\n")
fine("200 levels are not many", "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nf(200)", "200\n")

# ---- nesting in the text ----
for name, begin, end in (("(", "(", ")"), ("[", "[", "]"), ("-", "-", ""), ("not", "not ", ""), ("f(", "abs(", ")"), ("[0]", "", "[0]"), ("x.T", "", ".T"), ("**", "1 ** ", ""),
                         ("lambda", "lambda: ", ""), ("if else", "1 if 1 else ", ""), ("~", "~", ""), ("for", "[", " for i in [1]]"), ("f-string", 'f"{', '}"')):
    for depth in (10_000, 20_000 if SANITIZED else 200_000):  # AddressSanitizer's strstr reads to the end
        result = run("-", stdin=f"x = [1]\ny = {begin * depth}x{end * depth}\n")
        check(f"{depth} × {name}: ends well or in an error", result.status in (0, 1) and (result.status == 0 or " error: " in result.err) and len(result.err) < 3000, result)
limit("10,000 brackets", "(" * 10000 + "1" + ")" * 10000)
limit("10,000 lists", "[" * 10000 + "1" + "]" * 10000)
for depth in (50, 2000):
    blocks = "".join("    " * i + ("if True:\n" if i % 2 else "for x in [1]:\n") for i in range(depth)) + "    " * depth + "y = 1\n"
    result = run("-", stdin=blocks)
    check(f"{depth} blocks in blocks", result.status == 0 if depth == 50 else result.status == 1 and "limit error" in result.err, result)
chain = "if x == 0:\n    y = 0\n" + "".join(f"elif x == {i}:\n    y = {i}\n" for i in range(1, 20000))
result = run("-", stdin="x = -1\n" + chain)
check("20,000 elifs", result.status == 0 or "limit error" in result.err, result)
for operator in ("+", "and", "or", "<", "==", "@", "&"):
    result = run("-", stdin="x = " + f" {operator} ".join(["1"] * 100000) + "\n")
    check(f"100,000 × {operator}", result.status in (0, 1) and (result.status == 0 or " error: " in result.err), result)
result = run("-", stdin="f = abs\nf(" + ", ".join(["1"] * 100000) + ")\n")
check("100,000 arguments", result.status == 1 and "type error" in result.err, result)
# What grows with the square of the number of parts would not come to its end in the time of a run.
fine("400,000 parts of an f-string", 'x = 1\ny = f"' + "{x} " * 400000 + '"\nprint(len(y))', "800000\n", "-")
fine("400,000 keywords", "r = record(" + ", ".join(f"a{i}={i}" for i in range(400000)) + ")\nprint(len(r))", "400000\n", "-")
fine("400,000 keywords of a function", "def f(**k): return len(k)\nprint(f(" + ", ".join(f"a{i}={i}" for i in range(400000)) + "))", "400000\n", "-")
fine("keywords within keywords", "def f(**k): return len(k)\nprint(f(a=f(a=1, b=2), b=f(c=f(a=1)), c=3))", "3\n", "-")
result = run("-", stdin="f(" + ", ".join(f"a{i}=f(a{i}=1)" for i in range(1000)) + ", a7=1)\n")
check("a keyword twice, among many", result.status == 1 and "a7= is given twice" in result.err, result)
for begin, end in ("def f(", "): return 1"), ("f = lambda ", ": 1"):
    result = run("-", stdin=begin + ", ".join(f"a{i}=1" for i in range(200000)) + end + "\n")
    check(f"200,000 parameters of {begin}: the one too many is shown", result.status == 1 and "limit error" in result.err and re.search(r"a1000=1.*\n +\^{5}\n", result.err), result)
# A small stack has room for fewer levels.
for kilobytes in 8192, 2048, 512, 256:
    for name, code in ("itself", "def f(x): return f(x)\nf(1)"), ("a comprehension", "def f(x): return [f(y) for y in [x]]\nf(1)"), ("try", "def f(x):\n    try:\n        return f(x)\n    except name:\n        pass\nf(1)"):
        done = subprocess.run([ATTN, "-c", code], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (kilobytes << 10, kilobytes << 10)), capture_output=True, text=True)
        check(f"{name} on a stack of {kilobytes} kB", SANITIZED or (done.returncode == 1 and "limit error" in done.stderr), done.returncode, done.stderr)

result = run("-", stdin="def f(" + ", ".join(f"a{i}" for i in range(20000)) + "): return a0\n")
check("20,000 parameters", result.status in (0, 1), result)

# ---- nesting in values ----
for name, begin, step in (("lists", 'x = ["a"]', 'x = [x, "a"]'), ("tuples", "x = (1, 2)", "x = (x, 1)"), ("records", "x = record(a=1)", "x = record(a=x)"),
                          ("functions", "def wrap(g): return lambda: g\nx = wrap(1)", "x = wrap(x)"), ("defaults", "x = 1", "x = (lambda y: (lambda z=y: z))(x)"),
                          ("appended", 'x = ["a"]', 'y = ["b"]; y.append(x); x = y')):
    build = f"{begin}\nfor i in range(N): {step}\n"
    for use in ("pass", "x = 0", "del x", "print(x)", "x", "x == x", "y = copy(x)", "json(x)", "str(x)", "len(str(x))", "x in [x]", "undo", "x + x", 'f"{x}"', "float32(x)"):
        result = run("-", stdin=build.replace("N", "300000" if FULL else "100000") + f"try:\n    {use}\nexcept:\n    print(\"caught\")\nprint(\"end\")\n")
        right = (result.status == 0 and result.out.endswith("end\n")) or (result.status == 1 and "limit error" in result.err)
        check(f"many {name} in each other, then {use}", right, result.status, result.out[-200:], result.err[-300:])

# ---- size ----
for code in ("zeros((1e9, 1e9))", "zeros(1e12)", "ones((1e6, 1e6))", "eye(1e6)", "rand(1e12)", "randn(1e6, 1e6)", "arange(1e13)", "linspace(0, 1, 1e13)", "permutation(1e12)",
             "full((1e18, 1e18), 0)", "zeros((1e5, 1e5, 1e5, 1e5, 1e5))", "tile([1, 2], 1e12)", "repeat([1, 2], 1e12)", "causal_mask(1e6)", "one_hot([1, 2], 1e13)",
             "[i for i in [0] * 1000000000000]", '"x" * 1000000000000', '["x"] * 1000000000000', "sinusoidal(1e7, 1e7)", "alibi(1e6, 8)", "relative_bias(1e6)",
             "outer(zeros(1e6), zeros(1e6))", "learned_positions(1e7, 1e7)", "x = zeros((1e6, 1)); x + x.T", "x = zeros((1e6, 1)); x @ x.T", "concatenate([zeros(1e4)] * 10000000)",
             "window_mask(1e6, 2)", "segment_mask(zeros(1e6))", "randint(0, 9, 1e12)", "logspace(0, 1, 1e13)", "diag(zeros(1e6))",
             'f"{1:999999999999}"', 'f"{1:.999999999999f}"', '"ab".replace("", "x" * 10000000) * 100000', "round(1.5, 1e300)", "zeros((0, 1e18))", "zeros((1e18, 0))", "zeros(-1)", "zeros(nan)",
             "reshape(zeros(4), (-1, 0))", "reshape(zeros((0, 3)), (-1, 0))", "padding_mask(1e13, 2)", "embed([\"a\"], 1e13)", "split([1, 2], 1e12)", "seed(1e300)", "range(0, 1, 0)", "range(nan)"):
    result = run("-c", code)
    known = result.status == 0 or (result.status == 1 and any(f"{kind} error: " in result.err for kind in ("limit", "value", "shape", "type")))
    check(f"too large: {code}", known and (result.megabytes < 1500 or SANITIZED), result)
limit("zeros((1e9, 1e9))", "zeros((1e9, 1e9))")
limit("zeros(1e12)", "zeros(1e12)")

limit("a list for ever, within 1 GB", 'x = ["a"] * 30000000\nwhile True: x.append("abc")', ("limit",), "--safe")
if FULL:
    limit("a list of lists for ever", 'x = []\nwhile True: x.append([1, "a"])', ("limit",), "--safe")
if FULL:
    limit("an array for ever, within 1 GB", "x = [1]\nwhile True: x = concatenate([x, x])", ("limit",), "--safe")
if FULL:
    limit("a text for ever, within 1 GB", 'x = "a"\nwhile True: x = x + x', ("limit",), "--safe")
limit("a comprehension for ever, within 1 GB", "x = [i for i in range(1e15)]", ("limit",), "--safe")
fine("memory comes back after a limit", 'try:\n    x = ["a"]\n    while True: x = x + x\nexcept limit as e:\n    x = 0\ny = zeros(1e7); y.size', "10000000\n", "--safe")

# What the system gives is the limit that is named, and not what the machine has.
for what, kinds, options in ("zeros(1e8)", "v", ()), ("zeros(1e8)", "d", ()), ("zeros(1e8)", "v", ("--safe",)), ('x = ["a"]\nwhile True: x.append(["a"] * 100000)', "v", ()):
    limits = {"v": resource.RLIMIT_AS, "d": resource.RLIMIT_DATA}
    done = subprocess.run([ATTN, *options, "-c", what], preexec_fn=lambda: resource.setrlimit(limits[kinds], (300000 << 10,) * 2), capture_output=True, text=True)
    said = " ".join(done.stderr.split())
    check(f"{what[:10]} under ulimit -{kinds} {options}", SANITIZED or (done.returncode == 1 and "the limit is 307 MB" in said and ("for all of the program" in said) == (what[0] == "x")), done.returncode, done.stderr)

# ---- long sessions: what undo keeps bounds them ----
def session(name, begin, step, count, most):
    """The megabytes of a script with so many steps; `most`: the bound."""
    result = run("-", stdin=begin + "".join(step.format(i=i) + "\n" for i in range(count)), stdout=open(os.devnull, "w"))
    check(f"{count} × {name}", result.status == 0 and (SANITIZED or result.megabytes < most), result)
    return result.megabytes


begin = "X = randn(16, 8)\nattend X;\n"
step = "set temperature {i} / 1000 + 0.001\nweights"
early, late = (session("set temperature, weights", begin, step, count, 150) for count in (1000, 5000))
check("5,000 settings take no more than 1,000", SANITIZED or late < early + 15, early, late)
large = "X = randn(512, 16)\nattend X;\n"
session("set temperature over 512 rows", large, "set temperature {i} / 100 + 0.01;", 60, 450)
session("sweep over 512 rows", large, "sweep temperature 0.1 100;", 30 if FULL else 12, 500)
session("compare over 512 rows", large, "compare temperature 1 against 2;", 30, 500)
session("snapshot over 512 rows", large, "set temperature {i} + 1;\nsnapshot a", 40, 500)
finish()
