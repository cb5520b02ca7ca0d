"""trace and why print numbers that add up: each line with = or ≈, each column of a table, each sum, recomputed from the
numbers that stand there; the lists of rounded rows are exactly those that differ. why as latex says the same."""
import itertools
import re

from printed import check, check_equation, guard, marked, run, same, sections, table, value

SCORE_TITLES, SOFTMAX_TITLES = ("q·k", "scaled", "position", "added", "score"), ("less max", "over τ", "exp", "share", "weight")
QUOTED = r"""(?: (?:"[^\n]*"|'[^\n]*'))?"""
FOOTNOTE = "(≈ is written where digits that are not shown matter"


def added(numbers):
    """The sum from left to right, as a reader adds: sum() corrects its rounding since Python 3.12."""
    total = 0.0
    for number in numbers:
        total += number
    return total


class Trace:
    """One trace, checked."""

    def __init__(self, name, text, digits, tokens=None):
        self.name, self.digits, self.tokens = name, digits, tokens
        self.lines = text.rstrip("\n").split("\n")
        self.rounded = False
        self.steps = {}
        for i, line in enumerate(self.lines):
            if re.match(r"[1-5]\. The ", line):
                self.steps[int(line[0])] = i
        self.check()

    def wrong(self, what, right, *details):
        check(f"{self.name}: {what}", right, *details)

    def equation(self, what, line):
        self.rounded |= check_equation(f"{self.name}: {what}", line, self.digits)

    def rows(self, step):
        """The table below a step's title, and the line below it in parentheses or None."""
        start = end = self.steps[step] + 1
        while end < len(self.lines) and self.lines[end] and re.match(r"key  |weight×v |\d|sum |output ", self.lines[end]):
            end += 1
        below = self.lines[end] if end < len(self.lines) and self.lines[end].startswith("(rounded") else None
        return self.lines[start:end], below

    def label(self, text_rows, i, last):
        if last and i == len(text_rows) - 1:
            return last
        place = re.match(r"\d+(–\d+)?", text_rows[i]).group(0)
        return place if "–" in place or not self.tokens else f"{place} {self.tokens[int(place)]}"

    def check_rounded(self, what, labels, below):
        """labels: of the rows that do not come out."""
        if not labels:
            return self.wrong(f"{what}: nothing is called rounded", below is None, below)
        listed = ", ".join(labels[:8]) + (", …" if len(labels) > 8 else "")
        wanted = f"(rounded: with the digits shown, {what} of {listed} comes out a little different)"
        return self.wrong(f"{what}: the rounded rows are named", below == wanted, below, wanted)

    def check(self):
        self.check_query()
        self.check_products()
        self.check_scores()
        if 4 in self.steps and 5 in self.steps:
            self.check_softmax()
            self.check_output()
        self.wrong("the note about ≈ stands where there is one", self.rounded == any(line.startswith(FOOTNOTE) for line in self.lines), self.lines[-3:])

    def check_query(self):
        for line in self.lines[1:self.steps[1] - 1]:
            if line.startswith("its first two columns"):
                self.equation("the turned pair", line.partition(" rad: ")[2])
            elif "] + [" in line:
                line = re.sub(r"^q = ", "", line)
                self.equation("x + position", line)

    def check_products(self):
        end = next(i for i in range(self.steps[1] + 1, len(self.lines)) if not self.lines[i])
        for line in self.lines[self.steps[1] + 1:end]:
            if line.endswith(": likewise"):
                continue
            found = re.match(rf"key \d+{QUOTED}: (.*)$", line)
            self.equation("a product", found.group(1))

    def check_scores(self):
        title = self.lines[self.steps[2]]
        scale = re.search(r"times 1/√(\d+)|times the scale (\S+?)(?:,|$)", title.replace("1/√d_k = ", ""))
        if scale.group(1):
            found = re.search(r"1/√\d+ [=≈] [^\s,]+", title)
            self.equation("the scale", found.group(0))
            factor = float(found.group(0).split()[-1])
        else:
            factor = float(scale.group(2))
        lines, below = self.rows(2)
        titles = [t for t in SCORE_TITLES if re.search(rf"(?<!\S){t}(?!\S)", lines[0])]
        columns, rows = table(lines, titles)
        terms, labels = len(titles) > 2, []
        self.scores = columns["score"].numbers
        for i in range(len(rows)):
            numbers = [columns[t].numbers[i] for t in titles]
            if numbers[0] is None:  # the row between
                continue
            product = numbers[0] * factor
            comes = [(titles[1], product)] if not terms else [("scaled", product), ("score", added(numbers[1:-1]))]
            if any(not same(columns[t].look(x), columns[t].numbers[i]) for t, x in comes):
                labels.append(self.label(rows, i, None))
        self.check_rounded("the score", labels, below)

    def check_softmax(self):
        title = self.lines[self.steps[4]]
        temperature = float(re.match(r"4\. The softmax at temperature ([^\s:]+?)(?:\.|:)? ", title).group(1).rstrip("."))
        maximum = float(re.search(r"The largest score is (\S+), of key", title).group(1))
        lines, below = self.rows(4)
        titles = [t for t in SOFTMAX_TITLES if re.search(rf"(?<!\S){t}(?!\S)", lines[0])]
        columns, rows = table(lines, titles)
        exps, weights = columns[titles[-2]], columns["weight"]
        last, labels = len(rows) - 1, []
        for i in range(last + 1):
            if i == last:
                right = all(same(c.look(added(c.numbers[:-1])), c.numbers[-1]) for c in (exps, weights))
            else:
                right = self.softmax_row(columns, i, temperature, maximum, exps, weights)
            if not right:
                labels.append(self.label(rows, i, "sum"))
        self.check_rounded("the weight", labels, below)
        self.equation("the ceiling", re.search(r", of (ln \d+ [=≈] \S+)$", self.lines[self.entropy_line()]).group(1))

    def softmax_row(self, columns, i, temperature, maximum, exps, weights):
        less = columns["less max"].numbers[i]
        right = same(weights.look(float(value(f"{exps.texts[i]}/{exps.texts[-1]}"))), weights.numbers[i])
        if less is None:
            return right
        right = right and same(columns["less max"].look(self.scores[i] - maximum), less)
        if "over τ" not in columns:
            return right
        over = columns["over τ"]
        right = right and same(over.look(less / temperature), over.numbers[i])
        return right and same(exps.look(value(f"exp({over.texts[i]})")), exps.numbers[i])

    def entropy_line(self):
        return next(i for i, line in enumerate(self.lines) if line.startswith("entropy: "))

    def check_output(self):
        lines, below = self.rows(5)
        columns, rows = table(lines)
        differ = 0
        decimals = max(column.decimals for column in columns.values())
        for column in columns.values():
            column.decimals = decimals
            differ += not same(column.look(added(column.numbers[:-1])), column.numbers[-1])
        wanted = None
        if differ:
            wanted = f"(rounded: with the digits shown, {differ} of {len(columns)} columns add{'s' if differ == 1 else ''} up to a little more or less)"
        self.wrong("the columns that do not add up are counted", below == wanted, below, wanted)


