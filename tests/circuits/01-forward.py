import math

import numpy as np
from reference import Reference, losses, softmax

X = [3, 1, 4, 1, 5, 9, 2]


def by_hand(folder):
    """The first block, written out here."""
    r = Reference.saved(folder / "m.safetensors")
    p = r.p

    def norm(x, name):
        return (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5) * p(name + ".gamma") + p(name + ".beta")

    x = p("embed")[X] + p("positions")[:len(X)]
    seen = {"normalized": norm(x, "decoder.0.norm1")}
    q, k, v = (seen["normalized"] @ p(f"decoder.0.attention.W{c}") + p(f"decoder.0.attention.b{c}") for c in "qkv")
    out, seen["pattern"] = [], []
    for h in range(3):
        part = slice(4 * h, 4 * h + 4)
        scores = q[:, part] @ k[:, part].T / 2
        scores[np.triu_indices(len(X), 1)] = -np.inf
        seen["pattern"].append(softmax(scores))
        out.append(seen["pattern"][-1] @ v[:, part])
    seen["attn_out"] = np.concatenate(out, axis=1) @ p("decoder.0.attention.Wo") + p("decoder.0.attention.bo")
    return seen


def row_1(got, folder):
    return by_hand(folder)["normalized"]


def row_4(got, folder):
    return [by_hand(folder)["pattern"], 0]


def row_5(got, folder):
    return by_hand(folder)["attn_out"]


def row_6(got, folder):
    r = Reference.saved(folder / "m.safetensors")
    x = r.activations(X)["blocks.1.ln2.hook_normalized"] @ r.p("decoder.1.ffn.W1") + r.p("decoder.1.ffn.b1")
    x = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    return x @ r.p("decoder.1.ffn.W2") + r.p("decoder.1.ffn.b2")


def row_9(got, folder):
    r = Reference.saved(folder / "m.safetensors")
    return [r.run(x) for x in (X, [0] * 7, [10, 9, 8, 7, 6, 5, 4])]


def row_12(got, folder):
    return losses(Reference.saved(folder / "m.safetensors").run(X)[:-1], X[1:]).mean()
