"""sweep, compare, diff, trace and why against attention written anew in NumPy, one loop per definition."""
import json
import math
import pathlib
import re
import tempfile

import numpy as np

from printed import check, guard, in_cells, marked, run, sections, table, vector

DIGITS = 10
SIGNIFICANT = 3e-9  # of the largest number of a table


# ---- attention, as the definition has it ----

class Bench:
    """Q, K, V of (T, d), cut into heads; mask: true where seen, added: numbers, position: a term, each broadcast to (H, Tq, Tk)."""

    def __init__(self, q, k, v, heads=1, scale=None, temperature=1.0, mask=True, added=0.0, position=0.0):
        self.heads, self.temperature = heads, temperature
        self.q, self.k, self.v = (np.stack(np.split(x, heads, axis=1)) for x in (q, k, v))
        self.scale = 1 / math.sqrt(self.q.shape[-1]) if scale is None else scale
        shape = (heads, len(q), len(k))
        with np.errstate(all="ignore"):
            self.products = np.einsum("hid,hjd->hij", self.q, self.k)
            self.position = np.broadcast_to(np.asarray(position, float), shape)
            self.added = np.broadcast_to(np.asarray(added, float), shape)
            self.scores = self.scale * self.products + self.position + self.added
        self.seen = np.broadcast_to(mask, shape) & (self.scores != -np.inf)
        self.weights = np.zeros(shape)
        for h, i in np.ndindex(shape[:2]):
            self.weights[h, i] = self.row(self.scores[h, i], self.seen[h, i])
        self.output = np.concatenate(self.weights @ self.v, axis=1)

    def row(self, scores, seen):
        w = np.zeros(len(scores))
        if not seen.any():
            return w
        top = scores[seen].max()
        for j in np.flatnonzero(seen):
            if self.temperature == 0:
                w[j] = scores[j] == top
            else:
                w[j] = math.exp((scores[j] - top) / self.temperature)
        return w / w.sum()

    def entropies(self):
        return np.array([[-sum(p * math.log(p) for p in row if p > 0) for row in head] for head in self.weights])

    def measures(self):
        """What a line of sweep says: means over the rows that see a key, or two."""
        n, h = self.seen.sum(-1), self.entropies()
        some, two = n >= 1, n >= 2
        norms, variances = [], []
        for a, i in zip(*np.nonzero(two)):
            p = self.weights[a, i]
            norms.append(np.linalg.norm(np.diag(p) - np.outer(p, p), "fro"))
        for a, i in zip(*np.nonzero(some)):
            variances.append(np.var(self.scores[a, i][self.seen[a, i]]))
        plain = np.mean(norms) if norms else math.nan
        return {"entropy": h[some].mean(), "ceiling": np.log(n[some]).mean(), "share": (h[two] / np.log(n[two])).mean() if two.any() else math.nan,
                "max weight": self.weights.max(), "gradient": plain / self.temperature if self.temperature else math.nan, "gradient×τ": plain,
                "variance": np.mean(variances)}


def divergence(p, q):
    """Jensen and Shannon's, as two relative entropies from the middle."""
    m = (p + q) / 2
    relative = [sum(x * math.log(x / y) for x, y in zip(row, m) if x > 0) for row in (p, q)]
    return (relative[0] + relative[1]) / 2


# ---- positions ----

