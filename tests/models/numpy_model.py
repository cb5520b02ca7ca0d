"""A Transformer in NumPy that is read from a model's file alone: what src/model/checkpoint.h and
parameters.h say about names and shapes, and the formulas of transformer.h. One sequence at a time,
with what it computes on the way by TransformerLens's names."""
import math

import numpy as np


def softmax(x):
    """Along the last axis; of complex numbers, too, whose imaginary parts are small."""
    e = np.exp(x - x.real.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layernorm(x, gain, shift, epsilon=1e-5):
    x = x - x.mean(axis=-1, keepdims=True)
    return rmsnorm(x, gain, epsilon) + shift


def rmsnorm(x, gain, epsilon=1e-5):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon) * gain


def rotated(x, base=10000):
    """x (T, heads, w): columns 2i and 2i + 1 are turned by position / base^(2i / w)."""
    angle = np.arange(len(x))[:, None] / base ** (np.arange(0, x.shape[-1], 2) / x.shape[-1])
    turn, out = np.exp(1j * angle)[:, None, :], np.empty_like(x)
    out[..., ::2] = turn.real * x[..., ::2] - turn.imag * x[..., 1::2]
    out[..., 1::2] = turn.imag * x[..., ::2] + turn.real * x[..., 1::2]
    return out


def attend(q, k, v, visible=None):
    """q (..., Tq, D), k (..., Tk, D), v (..., Tk, Dv); visible (Tq, Tk): what each query sees."""
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    return softmax(scores if visible is None else np.where(visible, scores, -np.inf)) @ v


ACTIVATIONS = {
    "relu": lambda x: np.where(x.real > 0, x, 0),
    "gelu": lambda x: x * (1 + np.vectorize(math.erf)(x.real / math.sqrt(2))) / 2,
    "gelu_tanh": lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
    "silu": lambda x: x / (1 + np.exp(-x)),
}


class Model:
    """run() computes logits; `seen` has what it computed by name; `put` maps a name to a function of what was computed there to what
    the model goes on with. The numbers are complex, so that the imaginary part of a small step is a derivative (relu and gelu_tanh)."""

    def __init__(self, arrays, config):
        self.p = {name: np.asarray(a, dtype=complex) for name, a in arrays.items()}
        self.kind, self.position = config["kind"], config["position"]
        self.pre, self.post = config["norm"] == "pre", config["norm"] == "post"
        self.gated = config["activation"] == "swiglu"
        self.activation = ACTIVATIONS["silu" if self.gated else config["activation"]]
        self.heads, self.layers = int(config["heads"]), int(config["layers"])
        self.rms, self.tied = config["rms"] == "true", "unembed" not in self.p
        self.seen, self.put = {}, {}

    def note(self, name, x):
        if name in self.put:
            x = self.put[name](x)
        self.seen[name] = x
        return x

    def affine(self, x, weights, bias):
        return x @ self.p[weights] + self.p.get(bias, 0)

    def norm(self, name, at, x):
        if not (self.pre or self.post):
            return x
        gain = self.p[f"{at}.gamma"]
        return self.note(f"{name}.hook_normalized", rmsnorm(x, gain) if self.rms else layernorm(x, gain, self.p[f"{at}.beta"]))

    def attention(self, name, at, x, context, causal):
        q, k, v = (self.note(f"{name}.hook_{c}", self.affine(y, f"{at}.W{c}", f"{at}.b{c}").reshape(len(y), self.heads, -1))
                   for c, y in (("q", x), ("k", context), ("v", context)))
        if self.position == "rope" and x is context:
            q, k = self.note(f"{name}.hook_rot_q", rotated(q)), self.note(f"{name}.hook_rot_k", rotated(k))
        scores = np.einsum("qhw,khw->hqk", q, k) / np.sqrt(q.shape[-1])
        distance = np.abs(np.arange(len(x))[:, None] - np.arange(len(context)))
        if self.position == "alibi" and x is context:
            scores = scores - 2.0 ** (-8 * (np.arange(self.heads) + 1) / self.heads)[:, None, None] * distance
        if causal:
            scores = np.where(np.tri(*distance.shape, dtype=bool), scores, -np.inf)
        scores = self.note(f"{name}.hook_attn_scores", scores)
        pattern = self.note(f"{name}.hook_pattern", softmax(scores))
        z = self.note(f"{name}.hook_z", np.einsum("hqk,khw->qhw", pattern, v))
        wo = self.p[f"{at}.Wo"].reshape(self.heads, -1, self.p[f"{at}.Wo"].shape[1])
        result = self.note(f"{name}.hook_result", np.einsum("qhw,hwd->qhd", z, wo))
        return result.sum(axis=1) + self.p.get(f"{at}.bo", 0)

    def stack(self, name, at, ids, context, causal):
        top = f"{name}." if self.kind == "encoder-decoder" else ""
        rows = self.p["embed"][ids]
        n, d = rows.shape
        x = self.note(f"{top}hook_embed", rows * (np.sqrt(d) if self.position == "sinusoidal" else 1))
        if self.position == "sinusoidal":
            angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
            x = x + self.note(f"{top}hook_pos_embed", np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(n, -1))
        if self.position == "learned":
            x = x + self.note(f"{top}hook_pos_embed", self.p["positions"][:n])
        crosses = context is not None
        for layer in range(self.layers):
            here, there = f"{name}.{layer}", f"{at}.{layer}"
            parts = [("ln1", "norm1", "hook_attn_out", "hook_resid_mid",
                      lambda y: self.attention(f"{here}.attn", f"{there}.{'self' if crosses else 'attention'}", y, y, causal))]
            if crosses:
                parts.append(("ln2", "norm2", "hook_cross_attn_out", "hook_resid_mid_cross",
                              lambda y: self.attention(f"{here}.cross_attn", f"{there}.cross", y, context, False)))
            last = len(parts) + 1

            def ffn(z):
                y = self.note(f"{here}.mlp.hook_pre", self.affine(z, f"{there}.ffn.W1", f"{there}.ffn.b1"))
                gate = self.affine(z, f"{there}.ffn.W3", f"{there}.ffn.b3") if self.gated else 1
                y = self.note(f"{here}.mlp.hook_post", self.activation(y) * gate)
                return self.affine(y, f"{there}.ffn.W2", f"{there}.ffn.b2")

            if f"{there}.ffn.W1" in self.p:
                parts.append((f"ln{last}", f"norm{last}", "hook_mlp_out", "hook_resid_post", ffn))
            x = self.note(f"{here}.hook_resid_pre", x)
            for ln, norm, out, after, f in parts:
                if not self.post:
                    x = x + self.note(f"{here}.{out}", f(self.norm(f"{here}.{ln}", f"{there}.{norm}", x)))
                else:
                    x = self.norm(f"{here}.{ln}", f"{there}.{norm}", x + self.note(f"{here}.{out}", f(x)))
                x = self.note(f"{here}.{after}", x)
            if len(parts) < last:
                x = self.note(f"{here}.hook_resid_post", x)
        return self.norm(f"{top}ln_final", f"{at}.norm", x) if self.pre else x

    def read(self, x):
        return x @ (self.p["embed"].T if self.tied else self.p["unembed"]) + self.p.get("unembed_bias", 0)

    def run(self, source, target=None, put={}):
        self.seen, self.put = {}, put
        if self.kind == "encoder-decoder":
            context = self.stack("encoder", "encoder", source, None, False)
            return self.read(self.stack("decoder", "decoder", target, context, True))
        return self.read(self.stack("blocks", self.kind, source, None, self.kind == "decoder"))
