"""What a beginner types wrong, what the answer says to type instead, and that typing it works."""
from program import Terminal, check, finish, path, run

# What the lines below find: inputs, an array of each kind, and a run on the bench.
BENCH = """Q = randn(3, 8); K = randn(4, 8); V = randn(4, 5); A = [1., 2; 3, 5]; b = [1, 2]; x = [1, 2, 3]; y = [4, 5, 6]
xs = ["a", "b"]; i = 1; j = 2; n = 3; attend Q K V;
"""

# What is typed, the kind of the error, and the line that its answer gives.
LINES = [
    # a command, a setting
    ('Attend', 'name', 'attend'), ('attend Q, K, V', 'syntax', 'attend Q K V'), ('attend(Q, K, V)', 'name', 'attend Q K V'),
    ('Attend Q K V', 'syntax', 'attend Q K V'), ('SET temperature 1', 'syntax', 'set temperature 1'), ('帮助', 'name', 'help'),
    ('帮助 softmax', 'syntax', 'help softmax'), ('注意力', 'name', 'attend'), ('plt.imshow(A)', 'name', 'plot A'), ('plt.title("w")', 'name', 'plot A title "w"'), ('plt.semilogy(x)', 'name', 'plot x as log'), ('plt.plot(x)', 'name', 'plot x'),
    ('sns.heatmap(A)', 'name', 'plot A'), ('man softmax', 'syntax', 'help softmax'), ('EXIT', 'name', 'exit'), ('q()', 'name', 'exit'),
    ('help()', 'name', 'help'), ('help(softmax)', 'name', 'help softmax'), ('?softmax', 'syntax', 'help softmax'),
    ('??softmax', 'syntax', 'help softmax'), ('HELP', 'name', 'help'), ('Help softmax', 'syntax', 'help softmax'),
    ('set temperature = 0.5', 'syntax', 'set temperature 0.5'), ('set temperature=0.5', 'syntax', 'set temperature 0.5'),
    ('set temperature to 0.5', 'name', 'set temperature 0.5'), ('temperature 0.5', 'syntax', 'set temperature 0.5'),
    ('temp 0.5', 'syntax', 'set temperature 0.5'), ('heads 2', 'syntax', 'set heads 2'), ('mask causal', 'syntax', 'set mask causal'),
    ('causal', 'name', 'set mask causal'), ('tokens "the cat sat"', 'syntax', 'set tokens "the cat sat"'),
    ('scale none', 'syntax', 'set scale none'), ('position rope', 'syntax', 'set position rope'), ('set temp 0.5', 'name', 'set temperature 0.5'),
    ('set tau 0.5', 'name', 'set temperature 0.5'), ('set temprature 0.5', 'name', 'set temperature 0.5'),
    ('set temperature 0,5', 'type', 'set temperature 0.5'), ('set mask causal window 4', 'syntax', 'set mask causal and window 4'),
    ('set mask causal, window 4', 'syntax', 'set mask causal and window 4'),
    ('set mask causal & window 4', 'syntax', 'set mask causal and window 4'), ('set mask window=4', 'syntax', 'set mask window 4'),
    ('set mask window(4)', 'name', 'set mask window 4'), ('set mask = causal', 'syntax', 'set mask causal'),
    ('set mask "causal"', 'type', 'set mask causal'), ('set causal', 'name', 'set mask causal'), ('set causal true', 'name', 'set mask causal'),
    ('set n_heads 2', 'name', 'set heads 2'), ('set tokens the cat sat', 'name', 'set tokens "the cat sat"'),
    ('set colour never', 'name', 'set color never'), ('set temperature 0.5 mask causal', 'syntax', 'set temperature 0.5; set mask causal'),
    ('unset temp', 'name', 'unset temperature'), ('plot weights, scores', 'syntax', 'plot weights; plot scores'), ('plot(A)', 'name', 'plot A'),
    ('plot(weights)', 'name', 'plot weights'), ('heatmap A', 'syntax', 'plot A'), ('imshow(A)', 'name', 'plot A'), ('show()', 'name', 'show'),
    ('reset()', 'name', 'reset'), ('undo()', 'name', 'undo'), ('who()', 'name', 'who'), ('attend()', 'name', 'attend'),
    ('attend Q K V temperature 0.5', 'syntax', 'set temperature 0.5'), ('attend Q K V causal', 'syntax', 'set mask causal'),
    ('attend "the cat sat"', 'type', 'attend (embed("the cat sat", 8))'), 
    ('plot weights w.txt', 'syntax', 'plot weights to "w.txt"'), ('plot weights "w.txt"', 'syntax', 'plot weights to "w.txt"'),
    ('plt.savefig("w.txt")', 'name', 'plot weights to "w.txt"'), ('savefig "w.txt"', 'syntax', 'plot weights to "w.txt"'),
    # another library
    ('torch.tensor([1, 2])', 'name', 'array([1, 2])'),

    ('nn.Softmax(dim=1)', 'name', 'softmax(x, axis=-1)'),
    ('nn.LayerNorm(8)', 'name', 'layernorm(x)'),
    ('F.scaled_dot_product_attention(Q, K, V)', 'name', 'attention(Q, K, V)'),
    ('A.mm(A)', 'name', 'A @ A'),
    ('A.numpy()', 'name', 'A'), ('A.view(4)', 'name', 'reshape(A, 4)'),
    ('A.permute(1, 0)', 'name', 'transpose(A, 1, 0)'),
    ('A.masked_fill(A > 0, -1)', 'name', 'where(A > 0, -1, A)'), ('A.detach()', 'name', 'A'), ('A.to("cuda")', 'name', 'A'),
    ('A.cuda()', 'name', 'A'), ('A.size(0)', 'type', 'A.shape[0]'), ('A.size()', 'type', 'A.size'),
    ('console.log(x)', 'name', 'print(x)'), ('A.length', 'name', 'len(A)'), ('x.length()', 'name', 'len(x)'), ('x.size()', 'type', 'x.size'),

    ('A.T()', 'type', 'A.T'),
    ('np.array[1, 2]', 'type', 'np.array([1, 2])'),
    # anything else
    ('Softmax(x)', 'name', 'softmax(x)'), ('q', 'name', 'Q'), ('Print(x)', 'name', 'print'), ('print x', 'syntax', 'print(x)'),
    ('print "hello"', 'syntax', 'print("hello")'), ('softmax x', 'syntax', 'softmax(x)'), ('softmax[x]', 'type', 'softmax(x)'),
    ('scaled_dot_product_attention(Q, K, V)', 'name', 'attention(Q, K, V)'), ('[1 2 3]', 'syntax', '[1, 2, 3]'),
    ('[1 2; 3 4]', 'syntax', '[1, 2; 3, 4]'), ('disp(x)', 'name', 'print(x)'), ('disp x', 'syntax', 'print(x)'),
    ('printf("%s", x)', 'name', 'print("%s" % (x), end="")'), ('println(x)', 'name', 'print(x)'), ('echo x', 'syntax', 'print(x)'),
    ('c(1, 2)', 'name', '[1, 2]'), ('x <- 3', 'syntax', 'x = 3'), ('let x = 3', 'syntax', 'x = 3'), ('var x = 3', 'syntax', 'x = 3'),
    ('int x = 3', 'syntax', 'x = 3'), ('const x = 3', 'syntax', 'x = 3'), ('打印(x)', 'name', 'print(x)'), ('√2', 'syntax', 'sqrt(2)'),
    ('help sofmax', 'name', 'softmax'), ('print x, y', 'syntax', 'print(x, y)'), ('set position RoPE', 'value', 'rope'),
    ('plot weight', 'name', 'weights'), ('show weight', 'name', 'weights'), ('weights()', 'name', 'weights'), ('x++', 'syntax', 'x += 1'),
    ('x.append 3', 'syntax', 'x.append(3)'), ('len x', 'syntax', 'len(x)'), ('range 3', 'syntax', 'range(3)'),
    ('sum x', 'syntax', 'sum(x)'), 
    ('function f(x) { return x }', 'syntax', 'def f(x): return x'), ('func f(x): return x', 'syntax', 'def f(x): return x + 1'),
    ('fn f(x)', 'syntax', 'def f(x): return x + 1'), ('rand(3 4)', 'syntax', 'rand(3, 4)'), ('zeros[3]', 'type', 'zeros(3)'),
    ('zeros 3', 'syntax', 'zeros(3)'), ('eye 3', 'syntax', 'eye(3)'), ('rnd(3)', 'name', 'rand'),
    ('type x', 'syntax', 'type(x)'), ('PI', 'name', 'pi'), ('Pi', 'name', 'pi'), ('exp 2', 'syntax', 'exp(2)'), ('sqrt 2', 'syntax', 'sqrt(2)'),
    ('ln(2)', 'name', 'log(2)'), ('transpose A', 'syntax', 'transpose(A)'), ('inverse(A)', 'name', 'inv(A)'),
    ('array[1, 2]', 'type', 'array([1, 2])'), ('matrix([1, 2])', 'name', 'array([1, 2])'), ('for i in range(3): print i', 'syntax', 'print(i)'),
    ('print("a" x)', 'syntax', 'print("a", x)'), ('Σ(x)', 'name', 'sum(x)'), ('∑(x)', 'syntax', 'sum(x)'), ('∞', 'syntax', 'inf'),
    ('½', 'syntax', '0.5'),
]

