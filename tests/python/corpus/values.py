"""Compares what two programs printed as values: numbers by size and all else as text.

`5` equals `5.0`, white space counts for nothing, and an array reads the same in NumPy's layout,
as it is inside a list there (`array([1., 2.])`), and in attn's (`[1, 2]`).
"""
import re

NUMBER = r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w)"
TOKEN = re.compile(rf"(?<![\w.])(?P<number>{NUMBER})|\w+|[^\w\s]")
ARRAY = re.compile(r"\barray\(([^()]*?)(?:,\s*dtype=[^()]*)?\)")
NOT_FINITE = {"nan": float("nan"), "inf": float("inf")}
RELATIVE = 1e-6
ABSOLUTE = 1e-12


class Token:
    def __init__(self, text, start, is_number=False):
        self.text = text
        self.start = start
        self.number = float(text) if is_number else NOT_FINITE.get(text)

    def equals(self, other):
        a, b = self.number, other.number
        if a is None or b is None:
            return self.text == other.text
        return a == b or (a != a and b != b) or abs(a - b) <= max(RELATIVE * max(abs(a), abs(b)), ABSOLUTE)


def tokens_of(text):
    """The tokens of a text; within brackets, a comma separates no more than a space does, and a
    point may end a number (`[1. 2.]`), which elsewhere ends a sentence."""
    found, depth = [], 0
    for match in TOKEN.finditer(text):
        token, is_number = match.group(), match["number"] is not None
        depth += (token == "[") - (token == "]")
        ends = is_number and token.endswith(".") and depth <= 0
        if token != "," or depth <= 0:
            found.append(Token(token.rstrip(".") if ends else token, match.start(), is_number))
        if ends:
            found.append(Token(".", match.end() - 1))
    return found


def line_at(text, position):
    return text[text.rfind("\n", 0, position) + 1 :].split("\n", 1)[0].strip()


def first_difference(expected, got):
    """None, or the two lines in which the first difference stands."""
    for _ in range(3):  # arrays in lists of lists
        expected, got = ARRAY.sub(r"\1", expected), ARRAY.sub(r"\1", got)
    a, b = tokens_of(expected), tokens_of(got)
    for x, y in zip(a, b):
        if not x.equals(y):
            return line_at(expected, x.start), line_at(got, y.start)
    if len(a) == len(b):
        return None
    longer, text = (a, expected) if len(a) > len(b) else (b, got)
    line = line_at(text, longer[min(len(a), len(b))].start)
    return (line, "(ends here)") if len(a) > len(b) else ("(ends here)", line)
