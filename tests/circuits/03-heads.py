import numpy as np
from reference import Reference, losses

X = [2, 7, 1, 8, 2, 8, 1, 8]
XS = [X, [0, 1, 2, 3, 4, 5, 6, 7], [8, 8, 0, 0, 3, 3, 1, 1]]
HEADS = [(layer, head) for layer in range(2) for head in range(3)]


def model(folder):
    return Reference.saved(folder / "m.safetensors")


def patterns(folder):
    seen = model(folder).activations(X)
    return np.concatenate([seen[f"blocks.{layer}.attn.hook_pattern"] for layer in range(2)])


def row_22(got, folder):
    r = model(folder)
    runs = [r.activations(x) for x in (X, X[::-1])]
    assert {name for name, _ in got} | {"hook_pos_embed"} >= set(runs[0]) - {"ln_final.hook_normalized"}, set(runs[0]) ^ {name for name, _ in got}
    return [[name, np.stack([np.where(np.isinf(run[name]), -1e9, run[name]) for run in runs])] for name, _ in got]


def row_23(got, folder):
    return [np.diag(w).mean() for w in patterns(folder)]


def row_24(got, folder):
    below = [np.diag(w, -1).mean() for w in patterns(folder)]
    return [below, below]


def row_25(got, folder):
    """The command leaves out the first query, which sees nothing else."""
    w = patterns(folder)
    return [w[:, :, 0].mean(axis=1), w[:, 1:, 0].mean(axis=1)]


def row_26(got, folder):
    w = patterns(folder)
    entropies = -(w * np.log(np.where(w > 0, w, 1))).sum(axis=2)
    return [entropies.mean(axis=1), entropies[:, 1:].mean(axis=1)]


def row_28(got, folder):
    return model(folder).run(X, {"blocks.0.hook_resid_post": lambda x: x * 0.5 + 1})


def row_29(got, folder):
    r = model(folder)
    return [losses(r.run(X, r.head_off(*head))[:-1], X[1:]).mean() for head in HEADS]


def row_30(got, folder):
    r, found = model(folder), []
    for layer, head in HEADS:
        mean = np.mean([r.activations(x)[f"blocks.{layer}.attn.hook_z"][:, head] for x in XS], axis=(0, 1))
        found.append(np.mean([losses(r.run(x, r.head_off(layer, head, mean))[:-1], x[1:]) for x in XS]))
    return found