# What is typed, the kind, a part of the answer, and the line that a person types after reading it.
HINTS = [
    ("true", "name", "True", "True"), ("null", "name", "None", "None"), ("NaN", "name", "nan", "nan"), ("infinity", "name", "inf", "inf"), ("π", "name", "pi", "pi"),
    ("softmax(x, tau=2)", "type", "temperature", "softmax(x, temperature=2)"), ("attention(Q, K, V, num_heads=1)", "type", "heads", "attention(Q, K, V, heads=1)"),
    ("attention(Q, K, V, is_causal=True)", "type", "causal", "attention(Q, K, V, causal=True)"), ("randn(3, device=\"cpu\")", "type", "Leave it out", "randn(3)"),
    ("softmax(x, temperature: 2)", "syntax", "=", "softmax(x, temperature=2)"), ("softmax(x; temperature=2)", "syntax", "comma", "softmax(x, temperature=2)"),
    ("softmax()", "type", "For example: softmax(", "softmax([0, 0])"), ("softmax(\"abc\")", "type", "For example: softmax(", "softmax([0, 0])"), ("eye()", "type", "eye(2)", "eye(2)"),
    ("x ^ 2", "syntax", "**", "x ** 2"), ("S = {1, 2}; T = {2}; S ^ T", "syntax", "symmetric_difference", "S = {1, 2}; T = {2}; S.symmetric_difference(T)"), ("A^T", "syntax", "A.T", "A.T"), ("A^-1", "syntax", "inv(A)", "inv(A)"), ("A'", "syntax", "A.T", "A.T"), ("A.t()", "name", ".T", "A.T"),
    ("A .* A", "syntax", "write A * A", "A * A"), ("function y = f(x)", "syntax", "def f(x):", "def f(x): return x"), ("A \\ b", "syntax", "solve(A, b)", "solve(A, b)"), ("1:5", "syntax", "arange(1, 6)", "arange(1, 6)"),
    ("y = 1:5", "syntax", "arange(1, 6)", "y = arange(1, 6)"), ("1..5", "syntax", "arange(1, 6)", "arange(1, 6)"), ("0.5.3", "syntax", "two points", "0.5"),
    ("x(1)", "type", "write x[0]", "x[0]"), ("x[end]", "name", "x[-1]", "x[-1]"), ("A{1}", "syntax", "A[0]", "A[1]"), ("A[10]", "value", "the last one is 1", "A[1]"),
    ("2x", "syntax", "2 * x", "2 * x"), ("3 x", "syntax", "3 * x", "3 * x"), ("|x|", "syntax", "abs(x)", "abs(x)"), ("||x||", "syntax", "norm(x)", "norm(x)"),
    ("x!", "syntax", "prod(arange(1, n + 1))", "prod(arange(1, n + 1))"), ("i > 0 && j > 0", "syntax", "and", "i > 0 and j > 0"), ("!i", "syntax", "not", "not i"),
    ("i ? j : n", "syntax", "a if c else b", "j if i else n"), ("i === 1", "syntax", "==", "i == 1"), ("i => 1", "syntax", ">=", "i >= 1"), ("i <> 1", "syntax", "!=", "i != 1"),
    ("3 × 4", "syntax", "*", "3 * 4"), ("3 − 1", "syntax", "-", "3 - 1"), ("x ≤ 2", "syntax", "<=", "x <= 2"), ("x²", "syntax", "**2", "x**2"), ("x₁ = 3", "syntax", "x1", "x1 = 3"),
    ("Q K", "syntax", "@", "Q @ K.T"), ("Q @ K", "shape", "Q @ K.T", "Q @ K.T"), ("Q * K.T", "shape", "Q @ K.T", "Q @ K.T"), ("Q @ KT", "name", "K.T", "Q @ K.T"),
    ("Q.K", "name", "@", "Q @ K.T"), ("sqrt(d_k)", "name", "K.shape[-1]", "sqrt(K.shape[-1])"), ("weights[0]", "name", "last.weights", "last.weights[0]"),
    ("plt.show()", "name", "plot A", "plot A"), ("plt.figure()", "name", "plot A", "plot A"),
    ("input()", "value", "x = 3", "x = 3"),
    ("\"a\" + 1", "type", "str(1)", "\"a\" + str(1)"), ("None + 1", "type", "without return", "1 + 1"), ("array(x) and y", "type", "&", "(array(x) > 0) & (array(y) > 0)"), ("if A: pass", "value", "any(", "if any(A): pass"),
    ("x = ", "syntax", "missing", "x = 1"), ("x == 3 = 4", "syntax", "==", "x == 3"), ("3 = x", "syntax", "left of =", "x = 3"), ("if i = 3: pass", "syntax", "==", "if i == 3: pass"),
    ("for k in 3: pass", "type", "range(n)", "for k in range(3): pass"), ("for (k = 0; k < 3; k++)", "syntax", "for k in range(3):", "for k in range(3): pass"),
    ("for k = 1:3", "syntax", "for k in range(1, 4):", "for k in range(1, 4): pass"), ("for k in range(3)", "syntax", "for k in range(3):", "for k in range(3): pass"),
    ("def f(x)", "syntax", "def f(x):", "def f(x): return x"), ("if i == 1 then print(i)", "syntax", ":", "if i == 1: print(i)"), ("else if i: pass", "syntax", "if", "if i: pass"),
    ("f = @(x) x", "syntax", "lambda x", "f = lambda x: x"), ("f(x) = x", "syntax", "def f(x)", "def f(x): return x"), ("return 3", "syntax", "write it alone", "3"),
    ("end", "name", "indentation", "pass"), ("}", "syntax", "indentation", "pass"), ("// note", "syntax", "#", "# note"), ("% note", "syntax", "#", "# note"), ("i = 3 // the third", "syntax", "#", "i = 3 # the third"),
    ("softmax(x", "syntax", "end it with )", "softmax(x)"), ("[1, 2", "syntax", "end it with ]", "[1, 2]"), ("1 + 2)", "syntax", "leave it out", "1 + 2"),
    ("'it's'", "syntax", "\"...\"", "\"it's\""), ("\"abc", "syntax", "end it with \"", "\"abc\""), ("f\"{x\"", "syntax", "not closed", "f\"{x}\""),
    ("ls", "name", "who", "who"), ("clear", "name", "del x", "del x"), ("pip install numpy", "syntax", "built in", "np.exp(1)"), ("cd folder", "syntax", "load(\"folder/x.npy\")", "pass"),
    ("cat x.npy", "syntax", "load(\"x.npy\")", "pass"), ("vim a.attn", "syntax", "run \"x.attn\"", "pass"), (":q", "syntax", "exit", "exit"), ("\\q", "syntax", "exit", "exit"), ("bye", "name", "exit", "exit"), ("退出", "name", "exit", "exit"),
    (">>> x = 3", "syntax", "leave it out", "x = 3"), ("attn> x = 3", "syntax", "leave it out", "x = 3"), ("$x$", "syntax", "leave it out", "x"), ("```python", "syntax", "leave it out", "x"),
    ("!ls", "syntax", "who", "who"),
    ("temperature", "name", "show temperature", "show temperature"), ("set temperature warm", "name", "a number from 0", "set temperature 2"), ("set temperature -1", "value", "0 or more", "set temperature 0"),
    ("set mask casual", "name", "causal", "set mask causal"), ("set mask window", "syntax", "window W", "set mask window 2"), ("set position learnt", "value", "learned", "set position learned"),
    ("set x 3", "name", "x = 3", "x = 3"), ("unset all", "name", "reset", "reset"), ("undo 3", "syntax", "one step at a time", "x"), ("who x", "syntax", "show NAME", "show x"), ("plot", "syntax", "plot ", "plot weights"),
    ("attend Q K", "syntax", "attend Q K V", "attend Q K V"), ("plot weights to w.txt", "name", "\"w.txt\"", "plot weights to \"w.txt\""), ("plot weights > w.txt", "syntax", "to ", "plot weights to \"w.txt\""),
]


