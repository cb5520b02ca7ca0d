import collections
import math

import numpy as np
from reference import Reference, file, softmax

X = [3, 1, 4, 1, 5, 2]


def arrays(values):
    return [np.array(value) for value in values]


def row_98(got, folder):
    """Byte pairs of words with the space in front, from the first nine tenths of the text."""
    text = (folder / "words.txt").read_text()
    pieces = collections.Counter()
    word = ""
    for c in text[:len(text) * 9 // 10]:
        if c in " \n" and word:
            pieces[word] += 1
            word = ""
        word += c
    pieces[word] += 1
    split = {piece: list(piece) for piece in pieces}
    merges = []
    for token in got:
        pairs = collections.Counter()
        for piece, parts in split.items():
            for pair in zip(parts, parts[1:]):
                pairs[pair] += pieces[piece]
        most = max(pairs.values())
        best = {a + b: (a, b) for (a, b), n in pairs.items() if n == most}
        assert token in best, (token, best, merges)
        merges.append(token)
        for piece, parts in split.items():
            i = 0
            while i < len(parts) - 1:
                if (parts[i], parts[i + 1]) == best[token]:
                    parts[i:i + 2] = [token]
                i += 1
    return merges


def row_99(got, folder):
    z = np.array([1000, 1001, 1004, -1000.0])
    p = softmax(z)
    total = 1004 + math.log(sum(math.exp(a - 1004) for a in z))
    entropy = -sum(a * math.log(a) for a in p if a > 0)
    return [p, [total, total - 1001, math.exp(entropy)]]


def row_100(got, folder):
    x, gain = np.array(got[0]), np.array(got[1])
    return [x, gain, x * gain / np.sqrt((x ** 2).mean(axis=1, keepdims=True) + 1e-5)]


def row_101(got, folder):
    r = Reference.saved(folder / "u.safetensors")
    x = r.activations(X)["blocks.1.ln2.hook_normalized"]
    gate = x @ r.p("decoder.1.ffn.W1")
    return (gate / (1 + np.exp(-gate)) * (x @ r.p("decoder.1.ffn.W3"))) @ r.p("decoder.1.ffn.W2")


def row_102(got, folder):
    return [Reference.saved(folder / "u.safetensors").run(X), True]


def row_103(got, folder):
    T, d, f, V, layers = 6, 8, 12, 7, 2
    layer = 4 * 2 * T * d * d + 2 * 2 * T * T * d + 3 * 2 * T * d * f
    return layers * layer + 2 * T * d * V


def row_104(got, folder):
    """The gradients are read off the moments that the files hold."""
    states = [file.read(folder / f"adam{n}.safetensors")[0] for n in range(4)]
    names = [name for name in states[1] if f"optimiser.first.{name}" in states[1]]
    rates = []
    for n in (1, 2, 3):
        before, after, found = states[n - 1], states[n], []
        for name in names:
            m, v, p = (after[key].astype(float) for key in (f"optimiser.first.{name}", f"optimiser.second.{name}", name))
            m0, v0 = (before.get(f"optimiser.{which}.{name}", np.zeros_like(m)).astype(float) for which in ("first", "second"))
            g = (m - 0.9 * m0) / 0.1
            assert np.allclose(v, 0.98 * v0 + 0.02 * g * g, rtol=1e-3, atol=1e-12), name
            decay = 0.01 if p.ndim == 2 else 0
            step = (m / (1 - 0.9 ** n)) / (np.sqrt(v / (1 - 0.98 ** n)) + 1e-8) + decay * before[name]
            moved = before[name].astype(float) - p
            big = np.abs(moved) > 1e-3
            found += list(moved[big] / step[big])
        assert len(found) > 50 and np.ptp(found) < 1e-4 * max(found), (len(found), np.ptp(found))
        rates.append(np.mean(found) / 1e-2)
    # To 1e-4, as float32 keeps the moments.
    return got if np.allclose(got, rates, rtol=1e-4) else rates


def row_105(got, folder):
    """What is added up: -rate times the gradient of a cross-entropy by its bias, softmax - one-hot, at <sep> (7) and behind the answer (6, then <end> 9)."""
    r = Reference.saved(folder / "still.safetensors")
    logits = r.run([0, 1, 2, 3, 7, 6])
    gradient = (softmax(logits[4]) - np.eye(10)[6] + softmax(logits[5]) - np.eye(10)[9]) / 2
    sums = []
    for steps in (1, 3, 4, 8):
        rates = [(i + 1) / 3 if i < 3 else (1 + math.cos(math.pi * (i - 3) / (steps - 3))) / 2 for i in range(steps)]
        sums.append(-sum(rates) * gradient)
    return sums


def row_108(got, folder):
    return [Reference.saved(folder / f"v{k}.safetensors").run(X) for k in range(4)]


def row_109(got, folder):
    k, v = arrays(got[:2])
    wanted = []
    for kernel in (lambda d: math.exp(-d * d / 2), lambda d: abs(d) < 1, lambda d: max(0, 1 - abs(d)), lambda d: 1):
        weights = [[kernel(q - key) for key in k] for q in np.linspace(0, 5, 9)]
        wanted.append([np.average(v, weights=w) for w in weights])
    return [k, v, wanted, wanted[0]]


def attended(scores, lengths):
    scores = np.array(scores)
    for b, length in enumerate(lengths):
        scores[b, ..., length:] = -np.inf
    return softmax(scores)


def row_110(got, folder):
    q, k, v = arrays(got[:3])
    w = arrays(got[3])
    dots = np.array([[[a @ b / 2 for b in k[s]] for a in q[s]] for s in range(2)])
    sums = np.array([[[np.tanh(a @ w[0] + b @ w[1]) @ w[2] for b in k[s]] for a in q[s]] for s in range(2)])
    return [*got[:4], attended(dots, (2, 4)) @ v, attended(sums, (2, 4)) @ v]


def row_111(got, folder):
    x, (wq, wk, wv, wo) = np.array(got[0]), arrays(got[1])
    heads = []
    for h in range(2):
        part = slice(4 * h, 4 * h + 4)
        q, k, v = x @ wq[:, part], x @ wk[:, part], x @ wv[:, part]
        heads.append(attended(q @ k.swapaxes(1, 2) / 2, (2, 4)) @ v)
    return [*got[:2], np.concatenate(heads, axis=2) @ wo]


def row_114(got, folder):
    r = Reference.saved(folder / "b.safetensors")
    logits = r.run(X, target=[0, 6, 2])
    patterns = [r.seen[f"{name}.hook_pattern"] for name in ("encoder.0.attn", "decoder.0.attn", "decoder.0.cross_attn")]
    assert np.abs(np.triu(patterns[1], 1)).max() == 0 and patterns[2].shape == (2, 3, 6)
    return [logits, patterns]


def row_115(got, folder):
    wanted = "the cat is on the mat".split()
    found = []
    for said in ("the cat is on the mat", "the cat sat on the mat", "the the the cat", "is on"):
        said = said.split()
        score = math.exp(min(0, 1 - len(wanted) / len(said)))
        for n in (1, 2):
            a, b = (collections.Counter(zip(*(words[i:] for i in range(n)))) for words in (said, wanted))
            score *= (sum((a & b).values()) / (len(said) - n + 1)) ** (0.5 ** n)
        found.append(score)
    return found


def row_116(got, folder):
    picture, project = arrays(got[:2])
    r = Reference.saved(folder / "vit.safetensors")
    patches = [picture[4 * i:4 * i + 4, 4 * j:4 * j + 4].ravel() @ project for i in range(3) for j in range(3)]
    plain = Reference.saved(folder / "plain.safetensors")
    cut = np.stack([picture[4 * i:4 * i + 4, 4 * j:4 * j + 4].ravel() for i in range(3) for j in range(3)])
    logits = plain.run([0] * 9, {"hook_embed": cut @ plain.p("embed") + plain.p("embed_bias")})
    return [picture, project, r.run([0] * 10, {"hook_embed": np.stack([r.W_E[0], *patches])})[0], logits]


def row_117(got, folder):
    h, y, wx, wh = arrays([got[i] for i in (0, 1, 3, 4)])
    wa = arrays(got[2])
    s, states = h[-1], []
    for step in y:
        weights = softmax(np.array([np.tanh(s @ wa[0] + row @ wa[1]) @ wa[2] for row in h]))
        s = np.tanh(np.concatenate([weights @ h, step]) @ wx + s @ wh)
        states.append(s)
    return [*got[:5], states]