# ---- why ----

def equations(text):
    """The formulas of a why, without the words behind them."""
    for line in text.split("\n"):
        line = line.partition("   ")[0]
        found = re.match(r"(q·k|score|e|sum of e|weight|it adds) = (.*)$", line)
        if found and not found.group(2).startswith(("0: ", "nan: ")):
            yield found.group(1), found.group(2)


def check_why(name, text, digits):
    rounded = False
    for what, formula in equations(text):
        rounded |= bool(check_equation(f"{name}: {what}", formula, digits))
    check(f"{name}: the note about ≈ stands where there is one", rounded == (FOOTNOTE in text), text)


def plain_of_latex(line):
    """A line of align* as a formula of the text form."""
    line = re.sub(r"(\d(?:\.\d+)?) \\cdot 10\^\{(-?\d+)\}", lambda m: f"{m.group(1)}e{int(m.group(2)):+03d}", line)
    line = line.replace("\\infty", "inf").replace("\\mathrm{nan}", "nan")
    line = re.sub(r"\\underbrace\{([^{}]*)\}_\{(\d+)\\ \\mathrm\{more\}\}", r"(\2 more: \1)", line)
    line = re.sub(r"\\exp\\left\(\\frac\{([^{}]*)\}\{([^{}]*)\}\\right\)", r"exp((\1) / \2)", line)
    line = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"\1 / \2", line)
    line = line.replace(" \\approx ", " ≈ ").replace("\\ldots", "…")
    return re.sub(r"^  (.*?) &= (.*) \\\\$", r"\1 = \2", line)


def comparable(formula):
    """A formula without its signs of multiplication and its brackets."""
    return re.sub(r" ?(×|\\cdot) ?", "*", formula).replace("[", "(").replace("]", ")")


