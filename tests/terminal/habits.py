"""Notes on habits from Python: each once a session, those of lists once a line, and only where a person runs the program."""
from program import check, finish, path, run

HABITS = """%matplotlib inline
%time z = 3
import matplotlib.pyplot as plt
from IPython.display import display
x = [0] * 5
y = [1, 2] + [3]
y = [1, 2] + [3]
y = [0, 1] * 3
a = [1, 2, 3]
a[[1, 2]][0] = 9
a[[True, False, True]][:1] += 1
def ratio(x, y):
    try: return x / y
    except (TypeError, ZeroDivisionError): return 0
ratio(1, 0) + ratio(1, 0);
y = ones((2, 2)).transpose(0, 1)
W = ones(2); b = zeros(2)
for p in [W, b]: p += 1
def fill(A):
    A[0] = 5
fill(W)
def clear(A):
    A[0] = 0
clear(W)
y = [1 -2]
2 ** 53 + 1
"""
PLAIN = """2 ** 53 - 1 + 1
y = [1 - 2]
y = [1, 2 -3]
y = [-1]
x = 2 * array([1, 2, 3])
y = [0] * 0.5
y = [1, 2] * 0.5 + array([[1, 2], [3, 4]]) * 2
y = [1, 2] * [3, 4]
a = [[1, 2, 3], [4, 5, 6]]
a[[0, 1]] += 1
a[0][1] = 5
a[:, 1][0] = 5
rows = [array([1, 2]), [3]]
rows[0][1] = 5
try: y = [1, 2] @ [1, 2, 3]
except ZeroDivisionError: y = 0
except ValueError: y = 1
for x in [1, 2]: x += 1
def fill(A):
    A[0] = 5
    return A
fill(ones(2));
for p in [ones(2), x]: p += 1
def count(n): n += 1
count(3)
W = ones(2)
for p in [W]:
    p += 1
    print(p)
"""
script = path("habits.attn")
for code, expected in ((HABITS, ("belong to Jupyter", "plot A draws", "[*[0, 1]] * 3 repeats them", "a[[1, 2]] is a copy", "1/0 is inf", "swapaxes(x, 0, 1)", "a change of p leaves W", "A = fill(A)", "[1, -2]", "9007199254740992 is rounded")), (PLAIN, ())):
    with open(script, "w") as file:
        file.write(code)
    noted = run(script).err.splitlines()
    check("habits are noted once, those of lists for each line", len(noted) == len(expected) and all(part in line for part, line in zip(expected, noted)), noted)
    check("--quiet notes no habits", run("--quiet", script).err == "", code)
    check("-c notes no habits", run("-c", code).err == "", code)

# ---- whole numbers beyond 2**53: those that are rounded, and those that are exact or measured ----
ROUNDED = (
    ("2 ** 64 - 1", "1.8446744073709552e+19"),
    ("3 ** 40", "1.2157665459056929e+19"),
    ("f = 1\nfor i in range(1, 31): f *= i", "2.5852016738884978e+22"),
    ("n = 2 ** 100\nwhile n > 0: n //= 10", "1.2676506002282295e+29"),
    ("10 ** 17 // 7", "14285714285714286"),
    ("factorial(23)", "2.5852016738884978e+22"),
    ("comb(90, 45)", "1.038274212875534e+26"),
)
EXACT = ("2 ** 100", "10 ** 22", "factorial(22)", "(2 ** 64 - 2 ** 12) // 3", "2 ** 100 // 4", "6.02e23 * 3", "1.5e11 ** 2 * 7", "5 ** -400", "comb(56, 28)", "factorial(200)", "inf // 3", "10 ** 400")
for code, number in ROUNDED + tuple((code, None) for code in EXACT):
    with open(script, "w") as file:
        file.write(code + ";\n")
    noted = run(script).err.splitlines()
    expected = [f"({number} is rounded: whole numbers are exact up to 2**53)"] if number else []
    check(f"a number is rounded: {code}", noted == expected, noted)

