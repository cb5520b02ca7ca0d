"""A Transformer in NumPy that is read from a model's file alone: what src/model/checkpoint.h and
parameters.h say about names and shapes, and the formulas of transformer.h. One sequence at a time."""
import math

import numpy as np


def norm(x, rows, name, rms):
    if not rms:
        x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * rows[name + ".gamma"]
    return x if rms else x + rows[name + ".beta"]


def attention(x, context, rows, name, heads, causal):
    def projected(source, letter):
        y = source @ rows[f"{name}.W{letter}"] + rows.get(f"{name}.b{letter}", 0)
        return y.reshape(len(y), heads, -1).swapaxes(0, 1)

    q, k, v = projected(x, "q"), projected(context, "k"), projected(context, "v")
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.tri(*scores.shape[1:], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    z = (weights @ v).swapaxes(0, 1).reshape(len(x), -1)
    return z @ rows[name + ".Wo"] + rows.get(name + ".bo", 0)


ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "gelu": lambda x: x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2,
    "gelu_tanh": lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
}


def stack(name, ids, context, rows, config):
    """From tokens to the stream behind the last layer of "encoder" or "decoder"."""
    rms, heads, pre = config["rms"] == "true", int(config["heads"]), config["norm"] == "pre"
    x = rows["embed"][ids]
    n, d = x.shape
    if config["position"] == "sinusoidal":
        place, column = np.arange(n)[:, None], np.arange(d)
        angle = place / 10000 ** ((column - column % 2) / d)
        x = x * math.sqrt(d) + np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
    elif config["position"] == "learned":
        x = x + rows["positions"][:n]
    for layer in range(int(config["layers"])):
        path = f"{name}.{layer}"
        parts = [lambda y: attention(y, y, rows, path + (".self" if context is not None else ".attention"), heads, name == "decoder")]
        if context is not None:
            parts.append(lambda y: attention(y, context, rows, path + ".cross", heads, False))
        parts.append(lambda y: ACTIVATIONS[config["activation"]](y @ rows[path + ".ffn.W1"] + rows.get(path + ".ffn.b1", 0)) @ rows[path + ".ffn.W2"] + rows.get(path + ".ffn.b2", 0))
        for number, part in enumerate(parts, 1):
            def normed(y):
                return norm(y, rows, f"{path}.norm{number}", rms)
            x = x + part(normed(x)) if pre else normed(x + part(x))
    return norm(x, rows, name + ".norm", rms) if pre else x


def logits(arrays, config, ids, target=None):
    rows = {name: array.astype(np.float64) for name, array in arrays.items()}
    if config["kind"] == "encoder-decoder":
        x = stack("decoder", target, stack("encoder", ids, None, rows, config), rows, config)
    else:
        x = stack(config["kind"], ids, None, rows, config)
    y = x @ rows["embed"].T if config["tie"] == "true" else x @ rows["unembed"]
    return y + rows.get("unembed_bias", 0)