def check_latex(name, text, plain):
    lines = text.rstrip("\n").split("\n")
    depth = 0
    for c in text:
        depth += (c == "{") - (c == "}")
        if depth < 0:
            break
    check(f"{name}: its braces close", depth == 0 and text.count("\\left") == text.count("\\right"), text)
    check(f"{name}: it is an align*", lines[0] == "\\begin{align*}" and lines[-1] == "\\end{align*}" and all(re.match(r"  .* &= .* \\\\$", line) for line in lines[1:-1]), text)
    check(f"{name}: it is ASCII", text.isascii(), text)
    formulas = [comparable(plain_of_latex(line).partition(" = ")[2]) for line in lines[1:-1] if "hidden" not in line and "undefined" not in line]
    wanted = [comparable(formula) for _, formula in equations(plain)]
    check(f"{name}: it says what the text says", formulas == wanted, formulas, wanted)


# ---- the cases ----

SETUP = """
set color never;
set tokens none;
unset temperature;
unset scale;
unset mask;
unset position;
unset heads;
unset digits;
"""
INPUTS = "Q = round(randn(5, 6, seed=3), 3)\nK = randn(5, 6, seed=4)\nV = randn(5, 4, seed=5)\n"
POSITIONS = ("none", "sinusoidal", "learned", "learned 2", "relative", "relative 0.35", "relative [0.5, 0.25, 0, -0.25, -0.5]", "alibi", "alibi 0.3", "rope")
MASKS = ("none", "causal", "window 1", "padding 3", "padding 0", "segments [0, 0, 1, 1, 0]", "banned", "(eye(5) < 1)", "extra", "extra and causal", "causal and window 2", "walls")
ARRAYS = "banned = eye(5) < 1\nextra = round(randn(5, 5, seed=6), 2)\nwalls = [0, -inf, 0, 0.5, -inf]\n"
TEMPERATURES, DIGITS = ("1", "0.3", "0", "inf", "7"), (4, 2, 8, 17)


class Cases:
    def __init__(self):
        self.script, self.expected = SETUP + INPUTS + ARRAYS, {}

    def add(self, name, digits, settings, places=((1, 2), (4, 0)), head="", tokens=None, inputs="attend Q K V;"):
        self.script += SETUP + f"set digits {digits};\n" + "".join(f"set {s};\n" for s in settings) + inputs + "\n"
        for i, j in places:
            key = f"{name}, query {i}{head}"
            self.script += marked(f"trace|{key}", f"trace {i}{head}") + marked(f"why|{key} key {j}", f"why {i} {j}{head}") + marked(f"latex|{key} key {j}", f"why {i} {j}{head} as latex")
            self.expected[key] = (digits, tokens)

    def run(self, columns=4000):
        found = sections(run(self.script, columns))
        for key, text in found.items():
            kind, _, name = key.partition("|")
            digits, tokens = self.expected[name.partition(" key ")[0]]
            if kind == "trace":
                guard(name, Trace, name, text, digits, tokens)
            elif kind == "why":
                guard(name, check_why, name, text, digits)
            else:
                guard(name, check_latex, f"{name} as latex", text, found["why|" + name])
        return found


def settings_cases():
    cases = Cases()
    digits, temperatures = itertools.cycle(DIGITS), itertools.cycle(TEMPERATURES)
    for n in DIGITS:
        cases.add(f"plain, digits {n}", n, [])
    for position in POSITIONS:
        for heads in (1, 2):
            if position == "rope" and heads == 2:
                continue  # three columns a head
            slope = position == "alibi 0.3" and heads == 2
            if slope:
                continue  # a slope is for one head
            for _ in range(2):
                d, t = next(digits), next(temperatures)
                cases.add(f"{position}, {heads} heads, digits {d}, temperature {t}", d, [f"position {position}", f"heads {heads}", f"temperature {t}"],
                          head=" head 1" if heads == 2 else "")
        next(temperatures)
    for mask in MASKS:
        for scale in ("sqrt", "none", "0.7"):
            d, t = next(digits), next(temperatures)
            cases.add(f"mask {mask}, scale {scale}, digits {d}, temperature {t}", d, [f"mask {mask}", f"scale {scale}", f"temperature {t}"])
    for mask, position in itertools.product(("causal", "extra", "padding 3 and extra"), ("alibi", "relative 0.35", "sinusoidal")):
        d, t = next(digits), next(temperatures)
        cases.add(f"mask {mask}, position {position}, digits {d}, temperature {t}", d, [f"mask {mask}", f"position {position}", f"temperature {t}"])
    tokens = ["the", 'say "no"', "it's", "中文", "a=b ≈ c: d"]
    listed = "[" + ", ".join("'" + t.replace("'", "\\'") + "'" for t in tokens) + "]"
    for d in DIGITS:
        cases.add(f"tokens, digits {d}", d, [f"tokens {listed}", "mask causal"], tokens=tokens)
    cases.run()


