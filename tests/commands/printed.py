"""What the commands of the bench print, taken apart: run in a terminal as wide as need be, cut into what each command
said, tables into columns, formulas into what they come to."""
import fcntl
import math
import os
import pathlib
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata

sys.dont_write_bytecode = True
ATTN = os.path.abspath(os.environ.get("ATTN") or pathlib.Path(__file__).resolve().parents[2] / "attn")
MARK = "@@@@"
passed = failed = 0


def check(name, right, *what):
    """Counts one test; says what was there instead when it is not right."""
    global passed, failed
    if right:
        passed += 1
        return True
    failed += 1
    if failed <= 40:
        print(name, *(f"    {str(part)[:1500]}" for part in what), sep="\n")
    return False


# ---- running ----

def run(script, columns=4000, folder=None, timeout=120):
    """The script's output as a terminal of so many columns gets it; an error of it raises."""
    master, slave = os.openpty()
    attributes = termios.tcgetattr(slave)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = dict(os.environ, TERM="xterm", LC_ALL="C.UTF-8", NO_COLOR="1", HOME="/nonexistent", XDG_CONFIG_HOME="/nonexistent", XDG_STATE_HOME="/nonexistent")
    with tempfile.NamedTemporaryFile("w", suffix=".attn", dir=folder, encoding="utf-8") as file:
        file.write(script)
        file.flush()
        child = subprocess.Popen([ATTN, "--quiet", file.name], stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE, env=env, cwd=folder)
        # Our end of the terminal stays open: once the last one is closed, a reader may be told that
        # it has ended before all of it has arrived.
        parts = []
        while True:
            ended = child.poll() is not None
            if select.select([master], [], [], 0 if ended else 0.05)[0]:
                parts.append(os.read(master, 1 << 16))
            elif ended:
                break
        errors = child.stderr.read().decode()
        child.stderr.close()
    os.close(slave)
    os.close(master)
    if child.returncode:
        raise RuntimeError(f"status {child.returncode}: {errors}")
    return b"".join(parts).decode()


def sections(output):
    """name -> what came after print(MARK + name), in order."""
    found = {}
    for part in output.split(MARK)[1:]:
        name, _, text = part.partition("\n")
        assert name not in found, name
        found[name] = text
    return found


def marked(name, code):
    return f'print("{MARK}{name}")\n{code}\n'


# ---- numbers ----

def shown(x, digits):
    """The number that stands there when x is written with so many digits."""
    if math.isnan(x) or math.isinf(x) or (x == math.floor(x) and abs(x) < 1e16):
        return x
    whole_part = digits <= 16 and 10 ** digits <= abs(x) < 1e16
    return round(x) if whole_part else float(f"{x:.{digits - 1}e}")


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


class Column:
    """A column as it is printed: the texts, their numbers (None: empty), and what another number would look like in it."""

    def __init__(self, texts):
        self.texts = texts
        self.numbers = [None if text in ("", "·") else float(text) for text in texts]
        finite = [text for text in texts if text not in ("", "·", "nan", "inf", "-inf")]
        self.exponent = any("e" in text for text in finite)
        self.decimals = max((len(text.partition("e")[0].partition(".")[2]) for text in finite), default=0)

    def look(self, x):
        if math.isnan(x) or math.isinf(x):
            return x
        return float(f"{x:.{self.decimals}{'e' if self.exponent else 'f'}}")


# ---- tables ----

def in_cells(line):
    """One character for each column of the terminal."""
    return "".join(c + "\0" if unicodedata.east_asian_width(c) in "WF" else c for c in line if not unicodedata.combining(c))


