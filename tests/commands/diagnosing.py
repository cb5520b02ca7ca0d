"""diagnose: each finding on matrices made to have that fault and no other, silence on healthy ones, and the remedy that a
finding names, typed in, removes it. Every finding is made again in NumPy from the weights and scores of the run."""
import json
import math
import pathlib
import re
import tempfile

import numpy as np

from printed import check, guard, marked, run, sections

FOLDER = tempfile.TemporaryDirectory(prefix="attn-commands-")
START = "set color never; set language en;\nreset\n"


class Case:
    """Q, K, V with settings; expected: the findings that must be named; allowed: those that may go with them by nature."""

    def __init__(self, name, q, k, expected, settings="", allowed=()):
        self.name, self.expected, self.allowed, self.settings = name, set(expected), set(allowed), settings
        self.files = []
        for letter, array in zip("QKV", (q, k, np.ones((len(k), 2)) * np.arange(len(k))[:, None])):
            self.files.append(f"{FOLDER.name}/{len(cases)}{letter}.npy")
            np.save(self.files[-1], array)
        cases.append(self)

    def script(self):
        inputs = "".join(f'{letter} = load("{path}")\n' for letter, path in zip("QKV", self.files))
        return START + inputs + "attend Q K V;\n" + self.settings + "attend;\n"


EVEN = "spread evenly"
WORDS = f"saturated|{EVEN}|empty|variance|mask|aliases"
cases = []
found_of = {}


def findings(text):
    """word -> its sentence, of what diagnose said."""
    parts = re.split(rf"^({WORDS}): ", text, flags=re.M)[1:]
    return {word: sentence.strip() for word, sentence in zip(parts[::2], parts[1::2])}


