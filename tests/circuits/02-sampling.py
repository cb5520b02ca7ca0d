import itertools

import numpy as np
from reference import Reference, losses, softmax

PROMPT = [1, 4]


def row_13(got, folder):
    r, tokens = Reference.saved(folder / "m.safetensors"), list(PROMPT)
    for _ in range(8):
        tokens.append(int(r.run(tokens)[-1].argmax()))
    return tokens[2:]


def row_15(got, folder):
    logits = Reference.saved(folder / "m.safetensors").run(PROMPT)[-1]
    p = [softmax(logits / T) for T in np.logspace(-2, 2, 9)]
    wanted = [-(q * np.log(np.where(q > 0, q, 1))).sum() for q in p]
    assert wanted == sorted(wanted) and wanted[0] < 1e-3 and abs(wanted[-1] - np.log(7)) < 1e-3
    return wanted


def row_18(got, folder):
    r, found = Reference.saved(folder / "m.safetensors"), []
    for begin in (0, 2):
        tokens = list(PROMPT)
        for _ in range(8):
            tokens.append(int((r.run(tokens)[-1] - 2 * np.bincount(tokens[begin:], minlength=7)).argmax()))
        found.append(tokens[begin:])
    return found


def row_19(got, folder):
    r = Reference.saved(folder / "m.safetensors")
    return min(itertools.product(range(7), repeat=3), key=lambda after: losses(r.run([*PROMPT, *after])[1:4], list(after)).sum())
