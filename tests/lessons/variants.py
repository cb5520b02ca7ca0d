"""Solutions of lessons with something changed, and whether an exercise's checks take them.

A mutant is a solution with one number, sign, operator, axis or name changed: the checks must refuse
it, unless it comes to the same, and then it stands with its reason in equivalent.txt. A rewrite is
another right answer: rewrites/NAME.md holds them, and the checks must take each.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
LESSONS = HERE.parents[1] / "lessons"
ATTN = os.path.abspath(os.environ.get("ATTN") or HERE.parents[1] / "attn")
# What hangs is ended after so long; an emulated machine needs more.
SECONDS = float(os.environ.get("TEST_SECONDS", 600))

BLOCK = re.compile(r"^```attn ?([a-z]*)([^\n]*)\n(.*?)^```\n", re.M | re.S)
TRAINS = re.compile(r"\btrain[ (]+(\w+)")
MADE = re.compile(r"^ *(?:def )?(\w+)(?: = |\()", re.M)
LEAST_RIGHT, LEAST_WRONG = 2, 4  # of an exercise
PASSES = re.compile(r":(\d+): the wrong attempt passes the checks")


def columns(line):
    """How wide a terminal shows a line."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def wide(text):
    """The lines of code and the formulas that do not fit 80 columns where a lesson shows them."""
    code = [line for kind, _, block in BLOCK.findall(text) if kind in ("", "error", "solution")
            for line in block.splitlines()]
    formulas = [line[4:] for line in BLOCK.sub("", text).splitlines() if line.startswith("    ")]
    return [line for line in code + formulas if columns(line) > 76]


def lacks(path):
    """What a lesson has less of than it should: exercises, predictions, attempts, narrow lines."""
    text = path.read_text(encoding="utf-8")
    kinds = [kind for kind, _, _ in BLOCK.findall(text)]
    attempts, found = {}, [f"wider than 76 columns: {line}" for line in wide(text)]
    for kind, attributes, _ in BLOCK.findall(text):
        if kind == "exercise":
            name = re.search(r"#([\w-]+)", attributes)[1]
            attempts[name] = {"right": 0, "wrong": 0}
        elif kind in ("right", "wrong"):
            attempts[name][kind] += 1
    if path.name in ("TEMPLATE.md", "27-what-now.md"):  # the last page of the course asks nothing
        return found
    for name, count in attempts.items():
        if count["right"] < LEAST_RIGHT or count["wrong"] < LEAST_WRONG:
            found.append(f"{name} has {count['right']} right and {count['wrong']} wrong attempts")
    if kinds.count("exercise") + kinds.count("choice") < 4:
        found.append("fewer than 4 exercises")
    if kinds.count("predict") < 3:
        found.append("fewer than 3 predictions")
    return found


class Exercise:
    """An exercise: what runs before it, its own checks, its solution, its other right answers."""

    def __init__(self, lesson, name, before, checks, solution):
        self.lesson, self.name, self.before, self.checks, self.solution = lesson, name, before, checks, solution
        self.trains = False

    def leave_out_trainings(self):
        """Leaves out the cells before it that train, and what hangs on these: its attempts would take
        minutes. Where the exercise itself hangs on them, they stay, and trains is true."""
        names, kept = set(), []
        for kind, text in self.before:
            trained = TRAINS.findall(text)
            if trained or names.intersection(re.findall(r"\w+", text)):
                names.update(trained, MADE.findall(text))
            else:
                kept.append((kind, text))
        own = "\n".join([*self.checks, self.solution])
        if TRAINS.search(own) or names.intersection(re.findall(r"\w+", own)):
            self.trains = True
        else:
            self.before = kept


def exercises(path):
    """The exercises of a lesson, in their order."""
    found, before, open_exercise = [], [], None
    for kind, attributes, text in BLOCK.findall(path.read_text(encoding="utf-8")):
        if kind == "exercise":
            open_exercise = Exercise(path.stem, re.search(r"#([\w-]+)", attributes)[1], list(before), [], None)
            found.append(open_exercise)
        elif kind == "check":
            open_exercise.checks.append(text)
        elif kind == "solution":
            open_exercise.solution = text
            before.append(("", text))
        elif kind in ("", "error"):
            before.append((f" {kind}{attributes}".rstrip(), text))
    for exercise in found:
        exercise.leave_out_trainings()
    return found