def answer(line):
    """What the program says to the line, in one line, and how it ended."""
    result = run("-c", BENCH + line, COLUMNS="900")
    return result.err.strip().split("\n")[-1], result.status


def check_mistake(typed, kind, part, remedy):
    said, status = answer(typed)
    right = status == 1 and f"{kind} error: " in said and part.lower() in said.lower()
    if not check(f"{typed!r} is answered", right, f"wanted: {kind} error with {part!r}", f"got: {said}"):
        return
    said, status = answer(remedy)
    check(f"{remedy!r}, as {typed!r} is answered, works", status == 0, said)


for typed, kind, remedy in LINES:
    check_mistake(typed, kind, remedy, remedy)
for typed, kind, part, remedy in HINTS:
    check_mistake(typed, kind, part, remedy)


# ---- at the prompt ----

terminal = Terminal(columns=200)
terminal.prompt()
terminal.enter("x = 3; y = 4;")
before = terminal.enter("who")
for line in ["print x", "x = 5; torch.chunks(x)", "y = 6; set temperature = 1", "del x; attend(Q, K, V)"]:
    check(f"{line!r} is an error at the prompt", " error: " in terminal.enter(line), terminal.text())
check("the session is as it was before the errors", terminal.enter("who") == before, before, terminal.text())