def sinusoidal(n, d):
    out = np.zeros((n, d))
    for t, c in np.ndindex(n, d):
        angle = t / 10000 ** (2 * (c // 2) / d)
        out[t, c] = math.sin(angle) if c % 2 == 0 else math.cos(angle)
    return out


def turned(x):
    out = np.array(x, float)
    for t, c in np.ndindex(x.shape[0], x.shape[1] // 2):
        angle = t * 10000 ** (-2 * c / x.shape[1])
        a, b = x[t, 2 * c], x[t, 2 * c + 1]
        out[t, 2 * c], out[t, 2 * c + 1] = a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)
    return out


def distances(queries, keys):
    return np.arange(queries)[:, None] - np.arange(keys)[None, :]


def alibi(heads, queries, keys, slope=None):
    slopes = [slope] if slope is not None else [0.5] if heads == 1 else [2 ** (-8 * (h + 1) / heads) for h in range(heads)]
    return np.stack([-s * abs(distances(queries, keys)) for s in slopes])


def from_table(numbers, queries, keys):
    m = len(numbers) // 2
    return np.array(numbers)[np.clip(distances(queries, keys), -m, m) + m]


# ---- inputs that both sides read ----

FOLDER = tempfile.TemporaryDirectory(prefix="attn-commands-")
random = np.random.default_rng(20240601)
ARRAYS = {name: random.standard_normal(shape) for name, shape in
          {"Q": (7, 6), "K": (9, 6), "V": (9, 4), "X": (7, 6), "Y": (9, 6), "Wq": (6, 8), "Wk": (6, 8), "Wv": (6, 4), "Wo": (4, 5), "M": (7, 9), "W": (12, 12)}.items()}
ARRAYS["B"] = random.random((7, 9)) < 0.6
ARRAYS["B"][2] = False
ARRAYS["H"] = random.random((2, 7, 9)) < 0.7
ARRAYS["S"] = np.array([0.0, 0, 1, 1, 1, 2, 2, 0, 1])
for name, array in ARRAYS.items():
    np.save(pathlib.Path(FOLDER.name) / f"{name}.npy", array)
globals().update(ARRAYS)


def loaded(*names):
    return "".join(f'{name} = load("{FOLDER.name}/{name}.npy")\n' for name in names)


START = "set color never; set language en;\nset digits %d;\n" % DIGITS


def near(a, b, unit):
    """Equal to the digits that are shown; nan is an empty place."""
    if b is None or (isinstance(b, float) and math.isnan(b)):
        return a is None
    return a is not None and (a == b or abs(a - b) <= unit)


def unit_of(column):
    """Of the last place that a column shows, of its largest number where it has an exponent."""
    largest = max((abs(x) for x in column.numbers if x is not None and math.isfinite(x)), default=1)
    return 10.0 ** -column.decimals * (10.0 ** math.floor(math.log10(largest)) if column.exponent and largest else 1) * 0.6 + SIGNIFICANT * largest


# ---- sweep ----

def swept(text):
    lines = text.rstrip("\n").split("\n")
    end = next(i for i, line in enumerate(lines) if line.startswith("share: of the ceiling"))
    columns, rows = table(lines[1:end])
    return lines[0], columns, [float(row.split()[0]) for row in rows], "\n".join(lines[end:])


def check_sweep(name, text, values, bench_at):
    title, columns, shown_values, _ = swept(text)
    check(f"sweep {name}: the values", len(values) == len(shown_values) and values == shown_values, title, shown_values, values)
    for i, x in enumerate(shown_values):
        wanted = bench_at(values[i]).measures()
        near_entropy = wanted["ceiling"] - wanted["variance"] / (2 * values[i] ** 2) if values[i] else math.nan
        for word, column in columns.items():
            got = column.numbers[i]
            if word.startswith("ln n"):
                far = abs(near_entropy - wanted["entropy"])
                half = 10.0 ** -columns["entropy"].decimals / 2
                check(f"sweep {name} at {x}: ln n − v/2τ² stands where it holds", (got is not None) == (far <= half) or abs(far - half) < half * 1e-3, got, near_entropy, wanted)
                check(f"sweep {name} at {x}: ln n − v/2τ²", got is None or near(got, near_entropy, unit_of(column)), got, near_entropy)
            else:
                check(f"sweep {name} at {x}: {word}", near(got, float(wanted[word]), unit_of(column)), got, wanted[word])
    return columns


def powers(low, high, count):
    """Spaced by their logarithm, those between the ends with three digits."""
    return [low, *(float(f"{10 ** (math.log10(low) + i / (count - 1) * (math.log10(high) - math.log10(low))):.2e}") for i in range(1, count - 1)), high]


def sweeps():
    causal = distances(7, 9) >= 0
    cases = {
        "temperature": ("sweep temperature", "", powers(0.01, 100, 17), lambda x: Bench(Q, K, V, temperature=x)),
        "temperature from 0": ("sweep temperature 0 5", "", [i / 2 for i in range(11)], lambda x: Bench(Q, K, V, temperature=x)),
        "temperature, one": ("sweep temperature 2 2", "", [2], lambda x: Bench(Q, K, V, temperature=x)),
        "temperature, masked": ("sweep temperature 0.1 1000", "set mask causal and B;\n", powers(0.1, 1000, 17), lambda x: Bench(Q, K, V, temperature=x, mask=causal & B)),
        "temperature, heads": ("sweep temperature 0.5 50", "set heads 2; set position alibi; set mask M;\n", powers(0.5, 50, 9),
                               lambda x: Bench(Q, K, V, heads=2, temperature=x, position=alibi(2, 7, 9), added=M)),
        "scale": ("sweep scale", "", powers(0.01, 10, 13), lambda x: Bench(Q, K, V, scale=x)),
        "scale below 0": ("sweep scale -1 1", "set temperature 0.5;\n", [round(-1 + i / 5, 9) for i in range(11)], lambda x: Bench(Q, K, V, scale=x, temperature=0.5)),
        "window": ("sweep window", "set mask causal;\n", list(range(9)), lambda x: Bench(Q, K, V, mask=causal & (abs(distances(7, 9)) <= x))),
        "window in place of another": ("sweep window 1 4", "set mask window 2 and B;\n", [1, 2, 3, 4], lambda x: Bench(Q, K, V, mask=B & (abs(distances(7, 9)) <= x))),
        "heads": ("sweep heads", "set position relative 0.2;\n", [1, 2], lambda x: Bench(Q, K, V, heads=int(x), position=-0.2 * abs(distances(7, 9)))),
        "heads of twelve columns": ("sweep heads", "Q = W; K = W; V = W\nattend Q K V;\n", [1, 2, 3, 4, 6, 12], lambda x: Bench(W, W, W, heads=int(x))),
    }
    script = START + loaded(*"QKVBM", "W")
    for name, (command, before, _, _) in cases.items():
        script += f"reset\n{START}" + loaded(*"QKV") + "attend Q K V;\n" + before + marked(name, command)
    found = sections(run(script))
    for name, (_, _, values, bench_at) in cases.items():
        guard(name, check_sweep, name, found[name], values, bench_at)


def limits():
    """At high temperatures the entropy is ln n − v/2τ² to the digits shown; where it is not, its place is empty."""
    script = START + loaded(*"QKV") + "attend Q K V;\n" + "".join(f"set digits {d};\n" + marked(str(d), "sweep temperature") for d in (3, 4, 6))
    for digits, text in sections(run(script)).items():
        columns = check_sweep(f"temperature, digits {digits}", text, powers(0.01, 100, 17), lambda x: Bench(Q, K, V, temperature=x))
        entropy, near_entropy = columns["entropy"], [c for t, c in columns.items() if t.startswith("ln n")][0]
        there = [x is not None for x in near_entropy.numbers]
        check(f"digits {digits}: ln n − v/2τ² stands at high temperatures alone", there == sorted(there) and there[-1] and not there[0], near_entropy.texts)
        unit = 10.0 ** -entropy.decimals
        for a, b in zip(entropy.numbers, near_entropy.numbers):
            check(f"digits {digits}: it is the entropy to the digits shown", b is None or abs(a - b) < 1.5 * unit, a, b)


def fresh_sweeps():
    """dk and length draw inputs of their own: those that randn gives with the seed of the setting."""
    sizes = {"dk": [(32, d) for d in (1, 2, 4, 8, 16, 32, 64, 128, 256)], "length": [(n, 16) for n in (2, 4, 8, 16, 32, 64, 128, 256)]}
    script = START + "set seed 5;\n"
    for knob, shapes in sizes.items():
        for n, d in shapes:
            script += "seed(5)\n" + "".join(f'save("{FOLDER.name}/{knob}{n}x{d}{m}.npy", randn({n}, {d}))\n' for m in "QKV")
        script += "seed(77)\n" + marked(knob, f"sweep {knob}") + marked(f"{knob} leaves the generator", "rand()\nseed(77)\nrand()")
    found = sections(run(script))
    for knob, shapes in sizes.items():
        drawn = {(n, d): [np.load(f"{FOLDER.name}/{knob}{n}x{d}{m}.npy") for m in "QKV"] for n, d in shapes}
        guard(knob, check_sweep, knob, found[knob], [d if knob == "dk" else n for n, d in shapes],
              lambda x, drawn=drawn, knob=knob: Bench(*drawn[(32, int(x)) if knob == "dk" else (int(x), 16)]))
        numbers = found[f"{knob} leaves the generator"].split()
        check(f"sweep {knob} leaves the generator alone", numbers[0] == numbers[1], numbers)
        check(f"sweep {knob} says that it draws inputs", "standard normal" in found[knob].split("\n")[0], found[knob])


# ---- compare and diff ----

MEASURES = {"mean entropy": "entropy", "ceiling": "ceiling", "share": "share", "max weight": "max weight", "gradient": "gradient"}


def check_measures(name, lines, benches):
    """Three numbers to a line: one run, the other, the change."""
    measures = [bench.measures() for bench in benches]
    for title, word in MEASURES.items():
        line = next(line for line in lines if line.startswith(title + " "))
        numbers = [float(x) for x in line[len(title):].split()]
        before, after = (float(m[word]) for m in measures)
        for got, wanted, what in zip(numbers, (before, after, after - before), ("before", "after", "change")):
            check(f"{name}: {title}, {what}", (math.isnan(got) and math.isnan(wanted)) or abs(got - wanted) <= 1e-9 * max(1, abs(wanted)), line, wanted)


def check_cells(name, lines, title, wanted, last=None):
    """The rows of a table of numbers below the line that begins with `title`."""
    start = next(i for i, line in enumerate(lines) if line.startswith(title))
    columns, _ = table(lines[start:start + 1 + len(wanted)])
    names = list(columns)
    for c in range(len(wanted[0])):
        column = columns[names[c]]
        for i, row in enumerate(wanted):
            hidden = column.numbers[i] is None and row[c] == 0
            check(f"{name}: {title} {i} {c}", hidden or near(column.numbers[i], float(row[c]), unit_of(column)), column.texts[i], row[c])
    if last is not None:
        column = columns[names[len(wanted[0])]]
        for i, x in enumerate(last):
            check(f"{name}: {names[len(wanted[0])]} of row {i}", near(column.numbers[i], float(x), unit_of(column)), column.texts[i], x)


def split_beside(lines):
    """Two tables beside each other, one after the other."""
    at = next(i for i, line in enumerate(lines) if line.count("weights ") == 2)
    cut = lines[at].index("weights", lines[at].index("weights") + 1)
    end = at
    while end < len(lines) and len(lines[end]) > cut:
        end += 1
    return [line[:cut].rstrip() for line in lines[at:end]], [line[cut:] for line in lines[at:end]]


def check_compare(name, text, benches):
    lines = text.rstrip("\n").split("\n")
    check_measures(name, lines, benches)
    if benches[0].heads != benches[1].heads:
        return
    for half, bench in zip(split_beside(lines), benches):
        check_cells(f"{name}: {half[0].split()[0]}", half, "weights", bench.weights[0], bench.entropies()[0])
    change = benches[1].weights[0] - benches[0].weights[0]
    check_cells(name, lines, "change ", change, [divergence(p, q) for p, q in zip(benches[0].weights[0], benches[1].weights[0])])


def compares():
    causal = distances(7, 9) >= 0
    cases = {
        "temperature 0.5 2": (Bench(Q, K, V, temperature=0.5), Bench(Q, K, V, temperature=2)),
        "temperature 0 against inf": (Bench(Q, K, V, temperature=0), Bench(Q, K, V, temperature=math.inf)),
        "scale sqrt against none": (Bench(Q, K, V), Bench(Q, K, V, scale=1)),
        "mask none against causal and B": (Bench(Q, K, V), Bench(Q, K, V, mask=causal & B)),
        "mask M against (B)": (Bench(Q, K, V, added=M), Bench(Q, K, V, mask=B)),
        "position none against alibi 0.3": (Bench(Q, K, V), Bench(Q, K, V, position=alibi(1, 7, 9, 0.3))),
        "heads 1 against 2": (Bench(Q, K, V), Bench(Q, K, V, heads=2)),
    }
    script = START + loaded(*"QKVBM") + "attend Q K V;\n" + "".join(marked(f"compare {name}", f"compare {name}") for name in cases)
    several = ["temperature 0.5 1 2", "mask none against causal and B against (B)"]
    script += "".join(marked(f"compare {name}", f"compare {name}") for name in several)
    script += "set heads 2;\n" + marked("compare with two heads", "compare temperature 0.5 against 2")
    cases["with two heads"] = (Bench(Q, K, V, heads=2, temperature=0.5), Bench(Q, K, V, heads=2, temperature=2))
    script += "set heads 1;\n" + marked("untouched", "print(json(last.weights))\nshow temperature")
    found = sections(run(script))
    for name, benches in cases.items():
        guard(name, check_compare, f"compare {name}", found[f"compare {name}"], benches)
    guard("three temperatures", check_several, "compare of three temperatures", found["compare temperature 0.5 1 2"], "temperature", ["0.5", "1", "2"],
          [Bench(Q, K, V, temperature=t) for t in (0.5, 1, 2)])
    guard("three masks", check_several, "compare of three masks", found["compare mask none against causal and B against (B)"], "mask", ["none", "causal and B", "array 7×9"],
          [Bench(Q, K, V), Bench(Q, K, V, mask=causal & B), Bench(Q, K, V, mask=B)])
    left = found["untouched"].split("\n")
    check("compare leaves the bench as it is", np.allclose(json.loads(left[0]), Bench(Q, K, V).weights[0]) and left[1].split() == ["temperature", "1"], left)


def check_several(name, text, setting, values, benches):
    """The means of each run, all weights, and the entropy of each query under each value."""
    lines = text.rstrip("\n").split("\n")
    columns, _ = table(lines[:1 + len(benches)])
    check(f"{name}: a row for each value", [line.split("  ")[0] for line in lines[1:1 + len(benches)]] == values, lines)
    for title, word in (("entropy", "entropy"), ("share", "share"), ("max weight", "max weight"), ("ceiling", "ceiling"), ("gradient", "gradient")):
        for i, bench in enumerate(benches):
            wanted = float(bench.measures()[word])
            check(f"{name}: {title} of {values[i]}", near(columns[title].numbers[i], wanted, unit_of(columns[title])), columns[title].texts[i], wanted)
    titles = [f"{setting} {value}" for value in values]
    top = next(i for i, line in enumerate(lines) if all(title in line for title in titles))
    cuts = [lines[top].index(title) for title in titles] + [None]
    for i, bench in enumerate(benches):
        block = ["corner" + line[cuts[i]:cuts[i + 1]][6:] for line in lines[top + 1:top + 2]]
        block += [line[cuts[i]:cuts[i + 1]].rstrip() for line in lines[top + 2:top + 2 + len(bench.weights[0])]]
        check_cells(f"{name}: weights of {values[i]}", block, "corner", bench.weights[0])
    check_cells(name, lines[len(benches) + 1:], "entropy ", np.array([bench.entropies()[0] for bench in benches]).T)


def check_diff(name, text, benches):
    lines = text.rstrip("\n").split("\n")
    check_measures(name, lines, benches)
    js = np.array([[divergence(p, q) for p, q in zip(a, b)] for a, b in zip(benches[0].weights, benches[1].weights)])
    check_cells(name, lines, "query " if benches[0].heads == 1 else "JS, head", js.T)
    moves = [re.match(r"  query (\d+), key (\d+)(?:, head (\d+))?: (\S+) → (\S+)$", line).groups() for line in lines[lines.index("the weights that changed most:") + 1:]]
    change = abs(benches[1].weights - benches[0].weights)
    largest = np.sort(change.ravel())[::-1][:5]
    check(f"{name}: five moves", len(moves) == 5, moves)
    for (i, j, h, before, after), wanted in zip(moves, largest):
        at = (int(h or 0), int(i), int(j))
        check(f"{name}: the cells that moved most", abs(change[at] - wanted) < 1e-12, at, change[at], wanted)
        right = abs(float(before) - benches[0].weights[at]) < 1e-9 and abs(float(after) - benches[1].weights[at]) < 1e-9
        check(f"{name}: their weights", right, before, after, at)


def diffs():
    script = START + loaded(*"QKVB") + "attend Q K V;\nsnapshot a\nset temperature 0.3;\nset mask B;\nsnapshot b\n" + marked("one", "diff a") + marked("two", "diff a b") + marked("back", "diff b a")
    script += "set mask none; set temperature 1; set heads 2;\nsnapshot c\nset position alibi;\n" + marked("heads", "diff c") + marked("same", "diff a a")
    script += "Q[0, 0] = 100\nattend;\n" + marked("changed", "diff c")
    found = sections(run(script))
    before, after = Bench(Q, K, V), Bench(Q, K, V, temperature=0.3, mask=B)
    guard("diff", check_diff, "diff a", found["one"], (before, after))
    guard("diff", check_diff, "diff a b", found["two"], (before, after))
    guard("diff", check_diff, "diff b a", found["back"], (after, before))
    guard("diff", check_diff, "diff with heads", found["heads"], (Bench(Q, K, V, heads=2), Bench(Q, K, V, heads=2, position=alibi(2, 7, 9))))
    check("diff names the settings that changed", found["one"].startswith("temperature 1 → 0.3\nmask none → B\n"), found["one"])
    check("diff of a snapshot with itself", found["same"] == "The result is the same.\n", found["same"])
    check("diff names the inputs that changed", "Q has changed\n" in found["changed"], found["changed"])


# ---- trace and why ----

TITLES = ("q·k", "scaled", "position", "added", "score"), ("less max", "over τ", "exp", "share", "weight")


def numbers_below(lines, step, titles, count):
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{step}. ")) + 1
    if titles:
        titles = [t for t in titles if re.search(rf"(?<!\S){t}(?!\S)", lines[start])]
    return table(lines[start:start + 1 + count], titles)[0]


def check_column(name, column, wanted):
    for i, x in enumerate(wanted):
        check(f"{name}, row {i}", near(column.numbers[i], None if x is None else float(x), unit_of(column)), column.texts, x)


def check_trace(name, text, bench, i, head, wq):
    lines = text.rstrip("\n").split("\n")
    keys = bench.products.shape[-1]
    line = next(line for line in lines if re.match(r"q = ", line))
    q = vector(line[line.rindex("["):])
    wanted_q = bench.q[head, i]
    check(f"{name}: q is said to come from Wq where it does", ("Wq" in line) == wq, line)
    for x, y in zip(q if None not in q else q[:6], wanted_q):
        check(f"{name}: q", abs(x - y) <= 1e-8 * max(1, abs(y)), line, wanted_q)
    scores = numbers_below(lines, 2, TITLES[0], keys)
    for title, wanted in (("q·k", bench.products), ("scaled", bench.scale * bench.products), ("position", bench.position), ("added", bench.added), ("score", bench.scores)):
        if title in scores:
            check_column(f"{name}: {title}", scores[title], wanted[head, i])
    check(f"{name}: the position has a column", ("position" in scores) == bool(bench.position.any()), list(scores))
    hidden = [int(j) for part in re.findall(r"hides \d+ keys?: ([^.]*)\.", text) for j in part.split(", ")]
    check(f"{name}: the hidden keys", sorted(hidden) == list(np.flatnonzero(~bench.seen[head, i])), hidden, bench.seen[head, i])
    if not bench.seen[head, i].any():
        return check(f"{name}: nothing is left", "No key is left" in text, text)
    w, seen = bench.weights[head, i], bench.seen[head, i]
    softmax = numbers_below(lines, 4, TITLES[1], keys + 1)
    top = bench.scores[head, i][seen].max()
    check_column(f"{name}: less max", softmax["less max"], [s - top if v else None for s, v in zip(bench.scores[head, i], seen)])
    check_column(f"{name}: weight", softmax["weight"], list(w) + [1])
    if "exp" in softmax:
        e = [math.exp((s - top) / bench.temperature) if v else 0 for s, v in zip(bench.scores[head, i], seen)]
        check_column(f"{name}: exp", softmax["exp"], e + [sum(e)])
    entropy = float(re.search(r"over the weights p is (\S+), of", text).group(1))
    check(f"{name}: entropy", abs(entropy - bench.entropies()[head, i]) < 1e-9, entropy)
    output = numbers_below(lines, 5, None, keys + 1)
    for c, column in enumerate(output.values()):
        check_column(f"{name}: weight×v, column {c}", column, [x * v for x, v in zip(w, bench.v[head][:, c])] + [w @ bench.v[head][:, c]])


def check_why(name, text, bench, i, j, head):
    w = bench.weights[head, i, j]
    got = float(re.search(r"^weight = (?:.* [=≈] )?([^\s:]+)(?::.*)?$", text, re.M).group(1))
    check(f"{name}: weight", abs(got - w) < 1e-9, text, w)
    if w == 0 and "it adds =" not in text:
        return
    line = next(line for line in text.split("\n") if line.startswith("it adds"))
    check(f"{name}: what it adds", np.allclose(vector(line[line.rindex("["):]), w * bench.v[head, j], rtol=1e-8, atol=1e-9), line)
    line = next(line for line in text.split("\n") if line.startswith("to the output"))
    check(f"{name}: the output", np.allclose(vector(re.search(r"\[.*\]", line).group(0)), bench.weights[head, i] @ bench.v[head], rtol=1e-8, atol=1e-9), line)


def traces():
    d, heads2 = distances(7, 9), dict(heads=2)
    p7, p9 = sinusoidal(7, 6), sinusoidal(9, 6)
    learned = {"learned": 9, "learned 3": 3}
    script = START + loaded(*ARRAYS) + "".join(f'save("{FOLDER.name}/p{n}.npy", learned_positions(9, 6, trained={n}))\n' for n in learned.values())
    cases = {}  # name -> (settings, inputs, bench)
    plain = "attend Q K V"
    places = {"none": {}, "sinusoidal": None, "relative": dict(position=-abs(d)), "relative 0.4": dict(position=-0.4 * abs(d)),
              "relative [3, 1, 0, -1, -4]": dict(position=from_table([3, 1, 0, -1, -4], 7, 9)), "alibi": dict(position=alibi(1, 7, 9)), "alibi 0.25": dict(position=alibi(1, 7, 9, 0.25))}
    for position, more in places.items():
        cases[f"position {position}"] = (f"set position {position};", plain, Bench(Q + p7, K + p9, V) if more is None else Bench(Q, K, V, **more))
    cases["rope"] = ("set position rope;", plain, Bench(turned(Q), turned(K), V))
    cases["alibi, two heads"] = ("set position alibi; set heads 2;", plain, Bench(Q, K, V, **heads2, position=alibi(2, 7, 9)))
    masks = {"causal": d >= 0, "window 2": abs(d) <= 2, "padding 4": np.arange(9) < 4, "padding 0": np.zeros(9, bool), "causal and window 1": (d >= 0) & (d <= 1), "B": B,
             "B and padding 5": B & (np.arange(9) < 5), "(B)": B, "segments S": S[:7, None] == S[None, :]}
    for mask, seen in masks.items():
        cases[f"mask {mask}"] = (f"set mask {mask};", plain, Bench(Q, K, V, mask=seen))
    cases["mask of numbers"] = ("set mask M;", plain, Bench(Q, K, V, added=M))
    cases["mask of numbers and causal"] = ("set mask causal and M; set position alibi;", plain, Bench(Q, K, V, added=M, mask=d >= 0, position=alibi(1, 7, 9)))
    cases["mask of -inf"] = ("set mask (where(B, 0.5, -inf));", plain, Bench(Q, K, V, added=np.where(B, 0.5, -np.inf)))
    cases["a mask for each head"] = ("set mask H; set heads 2;", plain, Bench(Q, K, V, **heads2, mask=H))
    for t in (0, 0.2, 3, math.inf):
        cases[f"temperature {t}"] = (f"set temperature {t}; set mask causal;", plain, Bench(Q, K, V, temperature=t, mask=d >= 0))
    cases["scale"] = ("set scale 0.3; set temperature 2;", plain, Bench(Q, K, V, scale=0.3, temperature=2))
    cases["X, bare"] = ("", "attend X", Bench(X, X, X))
    cases["X from Y, bare"] = ("set heads 3;", "attend X from Y", Bench(X, Y, Y, heads=3))
    projected = "Wq = Aq; Wk = Ak; Wv = Av; Wo = Ao\n"
    script += "Aq = Wq; Ak = Wk; Av = Wv; Ao = Wo\ndel Wq; del Wk; del Wv; del Wo\n"
    cases["X with all projections"] = (projected, "attend X", Bench(X @ Wq, X @ Wk, X @ Wv))
    cases["X with Wk alone"] = ("Wk = Ak[:, 0:6]\n", "attend X", Bench(X, X @ Wk[:, :6], X))
    cases["X with Wq alone"] = ("Wq = Aq[:, 0:6]\n", "attend X from Y", Bench(X @ Wq[:, :6], Y, Y))
    cases["X from Y, two heads"] = (projected + "set heads 2;", "attend X from Y", Bench(X @ Wq, Y @ Wk, Y @ Wv, **heads2))
    cases["X from Y, sinusoidal"] = (projected + "set heads 2; set position sinusoidal;", "attend X from Y", Bench((X + p7) @ Wq, (Y + p9) @ Wk, (Y + p9) @ Wv, **heads2))
    cases["X from Y, rope"] = (projected + "set heads 2; set position rope;", "attend X from Y",
                               Bench(*(np.concatenate([turned(part) for part in np.split(x, 2, axis=1)], axis=1) for x in (X @ Wq, Y @ Wk)), Y @ Wv, **heads2))
    for position in learned:
        cases[position] = (f"set position {position};", plain, None)
    for name, (settings, inputs, bench) in cases.items():
        script += f"reset\nfor name in [1]:\n    Wq = 0; Wk = 0; Wv = 0; Wo = 0\ndel Wq; del Wk; del Wv; del Wo\n{START}{settings}\n{inputs};\n"
        heads = 1 if bench is None else bench.heads
        for i, j, h in ((0, 0, 0), (2, 1, heads - 1), (6, 8 if "Y" in inputs or "Q" in inputs else 6, heads - 1)):
            script += marked(f"{name}|{i}|{j}|{h}|t", f"trace {i} head {h}") + marked(f"{name}|{i}|{j}|{h}|w", f"why {i} {j} head {h}")
        script += marked(f"{name}|output", "print(json(last.output))")
    found = sections(run(script))
    for position, n in learned.items():
        p = np.load(f"{FOLDER.name}/p{n}.npy")
        settings, inputs, _ = cases[position]
        cases[position] = (settings, inputs, Bench(Q + p[:7], K + p, V))
    for key, text in found.items():
        name, *place = key.split("|")
        bench = cases[name][2]
        if place == ["output"]:
            joined = bench.output @ Wo if "Wo = Ao" in cases[name][0] else bench.output
            check(f"{name}: last.output", np.allclose(json.loads(text), joined, atol=1e-10), text)
            continue
        i, j, h = (int(x) for x in place[:3])
        if place[3] == "t":
            guard(name, check_trace, f"trace {i} head {h}, {name}", text, bench, i, h, "Wq = Aq" in cases[name][0])
        else:
            guard(name, check_why, f"why {i} {j} head {h}, {name}", text, bench, i, j, h)


sweeps()
limits()
fresh_sweeps()
compares()
diffs()
traces()
FOLDER.cleanup()