def table(lines, titles=None):
    """{title: Column} and the row labels; columns are flush right below their titles. titles: those to look for (with spaces in
    them), in order; without, whatever stands two spaces apart."""
    cells = [in_cells(line) for line in lines]
    head = cells[0]
    if titles is None:
        spans = [(m.group(0), m.end()) for m in re.finditer(r"\S+(?: \S+)*", head)][1:]
    else:
        spans, at = [], 0
        for title in titles:
            at = head.index(title, at) + len(in_cells(title))
            spans.append((title, at))
    columns, begin = {}, None
    for title, end in spans:
        texts = []
        for row in cells[1:]:
            left = begin
            if left is None:  # the first column may be wider than its title
                left = end
                while left > 0 and left <= len(row) and row[left - 1] not in " \0":
                    left -= 1
            texts.append(row[left:end].replace("\0", "").strip())
        columns[title] = Column(texts)
        begin = end
    return columns, [row.replace("\0", "").strip() for row in cells[1:]]


# ---- formulas ----

def exp(x):
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def guard(name, test, *given):
    """A test that does not find what it looks for has failed."""
    try:
        test(*given)
    except (ValueError, KeyError, IndexError, AttributeError, AssertionError, StopIteration, SyntaxError, NameError, TypeError) as problem:
        check(f"{name}: can be read", False, repr(problem), *given)


def cos(x):
    return math.cos(x) if math.isfinite(x) else math.nan


def sin(x):
    return math.sin(x) if math.isfinite(x) else math.nan


class Number(float):
    """A float whose arithmetic is IEEE's: no exceptions."""

    def __truediv__(self, other):
        if other == 0:
            return Number(math.nan if self == 0 or math.isnan(self) else math.copysign(math.inf, self) * math.copysign(1, other))
        return Number(float(self) / float(other))

    def __add__(self, other): return Number(float(self) + float(other))
    def __sub__(self, other): return Number(float(self) - float(other))
    def __mul__(self, other): return Number(float(self) * float(other))
    def __neg__(self): return Number(-float(self))


NAMES = {"exp": lambda x: Number(exp(x)), "cos": lambda x: Number(cos(x)), "sin": lambda x: Number(sin(x)), "sqrt": lambda x: Number(math.sqrt(x)), "ln": lambda x: Number(math.log(x)), "N": Number,
         "__builtins__": {}}


def value(formula):
    """What a formula comes to when its numbers are what stands there."""
    code = re.sub(r"\(\d+ more: ", "(", formula).replace("×", "*").replace(" - -", " - (-1)*").replace("√", "sqrt ")
    code = re.sub(r"(sqrt|ln) (\d+)", r"\1(\2)", code)
    code = re.sub(r"(?<![\w.])(\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)", lambda m: f"N('{m.group(1)}')", code)
    return float(eval(code, NAMES))


def vector(text):
    """[1, 2, …, 3] as texts; None where numbers are left out."""
    return [None if item == "…" else float(item) for item in text.strip("[]()").split(", ")] if text.strip("[]()") else []


RELATION = re.compile(r" ([=≈]) ")


def check_equation(name, line, digits):
    """The last relation of a line must be the right one: = where what stands left of it comes to what stands right of it."""
    parts = RELATION.split(line)
    if len(parts) < 3:
        return False
    left, relation, right = parts[-3], parts[-2], parts[-1]
    if right.startswith(("[", "(")) and "[" in right:
        equal = vector_equal(left, vector(right), digits)
    else:
        equal = same(shown(value(left), digits), float(right))
    check(name, relation == ("=" if equal else "≈"), line, f"left: {left}")
    return relation == "≈"


def vector_equal(left, right, digits):
    """weight × [..], or [..] + [..]: number by number."""
    factor, _, rest = left.rpartition(" × ")
    if factor:
        w = float(factor)
        numbers = [None if x is None else 0.0 if w == 0 else w * x for x in vector(rest)]
    else:
        a, b = (vector(part) for part in left.split("] + ["))
        numbers = [None if x is None else x + y for x, y in zip(a, b)]
    assert len(numbers) == len(right), left
    return all(x is None or same(shown(x, digits), y) for x, y in zip(numbers, right))