for opening in ["z = softmax([1, 2", "z = f(1,", 'z = """text']:
    terminal.send(opening + "\r")
    said = terminal.enter("quit")
    check(f"quit in what {opening!r} leaves open is told so", "is not closed" in said and "once more" in said, said)

said = terminal.enter("temperature = 0.5")
check("a variable of a setting's name is told from the setting", "set temperature" in said, said)
check("only once", "set temperature" not in terminal.enter("temperature = 0.7"), terminal.text())
terminal.send("quit\r")
check("then quit leaves", terminal.wait(lambda: terminal.ended), terminal.text())

# ---- a formula in a script of which nothing has run: the names are what it assigns to them ----
SCRIPT = "Q = randn(3, 8); K = randn(4, 8); V = randn(4, 5)\nW = randn(8, 8)\nd_k = 8\nq = [0.5, 1.0]; k = randn(2); x = randn(8)\n"
for formula, line in (("softmax(QK^T / √d_k) V", "softmax(Q @ K.T / sqrt(d_k)) @ V"), ("S = QKᵀ", "S = Q @ K.T"), ("q · k", "q @ k"), ("q^T k", "q @ k"), ("W x", "W @ x"), ("x W", "x @ W")):
    shown = run("-c", SCRIPT + formula, COLUMNS="200")
    check(f"{formula} of a script", shown.status == 1 and shown.err.strip().endswith("Write " + line), shown.err)
    check(f"{line} runs", run("-c", SCRIPT + line).status == 0, line)
check("without any names", run("-c", "softmax(QK^T/√d_k)V", COLUMNS="200").err.strip().endswith("Write softmax(Q @ K.T/sqrt(K.shape[-1])) @ V"))

# ---- what an imported module has not, in a file of Python ----
for code, line in (
    ("x = np.matrix([[1, 2]])", "x = array([[1, 2]])  # A @ B, not A * B"),
    ("print(np.softplus(A))", "print(logaddexp(0, A))"),
    ("f = np.Softmax", "for example: softmax(x, axis=-1)"),
):
    shown = run(path("module.py", f"import numpy as np\nA = np.ones(2)\n{code}\n"), COLUMNS="200")
    check(f"{code} in a .py file names {line}", shown.status == 1 and shown.err.lower().strip().endswith(line.lower()), shown.err)

finish()