def expected_of(numbers):
    """The findings as the definition has them, from weights, scores and what is seen."""
    weights, scores, seen = (np.array(numbers[name], float) for name in ("weights", "scores", "seen"))
    weights, scores, seen = (x.reshape(-1, x.shape[-1]) for x in (weights, scores, seen))
    seen = np.broadcast_to(seen.astype(bool), weights.shape) if seen.shape == weights.shape else np.concatenate([seen.astype(bool)] * (len(weights) // len(seen)))
    words, variances = set(), []
    for w, s, v in zip(weights, scores, seen):
        if v.sum() == 0:
            words.add("empty")
        if v.sum() < 2:
            continue
        if w.max() > 0.99:
            words.add("saturated")
        if -sum(p * math.log(p) for p in w if p > 0) > 0.99 * math.log(v.sum()):
            words.add(EVEN)
        variances.append(np.var(s[v]))
    if variances and not 0.25 <= np.mean(variances) <= 4:
        words.add("variance")
    return words


# ---- the faults ----

def spread(random, rows, keys, width, variance):
    """Q and K whose scores have about the wanted variance in every row, so that no row falls out of it by chance."""
    k = random.standard_normal((keys, width))
    q = random.standard_normal((rows, width))
    s = q @ k.T / math.sqrt(width)
    return q * np.sqrt(variance / s.var(axis=1))[:, None], k


def healthy(random, n, d):
    return random.standard_normal((n, d)), random.standard_normal((n, d))


def make_cases():
    random = np.random.default_rng(7)
    for i in range(50):
        n, d = int(random.integers(16, 65)), int(random.integers(8, 65))
        Case(f"healthy {i}, {n} rows of {d}", *healthy(random, n, d), ())
    for i in range(20):
        # One row has a single large score: the mean variance stays within bounds.
        n, d = 16 + i, 24 + i
        q, k = spread(random, n, n, d, 0.9)
        q[3] = math.sqrt(d) * (9 + i / 20) * np.linalg.pinv(k)[:, 5]
        Case(f"saturated {i}", q, k, {"saturated"})
    for i in range(20):
        q, k = spread(random, 12 + i, 12 + i, 16, 1.0)
        q[i % 12] *= 0.01
        Case(f"collapsed {i}", q, k, {EVEN})
    for i in range(20):
        # Rows of a window are empty beside a padding; the others see their one key or two alike-sized groups.
        n = 10 + i
        q, k = spread(random, n, n, 16, 1.0)
        hidden = random.random((n, n)) < 0.2
        hidden[i % 10] = True
        np.save(f"{FOLDER.name}/hidden{i}.npy", hidden)
        Case(f"empty {i}", q, k, {"empty"}, settings=f'seen = ~load("{FOLDER.name}/hidden{i}.npy")\nset mask seen;\n')
    for i in range(20):
        # Two groups of keys at some distance: a high variance, and no key alone.
        n, d = 12 + 2 * i, 8
        k = np.where(np.arange(n)[:, None] % 2 == 0, 1.0, -1.0) * np.ones((n, d)) + 0.01 * random.standard_normal((n, d))
        q = np.ones((n, d)) * (2.2 + i / 50) / math.sqrt(d) + 0.01 * random.standard_normal((n, d))
        Case(f"variance high {i}", q, k, {"variance"})
    for i in range(20):
        # Low, but not yet alike: the entropy falls by half the variance.
        q, k = spread(random, 10, 3 + i % 3, 16, 0.16)
        Case(f"variance low {i}", q, k, {"variance"}, allowed={EVEN})
    for i in range(20):
        # Positions of their own, that add next to nothing to the scores of wide inputs.
        q, k = spread(random, 12 + i, 12 + i, 16, 1.0)
        Case(f"aliases, learned {i}", q * 1, k * 1, {"aliases"}, allowed={"saturated", "variance"}, settings=f"set position learned {1 + i % 8};\n")
    for i in range(20):
        q, k = spread(random, 50 + i, 50 + i, 2, 1.0)
        Case(f"aliases, rope {i}", q, k, {"aliases"}, allowed={"saturated", "variance"}, settings="set position rope;\n")
    for i in range(20):
        q, k = spread(random, 50 + i, 50 + i, 2, 1.0)
        Case(f"aliases, sinusoidal {i}", q, k, {"aliases"}, allowed={"saturated", "variance", EVEN}, settings="set position sinusoidal;\n")
        # Four columns bring places six apart to a cosine of 0.98, which is none.
        q, k = spread(random, 12, 12, 4, 1.0)
        Case(f"positions that are told apart {i}", q, k, (), allowed={"saturated", "variance", EVEN}, settings="set position sinusoidal;\n")
        q, k = spread(random, 12, 12, 16, 1.0)
        Case(f"rows that see one key are not judged {i}", q, k, (), settings="set mask ((eye(12) > 0) | (arange(12)[:, None] > 1));\n")
    for i in range(20):
        n = 8 + i
        q, k = spread(random, n, n, 16, 1.0)
        np.save(f"{FOLDER.name}/mask{i}.npy", np.tril(np.ones((n, n))))
        form = ("set mask M;", "set mask M and window 30;", "set mask (M);", "set mask window 30 and M;")[i % 4] if n * n <= 64 or i % 4 != 2 else "set mask M;"
        Case(f"additive mask {i}", q, k, {"mask"}, settings=f'M = load("{FOLDER.name}/mask{i}.npy")\n{form}\n')


def settings_at_fault():
    """Healthy inputs, and settings that are the fault: the remedy is the setting."""
    random = np.random.default_rng(8)
    for i in range(10):
        q, k = spread(random, 16, 16, 64, 1.0)
        Case(f"no scale {i}", q, k, {"variance", "saturated"}, settings="set scale none;\n")
        Case(f"cold {i}", q, k, {"saturated"}, settings=f"set temperature {0.02 * i};\n")
        Case(f"hot {i}", q, k, {EVEN}, settings=f"set temperature {'inf' if i == 0 else 20 * i};\n")
        Case(f"small scale {i}", q, k, {"variance", EVEN}, settings="set scale 0.001;\n")
        Case(f"scale 0 {i}", q, k, {"variance", EVEN}, settings="set scale 0;\n")
        Case(f"scale past all bounds {i}", q, k, {"variance", "saturated"}, settings="set scale 1e200;\n")
        Case(f"steep position {i}", q, k, {"variance", "saturated"}, settings="set position relative 20;\n")
        Case(f"padding 0 {i}", q, k, {"empty"}, settings="set mask padding 0;\n")
        Case(f"two heads {i}", np.concatenate([q, q * 9], axis=1), np.concatenate([k, k], axis=1), {"saturated", "variance"}, settings="set heads 2;\n")
    Case("nothing to tell apart", np.zeros((6, 4)), np.ones((6, 4)), {EVEN, "variance"})


# ---- the test ----

def state():
    return 'print(json(record(weights=last.weights, scores=last.scores)))\n'


def check_findings(case, text, numbers):
    named = findings(text)
    pattern = rf"(not finite: .*\n|({WORDS}): .*\n  (.*: set .*|no setting that was tried mends it, other inputs may)\n)+|nothing wrong in .*\n|nothing to judge: .*\n"
    check(f"{case.name}: each finding is a line, and below it what mends it", re.fullmatch(pattern, text), text)
    check(f"{case.name}: what it was made for is found", case.expected <= set(named), text)
    check(f"{case.name}: nothing else is", set(named) <= case.expected | case.allowed, text)
    own = {"saturated", EVEN, "empty", "variance"}
    numbers["seen"] = (np.array(numbers["weights"]) > 0) | (np.array(numbers["scores"]) > -np.inf)
    if "empty" not in case.expected and "mask" not in case.settings and "temperature 0;" not in case.settings:
        check(f"{case.name}: as the definitions have it", expected_of(numbers) == set(named) & own, text, expected_of(numbers))
    if not named and not text.startswith(("not finite", "nothing to judge")) and "mask" not in case.settings:
        check_figures(case, text, numbers)
    return named


def check_figures(case, text, numbers):
    """Where nothing is wrong the line tells the figures that were looked at."""
    told = [float(x) for x in re.findall(r"(?:is|entropy|scores) ([\d.e+-]+)", text)]
    weights, scores, seen = (np.array(numbers[name], float) for name in ("weights", "scores", "seen"))
    rows = [(w, s[v > 0], v.sum()) for w, s, v in zip(weights, scores, seen) if v.sum() >= 2]
    wanted = [max(w.max() for w, _, _ in rows), max(-sum(p * math.log(p) for p in w if p > 0) / math.log(n) for w, _, n in rows), np.mean([np.var(s) for _, s, _ in rows])]
    check(f"{case.name}: the figures", len(told) == 3 and np.allclose(told, wanted, rtol=1e-3), text, wanted)


def non_finite():
    """The first number that is not finite is named, with the queries whose weights and outputs it reaches."""
    begin = START + "Q = randn(3, 4); K = randn(3, 4); V = randn(3, 2);\n"
    cases = {
        "Q[1, 2] = nan": ("Q[1, 2] is nan;", [1], [1]),
        "K[0, 1] = inf; K[2, 1] = nan": ("K[0, 1] is inf, the first of 2 such numbers;", [0, 1, 2], [0, 1, 2]),
        "V[2, 1] = -inf": ("V[2, 1] is -inf;", [], [0, 1, 2]),
        "M = zeros((3, 3)); M[1, 0] = nan; set mask M;": ("M[1, 0] is nan;", [1], [1]),
        "M = zeros((3, 3)); M[1, 0] = -inf; set mask M;": (None, [], []),
        "Q = Q * 1e300; K = K * 1e300": ("the inputs are finite, but so large that what is computed is not;", None, None),
        "set mask causal; K[2, 0] = nan": ("K[2, 0] is nan;", [2], [2]),
    }
    for (name, (place, weights, outputs)), text in zip(cases.items(), sections(run("".join(begin + code + "\nattend Q K V;\n" + marked(code, "diagnose") + "reset\n" for code in cases))).values()):
        if place is None:
            check(f"{name}: nothing is not finite", "not finite" not in text, text)
            continue
        check(f"{name}: its place", f"not finite: {place}" in text, text)
        for what, rows in (("weights", weights), ("outputs", outputs)):
            told = re.search(rf"the {what} of (?:all (\d) queries|(\d) of 3 queries) are not finite(?: \(([\d, ]+)\))?", text)
            found = [] if not told else list(range(3)) if told[1] else [int(x) for x in told[3].split(", ")]
            check(f"{name}: the {what}", rows is None or found == rows, text)


def changed_inputs():
    """In a script the result stays when an input changes: no setting is tried on inputs that are not its own."""
    text = run(START + "Q = 20 * eye(2); K = eye(2); V = eye(2)\nattend Q K V;\nQ = eye(2)\ndiagnose\n")
    check("changed inputs: what was found is of those before", "(before Q changed)" in text and {"saturated", "variance"} == set(findings(text)), text)
    check("changed inputs: no setting is named", text.count("\n  for the inputs as they are now: attend; diagnose\n") == 2 and "  more" not in text, text)


def main():
    changed_inputs()
    make_cases()
    settings_at_fault()
    non_finite()
    found = sections(run("".join(case.script() + marked(f"{i}", "diagnose") + marked(f"{i} numbers", state()) for i, case in enumerate(cases))))
    again = ""
    for i, case in enumerate(cases):
        def one(text, numbers):
            found_of[i] = check_findings(case, text, numbers)
        guard(case.name, one, found[str(i)], json.loads(found[f"{i} numbers"]))
        for word, sentence in found_of.get(i, {}).items():
            remedy = re.search(r"(set [^:]*)$", sentence)
            if not remedy:
                check(f"{case.name}: {word} names a remedy, or that there is none", "no setting that was tried mends it" in sentence and np.ptp(np.load(case.files[0])) == 0, sentence)
                continue
            again += case.script() + remedy.group(1) + ";\n" + marked(f"{i} {word}", "diagnose")
            if word in ("saturated", EVEN, "variance"):
                check(f"{case.name}: {word} counts", "of" in sentence or "variance" in sentence, sentence)
    mended = sections(run(again))
    for key, text in mended.items():
        i, word = key.split(" ", 1)
        check(f"{cases[int(i)].name}: the remedy removes {word}", word not in findings(text), found_of[int(i)][word], text)
    settings_only = [i for i, case in enumerate(cases) if re.match(r"(cold|hot|no scale|small scale|scale 0|scale past all bounds|padding 0) ", case.name)]
    for i in settings_only:
        for word in found_of[i]:
            check(f"{cases[i].name}: after the remedy of {word} nothing is left", re.fullmatch("nothing (wrong|to judge).*\\n", mended[f"{i} {word}"]), mended[f"{i} {word}"])


main()
FOLDER.cleanup()
