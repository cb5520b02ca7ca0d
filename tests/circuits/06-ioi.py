import numpy as np
from reference import Reference, softmax

NAMES = ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"]
HEADS = [(layer, head) for layer in range(2) for head in range(4)]
CASES = []
for a, b in (("Ann", "Bob"), ("Cat", "Dan"), ("Hal", "Eve"), ("Gus", "Fay")):
    both = [f"when {a} and {b} met , {giver} gave it to <sep>" for giver in (a, b)]
    CASES += [(both[0], both[1], b, a), (both[1], both[0], a, b)]
END = 10
memory = {}


def model(folder):
    if folder not in memory:
        memory[folder] = Reference.saved(folder / "m.safetensors")
    return memory[folder]


def direction(good, bad):
    d = np.zeros(18)
    d[NAMES.index(good)], d[NAMES.index(bad)] = 1, -1
    return d


def parts(folder):
    """Direct effects of each sentence, by name."""
    r = model(folder)
    return [r.direct(r.activations(x), END, direction(good, bad)) for x, _, good, bad in CASES]


def first(folder):
    """The first sentence, its other one, and its logit difference under changes less that without any."""
    r = model(folder)
    x, y, good, bad = CASES[0]
    d = direction(good, bad)
    whole = r.run(x)[END] @ d
    clean = dict(r.seen)
    r.run(y)
    return r, x, y, clean, dict(r.seen), lambda put: r.run(x, put)[END] @ d - whole, whole


def row_73(got, folder):
    found = [model(folder).run(x)[END] @ direction(good, bad) for x, _, good, bad in CASES]
    assert np.mean(found) > 3, found
    return [found, np.mean(found)]


def row_74(got, folder):
    found = parts(folder)
    return [list(found[0]), [list(part.values()) for part in found]]


def row_75(got, folder):
    r = model(folder)
    return [r.lens(r.activations(x), END) @ direction(good, bad) for x, _, good, bad in CASES]


def row_76(got, folder):
    found = parts(folder)
    return [[[sum(part[f"head {layer} {h}"] for h in range(4)) for part in found], [part[f"mlp {layer}"] for part in found]] for layer in range(2)]


def row_77(got, folder):
    found = parts(folder)
    return [np.mean([part[f"head {layer} {head}"] for part in found]) for layer, head in HEADS]


def row_78(got, folder):
    r, found = model(folder), []
    for x, _, good, bad in CASES:
        words, seen = x.split(), r.activations(x)
        for layer in range(2):
            w = seen[f"blocks.{layer}.attn.hook_pattern"][:, END]
            found.append([[w[h, words.index(good)], w[h, words.index(bad)], w[h, 6]] for h in range(4)])
    return found


def by_place(folder, hook):
    r, _, _, _, dirty, effect, _ = first(folder)
    names = [f"blocks.{layer}.hook_{hook}" for layer in range(2)]
    return [[effect(r.change(name, place, dirty[name][place])) for place in range(END + 1)] for name in names]


def row_79(got, folder):
    found = by_place(folder, "resid_pre")
    assert found[0][6] < -3 and max(map(abs, found[0][:6])) < 1e-6, found
    return found


def row_80(got, folder):
    return [by_place(folder, "attn_out"), by_place(folder, "mlp_out")]


def row_81(got, folder):
    r, _, _, _, dirty, effect, _ = first(folder)
    return [effect(r.head_off(layer, head, dirty[f"blocks.{layer}.attn.hook_z"][:, head])) for layer, head in HEADS]


def row_82(got, folder):
    r, _, _, _, dirty, effect, _ = first(folder)
    found = []
    for name in ("q", "k", "v", "pattern"):
        for layer, head in HEADS:
            hook = f"blocks.{layer}.attn.hook_{name}"
            where = head if name == "pattern" else (slice(None), head)
            found.append(effect(r.change(hook, where, dirty[hook][where])))
    return found


def row_83(got, folder):
    r, x, y, _, _, effect, _ = first(folder)
    return [effect(r.path(x, y, head, "output")) for head in HEADS]


def row_84(got, folder):
    r, x, y, _, _, effect, _ = first(folder)
    mover = got[0]
    return [mover, [[effect(r.path(x, y, (0, h), (1, mover), by)) for h in range(4)] for by in "vqk"]]


def row_85(got, folder):
    r, shares = model(folder), []
    for head in range(4):
        hits = []
        for x, _, _, _ in CASES:
            v = r.activations(x)["blocks.1.attn.hook_v"][:, head]
            for place in (1, 3):
                logits = r.read((v[place] @ r.split(1, "o")[head])[None])[0]
                hits.append(NAMES.index(x.split()[place]) in np.argsort(-logits)[:2])
        shares.append(np.mean(hits))
    return shares


def row_86(got, folder):
    r, x, _, _, _, _, _ = first(folder)
    mover = row_77(got, folder)[4:]
    seen = r.activations(x, r.head_off(1, int(np.argmax(mover))))
    return list(r.direct(seen, END, direction(*CASES[0][2:])).values())


def kept(folder, circuit):
    r, _, _, _, _, effect, whole = first(folder)
    means = [np.mean([r.activations(x)[f"blocks.{layer}.attn.hook_z"] for x, _, _, _ in CASES], axis=0) for layer in range(2)]
    put = {}
    for layer in range(2):
        def cut(z, layer=layer):
            out = [head for head in range(4) if (layer, head) not in circuit]
            z = z.copy()
            z[:, out] = means[layer][:, out]
            return z
        put[f"blocks.{layer}.attn.hook_z"] = cut
    return effect(put) + whole


def circuit(folder):
    return [(0, 0), (0, 2), (0, 3), (1, int(np.argmax(row_77(None, folder)[4:])))]


def row_87(got, folder):
    return kept(folder, circuit(folder))


def row_88(got, folder):
    return [kept(folder, [head for head in circuit(folder) if head != left]) for left in circuit(folder)]


def row_89(got, folder):
    seen = model(folder).activations([0, 5, 2, 7, 4, 1] * 2)
    return [[np.mean([seen[f"blocks.{layer}.attn.hook_pattern"][head][i, i - k] for i in range(6, 12)]) for layer, head in HEADS] for k in (6, 1, 5)]