def taken(exercise, attempts):
    """For each attempt whether the checks take it. All are tried by one run of attn check."""
    lines = []

    def block(kind, text):
        lines.extend([f"```attn{kind}", *text.rstrip("\n").split("\n"), "```", ""])

    for kind, text in exercise.before:
        block(kind, text)
    block(" exercise {#asked}", "Solve it.")
    for text in exercise.checks:
        block(" check", text)
    places = []
    for attempt in attempts:
        places.append(len(lines) + 1)
        block(" wrong", "# refused\n" + attempt)
    block(" solution", exercise.solution)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "tried.md").write_text("\n".join(lines), encoding="utf-8")
        result = subprocess.run([ATTN, "check", "tried.md"], cwd=folder, text=True, encoding="utf-8",
                                stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                                env=dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR="1"))
    said = result.stdout + result.stderr
    for finding in re.findall(r"tried\.md:(\d+): (the solution.*|.* error: .*)", said):
        if int(finding[0]) < places[0] or finding[1].startswith("the solution"):
            raise AssertionError(f"{exercise.lesson} {exercise.name}: {finding[1]}")
    passed = {int(line) for line in PASSES.findall(said)}
    return [place in passed for place in places]


# What is changed, one place at a time.
SWAPS = [
    (r"(?<=[\w)\]] )\+(?= )", "-"), (r"(?<=[\w)\]] )-(?= )", "+"), (r" \* ", " / "), (r" / ", " * "),
    (r" @ ", " * "), (r"\*\*", "*"), (r"(?<![\w)\] ])-(?=[\w(])", ""), (r"\.T\b", ""), (r" < ", " > "),
    (r" > ", " < "), (r" == ", " != "), (r" and ", " or "), (r"\bsin\(", "cos("), (r"\bcos\(", "sin("),
    (r"\bsqrt\(", "("), (r"\bexp\(", "log("), (r"\blog\(", "exp("), (r"\bsum\(", "mean("),
    (r"\bmax\(", "min("), (r"\bmin\(", "max("), (r"\bargmax\(", "argmin("), (r"\bsoftmax\(", "("),
    (r"axis=-?1", "axis=0"), (r"axis=0", "axis=1"), (r"\bTrue\b", "False"), (r"\bFalse\b", "True"),
    (r"-inf\b", "0"), (r"(?<!-)\binf\b", "1"), (r"\bcausal_mask\(", "padding_mask("), (r" & ", " | "),
    (r"\bcausal\b(?!_)", "none"), (r"\bwindow\b(?= \d)", "padding"), (r"\barange\(", "ones("),
    (r"\bK\b", "V"), (r"\bQ\b", "K"),
]


def mutants(solution):
    """The solution with one place changed, each once."""
    found = []

    def add(begin, end, text):
        changed = solution[:begin] + text + solution[end:]
        if changed != solution and changed not in found:
            found.append(changed)

    for pattern, text in SWAPS:
        for place in re.finditer(pattern, solution):
            add(*place.span(), text)
    for place in re.finditer(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", solution):
        number = place[0]
        value = float(number)
        for other in (value + 1, value * 2, value - 1, -value, value * 1.5):
            add(*place.span(), f"{other:g}" if "." in number or other != int(other) else str(int(other)))
    return found


def equivalents():
    """What equivalent.txt holds: the mutants that come to the same, as (lesson, exercise, changed line)."""
    known = set()
    for line in (HERE / "equivalent.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            lesson, exercise, changed = line.split(" | ")[:3]
            known.add((lesson, exercise, changed.strip()))
    return known


def changed_line(solution, mutant):
    """The line in which a mutant differs."""
    pairs = zip(solution.split("\n"), mutant.split("\n"))
    return next(new.strip() for old, new in pairs if old != new)


def rewrites(lesson):
    """The other right answers to each exercise of a lesson, by its name."""
    found, name = {}, None
    path = HERE / "rewrites" / f"{lesson}.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for heading, code in re.findall(r"^## ([\w-]+)$|^```\n(.*?)^```$", text, re.M | re.S):
        if heading:
            name = heading
        else:
            found.setdefault(name, []).append(code)
    return found
