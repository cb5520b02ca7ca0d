import numpy as np
from reference import Reference, losses, softmax

V, N, L = 20, 12, 24
GRID = [(0, 0), (0, 1), (1, 0), (1, 1)]
memory = {}


def of(folder, name="m"):
    """The model, the sequences, and what it computes for each; once for each file."""
    if (folder, name) not in memory:
        r = Reference.saved(folder / f"{name}.safetensors")
        xs = np.load(folder / "xs.npy").astype(int)
        memory[folder, name] = r, xs, [(r.run(x), dict(r.seen)) for x in xs]
    return memory[folder, name]


def halves(logits, xs):
    each = np.array([losses(y[:-1], x[1:]) for y, x in zip(logits, xs)])
    return [each[:, :N - 1].mean(), each[:, N:].mean()]


def weight_back(seen, k):
    """The mean weight of each head k places back, over the queries of the second half."""
    return [np.mean([[s[f"blocks.{layer}.attn.hook_pattern"][head][i, i - k] for i in range(N, L)] for s in seen]) for layer, head in GRID]


def changed(folder, put, name="m"):
    r, xs, _ = of(folder, name)
    return [r.run(x, put) for x in xs]


def late(logits, xs):
    each = np.array([losses(y[:-1], x[1:]) for y, x in zip(logits, xs)])
    return each[:, -3:].mean() - each[:, 1:4].mean()


def off(folder):
    r = of(folder)[0]
    return [r.head_off(*head) for head in GRID] + [{f"blocks.{layer}.attn.hook_z": 0} for layer in range(2)]


def row_31(got, folder):
    _, xs, runs = of(folder)
    first, second = halves([y for y, _ in runs], xs)
    assert first > np.log(V) and second < 0.25 * np.log(V), (first, second)
    return [first, second]


def row_32(got, folder):
    scores = weight_back([s for _, s in of(folder)[2]], N - 1)
    assert max(scores[2:]) > 0.5 > 0.2 > max(scores[:2]), scores
    return scores


def row_33(got, folder):
    scores = weight_back([s for _, s in of(folder)[2]], 1)
    assert max(scores[:2]) > 0.2 > max(scores[2:]), scores
    return scores


def row_34(got, folder):
    r, xs, runs = of(folder)
    found = [np.mean([[s[f"blocks.{layer}.attn.hook_result"][i, head] @ r.W_U[:, x[i + 1]] for i in range(N, L - 1)] for (_, s), x in zip(runs, xs)])
             for layer, head in GRID]
    assert max(found[2:]) > found[0] + found[1]
    return found


def row_35(got, folder):
    found = [halves(changed(folder, put), of(folder)[1])[1] for put in off(folder)]
    assert min(found[4:]) > 1 > halves([y for y, _ in of(folder)[2]], of(folder)[1])[1], found
    return found


def row_36(got, folder):
    r, xs, runs = of(folder)
    found = []
    for head in range(2):
        table = np.zeros((3, 3))
        for _, s in runs:
            parts = [s["hook_embed"] + s["hook_pos_embed"], *s["blocks.0.attn.hook_result"].swapaxes(0, 1)]
            for i, q in enumerate(parts):
                for j, k in enumerate(parts):
                    scores = q @ r.qk(1, head) @ k.T / 4
                    stripe = np.mean([scores[p, p - N + 1] for p in range(N, L)])
                    table[i, j] += (stripe - scores[N:, :N].mean()) / len(runs)
        found.append(table)
        assert table[0, 1:].sum() > 0.5 * table.sum() and np.unravel_index(table.argmax(), (3, 3))[0] == 0 != table.argmax(), table
    return found


def row_37(got, folder):
    r, xs, _ = of(folder)
    paths = [r.path(xs[0], xs[1], (0, head), (1, 0), "k") for head in range(2)]
    k = "blocks.1.attn.hook_k"
    clean = r.activations(xs[0])[k]
    both = sum(r.activations(xs[0], put)[k] - clean for put in paths)
    paths.append({k: lambda x: x + both})
    found = []
    for put in paths:
        seen = r.activations(xs[0], put)
        found.append(weight_back([seen], N - 1)[2])
    r.run(xs[0])
    assert found[2] < 0.5 * weight_back([r.seen], N - 1)[2], found
    return found


def share_of_diagonal(a):
    return np.mean(a.argmax(axis=1) == np.arange(V))


def row_38(got, folder):
    r = of(folder)[0]
    found = [share_of_diagonal(r.W_E[:V] @ r.ov(1, head) @ r.W_U[:, :V]) for head in range(2)]
    assert max(found) > 0.5, found
    return found


def row_39(got, folder):
    r, _, runs = of(folder)
    p = runs[0][1]["hook_pos_embed"]
    hidden = np.triu_indices(L, 1)
    found = []
    for head in range(2):
        scores = p @ r.qk(0, head) @ p.T / 4
        scores[hidden] = -np.inf
        found.append(np.diag(softmax(scores), -1).mean())
    return found


def row_40(got, folder):
    r = of(folder)[0]
    e = r.W_E[:V]
    return [[share_of_diagonal(e @ r.qk(1, h) @ r.ov(0, g).T @ e.T) for h in range(2)] for g in range(2)]


def row_41(got, folder):
    r = of(folder)[0]
    return [[r.composition(by, (0, g), (1, h)) for g in range(2) for h in range(2)] for by in "qkv"]


def row_42(got, folder):
    """Of the command: the query at the end, too."""
    _, xs, runs = of(folder)
    score = [np.mean([[s[f"blocks.{layer}.attn.hook_pattern"][head][i, list(x).index(x[i]) + 1] for i in range(N, L - 1)] for (_, s), x in zip(runs, xs)])
             for layer, head in GRID]
    seen = [s for _, s in runs]
    return [score, weight_back(seen, N - 1), weight_back(seen, N)]


def row_43(got, folder):
    r, found = of(folder)[0], []
    for layer, head in GRID:
        a = r.W_E[:V] @ r.ov(layer, head) @ r.W_U[:, :V]
        own = np.diag(a) - a.mean(axis=1)
        found.append(own[own > 0].sum() / np.abs(own).sum())
    return found


def row_44(got, folder):
    _, xs, runs = of(folder)
    score = late([y for y, _ in runs], xs)
    assert score < -1
    return score


def row_45(got, folder):
    _, xs, runs = of(folder)
    found = [late(changed(folder, put), xs) for put in off(folder)]
    assert found[5] > 0.2 * late([y for y, _ in runs], xs), found
    return found


def row_46(got, folder):
    r, xs, runs = of(folder)
    return [softmax(r.run(x, {**r.head_off(0, 1), "blocks.1.attn.hook_pattern": s["blocks.1.attn.hook_pattern"]})) for x, (_, s) in zip(xs, runs)]


def row_47(got, folder):
    found = []
    for name in ("before", "m"):
        _, xs, runs = of(folder, name)
        found.append([weight_back([s for _, s in runs], N - 1), halves([y for y, _ in runs], xs)])
    assert max(found[0][0]) < 0.15 and min(found[0][1]) > 2, found[0]
    return found


def row_49(got, folder):
    def smeared(k):
        return np.concatenate([k[:1], 0.4 * k[1:] + 0.6 * k[:-1]])
    return changed(folder, {"blocks.0.attn.hook_k": smeared}, "one")
