import numpy as np
from reference import Reference, losses

X = [2, 7, 1, 8, 2, 8, 1]
HEADS = [(layer, head) for layer in range(2) for head in range(3)]


def row_51(got, folder):
    r = Reference.saved(folder / "g.safetensors")
    return [r.W_E @ r.ov(*head) @ r.W_U for head in HEADS]


def row_52(got, folder):
    r = Reference.saved(folder / "g.safetensors")
    return [r.W_E @ r.qk(*head) @ r.W_E.T for head in HEADS]


def row_55(got, folder):
    r = Reference.saved(folder / "big.safetensors")
    scores = [r.composition(by, (0, i), (1, j)) for by in "qkv" for i in range(4) for j in range(4)]
    assert 0.9 < np.mean(scores) * np.sqrt(64) < 1.1, np.mean(scores)
    return scores


def row_61(got, folder):
    """A table that was learned by descent, not counted: near, not equal."""
    text, learned = got
    counts = np.zeros((5, 5))
    np.add.at(counts, (text[:-1], text[1:]), 1)
    shares = counts / counts.sum(axis=1, keepdims=True)
    seen = shares > 0
    assert np.abs(np.log(np.array(learned)[seen]) - np.log(shares[seen])).max() < 0.05 and np.array(learned)[~seen].max() < 0.05
    return got


def row_65(got, folder):
    r = Reference.saved(folder / "g.safetensors")
    found = []
    for head in HEADS:
        values = np.linalg.eigvals(r.W_E @ r.ov(*head) @ r.W_U)
        found.append(values.sum().real / np.abs(values).sum())
    return found


def row_68(got, folder):
    """Paths by the number of heads on them, from weights and patterns."""
    r = Reference.saved(folder / "g.safetensors")
    seen = r.activations(X)
    pattern = {head: seen[f"blocks.{head[0]}.attn.hook_pattern"][head[1]] for head in HEADS}
    x = seen["hook_embed"] + seen["hook_pos_embed"]
    streams = [x, x + sum(pattern[h] @ x @ r.ov(*h) for h in HEADS)]
    streams.append(streams[1] + sum(pattern[b] @ pattern[a] @ x @ r.ov(*a) @ r.ov(*b) for a in HEADS[:3] for b in HEADS[3:]))
    return [losses((s @ r.W_U)[:-1], X[1:]).mean() for s in streams]