# ---- changes of what was copied: those that are lost, and those that are used ----
WRITE_F = "let f return A, and write A = f(A))"
LOST = (
    ("for p in [W, b]: p += 1", "a change of p leaves W as it is, since arrays are copied: write a line for each, with W for p)"),
    ("for p in [W, b]:\n    if p.sum() > 0: p *= 0\n    n = 1", "with W for p)"),
    ("for row in A: row[0] = 1", "write for i in range(len(A)), and A[i] for row)"),
    ("for row in A: row[0] = 1\nfor row in A: row.sum();", "and A[i] for row)"),
    ("for row in A:\n    for j in range(2): row[j] = 0", "and A[i] for row)"),
    ("for w, g in zip(ws, gs): w -= 0.1 * g", "write for i in range(len(ws)), and ws[i] for w)"),
    ("for i, w in enumerate(ws): w *= i", "and ws[i] for w)"),
    ("for i, (w, g) in enumerate(zip(ws, gs)): w -= i * g", "and ws[i] for w)"),
    ("for k, v in d.items(): v -= 1", "write for key in d.keys(), and d[key] for v)"),
    ("for v in d.values(): v -= 1", "and d[key] for v)"),
    ("def f(A):\n    A[0] = 5\n    return None\nf(A);", WRITE_F),
    ("def f(A): A[A > 0] = 0\nf(A);", WRITE_F),
    ("def f(A): A += 1\nf(A);", WRITE_F),
    ("def f(A):\n    for i in range(2): A[i] = i\nf(A);", WRITE_F),
    ("B = A\nB[0] = 5", "a change of B does not reach A, since arrays are copied: write A = B after it)"),
    ("d.W *= 2", "a change of d.W does not reach W, ws[0], since arrays are copied: assign it there, too)"),
    ("row = A[0]\nrow[0] = 5", "a change of row does not reach A, since arrays are copied: change A itself)"),
    ("def f(A, v, n=1):\n    A[0] = v\n    print(v)\nf(A, 1);", "write A = f(A, v))"),
    ("def f(A): A.partition(1)\nf(A);", WRITE_F),
    ("B = A.sort()", "(A.sort() gives a copy and changes nothing; in a line of its own, on a variable, .sort() changes the array)"),
    ("[row.partition(0) for row in A];", "(row.partition(0) gives a copy and changes nothing;"),
    ("A.ravel().sort();", "(A.ravel().sort() gives a copy and changes nothing;"),
    ("A[A > 0].fill(9)", "(A[A > 0] is a copy, so the change is lost:"),
    ("np.put(A[[0, 1]], 0, 9)", "(A[[0, 1]] is a copy, so the change is lost:"),
    ("np.nan_to_num(W, copy=False);", "(nan_to_num gives a new array also with copy=False:"),
)
USED = (
    "B = A.copy()\nB[0] = 5",
    "B = A[[0, 1]]\nB[0] = 5",
    "B = A[0] + 0\nB[0] = 5",
    "A[0] = 5\nA[0][0] = 5\nA += 1",
    "def f(A): A.append(1)\nf(ws);",
    "def f(A): A[\"W\"] = 1\nf(d);",
    "def f(): W[0] = 5\nf();",
    "def f(x):\n    d[\"a\"] = x\n    return x\nf(1);",
    "def f():\n    W[0] = 5\n    return W\nf();",
    "def f():\n    W[0] = 5\n    return W.sum()\nf();",
    "def f():\n    W = zeros(2)\n    W[0] = 5\nf();",
    "def f(W=ones(2)): W[0] = 5\nf();",
    "def f(A):\n    A[0] = 5\n    return A\nf(A);",
    "def f(A):\n    A[0] = 5\n    if A.sum() > 1: return 1\n    return 2\nf(A);",
    "def f(A):\n    A = A.copy()\n    A[0] = 5\n    return A.sum()\nf(A);",
    "def f(A):\n    while A.sum() > 0: A -= 1\nf(A);",
    "def f(A):\n    A[0] = 1\n    g = lambda: A\n    return g()\nf(A);",
    "def f(A):\n    A[0] = 1\n    print(f\"{A}\")\nf(A);",
    "def f(A, B):\n    A[0] = 1\n    A, B = B, A\n    return B\nf(A, A);",
    "def f(A):\n    A -= A.max()\n    e = exp(A)\n    return e / e.sum()\nf(A);",
    "def f(x, seen=[]): seen.append(x)\nf(3);",
    "def f(x, **k): k[\"a\"] = x\nf(3, b=1);",
    "def f(n): n += 1\nf(3)\nfor x in [1, 2]: x += 1",
    "for p in [W, b]:\n    p += 1\n    print(p)",
    "for p in [W, b]: p += 1\nprint(p)",
    "for p in [W, b]: p = p + 1",
    "for p in [ones(2), zeros(2)]: p += 1",
    "out = []\nfor p in [W, b]:\n    p += 1\n    out.append(p)",
    "s = 0\nfor row in A:\n    for j in range(2):\n        s += row.sum()\n        row[j] = 0",
    "for i in range(len(A)): A[i][0] = 1",
    "for i in range(len(ws)): ws[i] -= 0.1 * gs[i]",
    "for key in d.keys(): d[key] -= 1",
    "A.sort()\nA[0].partition(0)\nA[0:2].fill(9)\nA.put(0, 9)",
    "randn(3).sort();\n(A + 1).sort();\nB = sort(A)\nnp.exp(A).sort();\nf = lambda: randn(3)\nf().sort();",
    "W = nan_to_num(W)",
)
# ---- + and * of lists of numbers compute; where one is written as [x] they join and repeat, as in Python ----
JOINED = (
    ("[i for i in range(2)] + [3, 4];", "[*[i for i in range(2)], *[3, 4]] joins them)"),
    ("xs = [1, 2, 3]; k = [7]\ndef f(a, b): return a + b\nf(k, xs);", "[*a, *b] joins them)"),
    ("xs = [1]; xs.append(2); ys = [5]; ys.append(6)\nxs + ys;", "[*xs, *ys] joins them)"),
    ("xs = [1]; xs.append(2)\nxs * 2 + 1; xs + 1; W + b[:2] + [1, 2];", "[*xs] * 2 repeats them)"),
    ("xs = [1, 2]\nxs += [3, 4]", "xs = xs + [3, 4] adds the numbers item by item)"),
)
USED += (
    "xs = [1]; xs.append(2)\nxs + [3]; [3] + xs;",
    "x = array([12.0] + [0 for i in range(999)])",
    "xs = [1, 2, 3]\nxs + [4]; [0] + xs;",
    "xs = [1]; xs.append(2)\nx = np.array(xs)\nx + [3];",
    "xs = [1, 2]\nxs += [3]; xs += [3]",
)
USED += (
    "xs = [1, 2]\nxs += 3; xs += b[:2]; xs -= [1, 2]",
    "xs = [\"a\"]\nxs += [3]",
    "A += [1, 2]",
    "def div(a, b):\n    try:\n        if b == 0: raise ZeroDivisionError(\"b\")\n        return a / b\n    except ZeroDivisionError: return 0\ndiv(1, 2);",
    "xs = []; xs.append(1)\nxs + [2];",
    "xs = [1]; xs.append(2)\nx = np.array(xs)\nx + x; x + [3, 4]; x + 3; [2] * x; softmax(x) + [1]; W + b[:1]; A + [1];",
    "xs = [1]; xs.append(2)\nx = np.array(xs, dtype=float); y = np.asarray(xs)\nx + y;",
)
SETTING = "W = ones(2); b = zeros(3); A = ones((2, 2)); ws = [W, b]; gs = ws; d = {\"W\": W}\n"
for code, note in LOST + JOINED + tuple((code, None) for code in USED):
    with open(script, "w") as file:
        file.write(SETTING + code + "\n")
    noted = run(script).err.splitlines()
    check(f"a lost change: {code}", len(noted) == 1 and note in noted[0] if note else noted == [], noted)

finish()