def projection_cases():
    cases = Cases()
    cases.script += "X = randn(5, 6, seed=7)\nY = randn(7, 6, seed=8)\n"
    given = {"all of Wq Wk Wv Wo": "Wq Wk Wv Wo", "Wk alone": "Wk", "Wq alone": "Wq", "none": ""}
    for what, names in given.items():
        weights = "\n".join(f"{name} = randn(6, {8 if names == 'Wq Wk Wv Wo' else 6}, seed={i})" if name != "Wo" else "Wo = randn(8, 6, seed=9)" for i, name in enumerate(names.split()))
        for heads, position in itertools.product((1, 2), ("none", "sinusoidal", "rope", "alibi")):
            if position == "rope" and heads == 2 and names != "Wq Wk Wv Wo":
                continue
            for inputs in ("attend X;", "attend X from Y;"):
                cases.add(f"{what}, {heads} heads, {position}, {inputs}", 4, [f"heads {heads}", f"position {position}"], places=((2, 3),), head=" head 1" if heads == 2 else "",
                          inputs=f"{weights}\n{inputs}")
        cases.script += "\n".join(f"del {name}" for name in names.split()) + "\n"
    cases.run()


def number_cases():
    cases = Cases()
    arrays = {"wide": ("randn(4, 64, seed=1)", "randn(6, 64, seed=2)", "randn(6, 3, seed=3)"),
              "40 keys": ("randn(4, 5, seed=1)", "randn(40, 5, seed=2)", "randn(40, 3, seed=3)"),
              "200 keys": ("randn(4, 5, seed=1)", "randn(200, 5, seed=2)", "randn(200, 30, seed=3)"),
              "float32": ("float32(randn(4, 6, seed=1))", "float32(randn(6, 6, seed=2))", "float32(randn(6, 3, seed=3))"),
              "negative": ("-abs(randn(4, 5, seed=1))", "-abs(randn(6, 5, seed=2))", "-abs(randn(6, 3, seed=3))"),
              "huge": ("1e150 * randn(4, 5, seed=1)", "1e150 * randn(6, 5, seed=2)", "1e300 * randn(6, 3, seed=3)"),
              "large": ("1234567 * randn(4, 5, seed=1)", "1000 * randn(6, 5, seed=2)", "1e9 * randn(6, 3, seed=3)"),
              "tiny": ("1e-150 * randn(4, 5, seed=1)", "1e-150 * randn(6, 5, seed=2)", "1e-300 * randn(6, 3, seed=3)"),
              "small": ("1e-3 * randn(4, 5, seed=1)", "1e-4 * randn(6, 5, seed=2)", "1e-6 * randn(6, 3, seed=3)"),
              "ties": ("ones((4, 2))", "array([[1, 2], [1, 2], [0, 1], [1, 2], [3, -7], [0, 0]])", "arange(18).reshape(6, 3)"),
              "whole": ("arange(20).reshape(4, 5)", "arange(30).reshape(6, 5) - 15", "100 * arange(18).reshape(6, 3)"),
              "one key": ("randn(4, 5, seed=1)", "randn(1, 5, seed=2)", "randn(1, 3, seed=3)"),
              "zeros": ("zeros((4, 5))", "zeros((6, 5))", "zeros((6, 3))"),
              "nan": ("where(arange(20).reshape(4, 5) == 6, nan, 1)", "randn(6, 5, seed=2)", "randn(6, 3, seed=3)"),
              "inf": ("where(arange(20).reshape(4, 5) == 6, inf, 1)", "randn(6, 5, seed=2)", "randn(6, 3, seed=3)"),
              "nan and gaps": ("ones((4, 5))", "where(arange(200).reshape(40, 5) == 6, nan, 1)", "ones((40, 3))")}
    for name, (q, k, v) in arrays.items():
        last = 0 if name == "one key" else 5
        for digits, temperature in itertools.product(DIGITS, ("1", "0", "0.3")):
            cases.add(f"{name}, digits {digits}, temperature {temperature}", digits, [f"temperature {temperature}"], places=((1, last), (3, 0)), inputs=f"Q = {q}; K = {k}; V = {v}\nattend Q K V;")
    cases.run()


def narrow_cases():
    """In a window of 80 columns the same words stand, in more lines; a table may leave out columns, and says so."""
    script = SETUP + INPUTS + "attend Q K V;\n" + "".join(marked(f"{i}", f"trace {i}\nwhy {i} 0") for i in range(5))
    wide, narrow = sections(run(script)), sections(run(script, 80))
    for name in wide:
        check(f"trace {name} at 80 columns", wide[name].split() == narrow[name].split(), narrow[name])
        check(f"trace {name} fits 80 columns", all(len(line) <= 80 for line in narrow[name].split("\n")), narrow[name])


settings_cases()
projection_cases()
number_cases()
narrow_cases()
