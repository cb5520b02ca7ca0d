"""Where a model is asked: trained on a task, kept in a file and opened again, each command asks it where the task does and says so, and what ablate reports goes the way that evaluate goes."""
import json
import re
import subprocess

import numpy as np

FUNCTIONS = """def shifted():
    xs = randint(0, 8, 7)
    return xs, concatenate([[0], xs[:6]])
def largest():
    xs = randint(0, 4, 5)
    return xs, [int(max(xs))]
"""
SAMPLES = 6
# The task, the model's kind and layers, the steps; and where an example is asked: a function of its text and answer, None: everywhere.
BESIDE = lambda x, y: [i for i, label in enumerate(y) if label != "?"]
CASES = (
    ('task("induction", length=8, vocab=8)', "decoder", 2, 500, BESIDE),
    ('task("text", path="story.txt", length=16)', "decoder", 1, 200, lambda x, y: [len(x) - 1]),
    ('task(shifted, tokens=range(8), beside=True)', "decoder", 1, 300, lambda x, y: [len(x) - 1]),
    ('task(shifted, tokens=range(8), beside=True)', "encoder", 1, 300, None),
    ('task(largest, tokens=range(8))', "encoder", 1, 300, lambda x, y: [0]),
    ('task("order", vocab=8)', "encoder", 1, 300, lambda x, y: [0]),
    ('task("palindrome", length=3)', "encoder", 2, 400, lambda x, y: [1]),
    ('task("motif", length=10)', "encoder", 1, 300, lambda x, y: [0]),
    ('task("sort", length=5, vocab=6)', "encoder", 1, 300, None),
    ('task("reverse", length=6, vocab=8)', "encoder", 1, 300, None),
    ('task("reverse", length=5, vocab=6)', "decoder", 2, 300, lambda x, y: [len(x)]),
    ('task("reverse", length=5, vocab=6)', "encoder-decoder", 1, 400, None),
)


def script(task, kind, layers, steps):
    site = "cross" if kind == "encoder-decoder" else ""
    text = FUNCTIONS + f"""t = {task}
m = transformer("{kind}", vocab=t.vocab, d_model=32, heads=2, layers={layers}, d_ff=64, max_len=32, position="{'rope' if 'induction' in task else 'learned'}", seed=1)
train m on t for {steps} steps rate 4e-3;
save("asked.safetensors", m, force=True)
m = load("asked.safetensors")
whole = evaluate(m, t).token_accuracy
def name(what, value): print(json([what, value]))
xs = sample(t, {SAMPLES}, held_out=True, seed=3)
for x, y in xs:
    name("sample", [x, y])
    predict m (x)
    inspect m (x)
    name("tokens", last.tokens)
    name("logits", last.logits)
    lens
"""
    for layer in range(layers):
        for head in range(2):
            text += f"""for x, y in xs:
    inspect m (x);
    name("head", [{layer}, {head}])
    ablate {site} {layer} {head}
    ablate none;
ablate {site} {layer} {head};
name("accuracy", [{layer}, {head}, evaluate(m, t).token_accuracy])
ablate none;
"""
    return text + 'name("whole", whole)\n'


def walk(attn, folder, check):
    words = [f"{a} {v} {o}.\n" for a in ("the cat", "a bird", "my fox") for v in ("sat on", "saw") for o in ("the mat", "a hill", "the sea")]
    (folder / "story.txt").write_text("".join(words * 6))
    for task, kind, layers, steps, places in CASES:
        label = f"{task}, {kind}: "
        path = folder / "asked.attn"
        path.write_text(script(task, kind, layers, steps))
        done = subprocess.run([attn, "--quiet", str(path)], capture_output=True, text=True, cwd=folder)
        check(label + "the script runs", done.returncode == 0, done.stderr[-800:])
        if done.returncode:
            continue
        lines, asked, shown, found, accuracy, whole, looked = done.stdout.split("\n"), [], {}, {}, {}, 0, 0
        for i, line in enumerate(lines):
            if line.startswith("asked at position "):
                place, after, token = re.fullmatch(r'asked at position (\d+), (after )?"(.+)"', line).groups()
                asked.append((int(place), token, lines[i + 1]))
                check(label + "a decoder answers after a token, an encoder at one", bool(after) == ("decoder" in kind), line)
            elif line.startswith("lens of "):
                check(label + "lens names the model and the place", (re.match(r'lens of m at "(.+?)" \((\d+)\): ', line) or [None])[0] is not None, line)
                shown["lens"] = re.search(r"\((\d+)\): ", line)
            elif line.startswith("["):
                what, value = json.loads(line)
                shown[what] = value
                if what == "accuracy":
                    accuracy[tuple(value[:2])] = value[2]
                if what == "whole":
                    whole = value
                if what == "sample":
                    asked = []
            numbers = re.search(r": .+? ([\d.]+)% → ([\d.]+)%", line)
            if numbers and "zero; at" in (line + lines[i - 1]):
                rest = " ".join(lines[i:i + 3]).partition("\neffect")[0]
                found.setdefault(tuple(shown["head"]), []).append((float(numbers[1]) - float(numbers[2]), "other answers at 0 of" not in rest))
            if not line.startswith("lens of "):
                continue
            # The lens is the last that is said of a sample.
            looked += 1
            x, y = shown["sample"]
            logits = np.asarray(shown["logits"])
            p = np.exp(logits - logits.max(axis=1, keepdims=True))
            p /= p.sum(axis=1, keepdims=True)
            if places is None:
                # predict shows where an answer begins, inspect the whole of it.
                check(label + "is asked everywhere", len(asked) == (kind == "encoder-decoder"), asked)
                continue
            wanted = places(x, y)
            check(label + "predict and inspect ask at one place", len(asked) == 2 and asked[0][:2] == asked[1][:2], asked)
            place, token, first = asked[0]
            check(label + f"{x} is asked at {place}", place == wanted[-1], y)
            check(label + "the token there is named", shown["tokens"][place] == token.replace("␣", " ") or token in "␣\\n", token, shown["tokens"])
            check(label + "lens looks there", int(shown["lens"][1]) == place, shown["lens"])
            check(label + "the probability is that of the place", abs(float(re.search(r"([\d.]+)%$", first)[1]) - 100 * p[place].max()) < 0.06, first, p[place])
            if kind == "decoder" and "reverse" not in task:
                check(label + "there is no separator", "<sep>" not in shown["tokens"], shown["tokens"])
        check(label + "every sample was asked about", looked == SAMPLES, looked)
        check(label + "it has learned", whole > 0.8, whole)
        check(label + "every head was asked about", len(found) == 2 * layers and all(len(each) == SAMPLES for each in found.values()), found)
        for head, each in found.items():
            lost, fall = whole - accuracy[head], np.mean([points for points, _ in each]) / 100
            if lost >= 0.3:
                check(label + f"head {head} costs {lost:.2f}, and ablate says so", fall > 0.05, each)
            if lost < 0.005 and places is not None:
                check(label + f"head {head} costs nothing, and ablate says so", fall < 0.1, each)
