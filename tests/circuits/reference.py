"""What the commands on models compute, in NumPy from a saved file alone: activations, changes of them,
attribution, path patching, the logit lens and composition scores. The forward pass is that of
tests/models/numpy_model.py.

Letters: L layers, H heads, w the width of a head, d of the stream, V tokens, T places."""
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "models"))
import file
from numpy_model import Model, softmax


class Reference:
    """A decoder or an encoder; with an encoder-decoder, run() and seen."""

    def __init__(self, arrays, config):
        self.model = Model({name: a for name, a in arrays.items() if not name.startswith("optimiser.")}, config)
        self.config = config
        self.layers, self.heads = self.model.layers, self.model.heads
        self.tokens = json.loads(config["vocabulary"])["tokens"] if "vocabulary" in config else None

    def p(self, name):
        """A parameter by the name it has in the file; 0 where the model has none of it."""
        return self.model.p[name].real if name in self.model.p else 0

    def ids(self, x):
        return [self.tokens.index(word) for word in x.split()] if isinstance(x, str) else [int(i) for i in x]

    def run(self, x, put={}, target=None):
        """The logits (T, V); seen then has every activation. put maps a name to an array, a number that fills it, or a function."""
        def changer(value):
            return value if callable(value) else lambda y: np.zeros_like(y) + value
        logits = self.model.run(self.ids(x), None if target is None else self.ids(target), {name: changer(value) for name, value in put.items()})
        self.seen = {name: a.real for name, a in self.model.seen.items()}
        return logits.real

    def activations(self, x, put={}):
        self.run(x, put)
        return self.seen

    @classmethod
    def saved(cls, path):
        """A model that attn has saved."""
        return cls(*file.read(path))

    @classmethod
    def published(cls, folder):
        """A checkpoint with GPT-2's names."""
        config = json.loads((folder / "config.json").read_text())
        given, _ = file.read(folder / "model.safetensors")
        p = {"embed": given["wte.weight"], "positions": given["wpe.weight"], "unembed": given["lm_head.weight"].T,
             "decoder.norm.gamma": given["ln_f.weight"], "decoder.norm.beta": given["ln_f.bias"]}
        for layer in range(config["n_layer"]):
            h, at = f"h.{layer}.", f"decoder.{layer}."
            for part, ending in (("weight", "W"), ("bias", "b")):
                for letter, columns in zip("qkv", np.split(given[f"{h}attn.c_attn.{part}"], 3, axis=-1)):
                    p[f"{at}attention.{ending}{letter}"] = columns
                p[f"{at}attention.{ending}o"] = given[f"{h}attn.c_proj.{part}"]
                p[f"{at}ffn.{ending}1"], p[f"{at}ffn.{ending}2"] = given[f"{h}mlp.c_fc.{part}"], given[f"{h}mlp.c_proj.{part}"]
            for n in (1, 2):
                p[f"{at}norm{n}.gamma"], p[f"{at}norm{n}.beta"] = given[f"{h}ln_{n}.weight"], given[f"{h}ln_{n}.bias"]
        return cls(p, {"kind": "decoder", "position": "learned", "norm": "pre", "activation": "gelu_tanh", "heads": config["n_head"],
                       "layers": config["n_layer"], "rms": "false", "tie": "false"})

    # ---- weights in TransformerLens's shapes ----

    def split(self, layer, letter):
        """W_Q, W_K, W_V of a layer as (H, d, w), W_O as (H, w, d)."""
        w = self.p(f"{self.model.kind}.{layer}.attention.W{letter}")
        if letter == "o":
            return w.reshape(self.heads, -1, w.shape[1])
        return w.reshape(w.shape[0], self.heads, -1).swapaxes(0, 1)

    def weights(self, letter):
        return np.stack([self.split(layer, letter) for layer in range(self.layers)])

    @property
    def W_E(self):
        return self.p("embed")

    @property
    def W_U(self):
        return self.p("embed").T if self.model.tied else self.p("unembed")

    def qk(self, layer, head):
        """W_Q W_K^T (d, d) of a head."""
        return self.split(layer, "q")[head] @ self.split(layer, "k")[head].T

    def ov(self, layer, head):
        return self.split(layer, "v")[head] @ self.split(layer, "o")[head]

    def composition(self, by, first, second):
        a = self.ov(*first)
        b = {"q": self.qk(*second), "k": self.qk(*second).T, "v": self.ov(*second)}[by]
        return np.linalg.norm(a @ b) / np.linalg.norm(a) / np.linalg.norm(b)

    # ---- the answer ----

    def final(self, x):
        """ln_final of a stream."""
        if not self.model.pre:
            return x
        self.model.seen, self.model.put = {}, {}
        return self.model.norm("final", f"{self.model.kind}.norm", x + 0j).real

    def read(self, x):
        return self.model.read(self.final(x) + 0j).real

    def lens(self, seen, place):
        """Logits (L + 1, V) of the stream in front of each layer and behind the last."""
        streams = [seen[f"blocks.{layer}.hook_resid_pre"] for layer in range(self.layers)] + [seen[f"blocks.{self.layers - 1}.hook_resid_post"]]
        return np.stack([self.read(x)[place] for x in streams])

    def direct(self, seen, place, direction):
        """What each writer adds to logits @ direction at a place, by name. Of each norm on the way its divisor is kept, so that they add
        up. Behind them the biases, from the parameters, and what is patched into the stream beside them all; each where it is not 0."""
        parts = {"biases": np.zeros(self.W_U.shape[0]), "embedding": seen["hook_embed"][place]}
        if "hook_pos_embed" in seen:
            parts["positions"] = seen["hook_pos_embed"][place]

        def through(norm, stream):
            """What a norm makes of each part of the stream."""
            centred = not self.model.rms
            x = stream - stream.mean() if centred else stream
            scale = self.p(norm + ".gamma") / np.sqrt((x * x).mean() + 1e-5)
            out = {name: (part - part.mean() if centred else part) * scale for name, part in parts.items()}
            return {**out, "biases": out["biases"] + self.p(norm + ".beta")}

        for layer in range(self.layers):
            name, at = f"blocks.{layer}.", f"{self.model.kind}.{layer}"
            parts.update({f"head {layer} {head}": x for head, x in enumerate(seen[name + "attn.hook_result"][place])})
            parts["biases"] = parts["biases"] + self.p(f"{at}.attention.bo")
            if self.model.post:
                parts = through(f"{at}.norm1", (seen[name + "hook_resid_pre"] + seen[name + "hook_attn_out"])[place])
            if name + "hook_mlp_out" in seen:
                parts[f"mlp {layer}"] = seen[name + "hook_mlp_out"][place]
                if self.model.post:
                    parts = through(f"{at}.norm2", (seen[name + "hook_resid_mid"] + seen[name + "hook_mlp_out"])[place])
        last = seen[f"blocks.{self.layers - 1}.hook_resid_post"]
        if self.model.pre:
            parts = through(f"{self.model.kind}.norm", last[place])
        effects = {name: part @ self.W_U @ direction for name, part in parts.items()}
        biases = effects.pop("biases") + np.sum(self.p("unembed_bias") * direction)
        patched = self.read(last)[place] @ direction - sum(effects.values()) - biases
        rounding = 1e-5 * sum(map(abs, effects.values()))
        return {**effects, **({"biases": biases} if biases else {}), **({"patched": patched} if abs(patched) > rounding else {})}

    # ---- changes ----

    def change(self, name, where, value, add=False):
        """For put: `value` at the index `where` of an activation."""
        def f(x):
            x = x.copy()
            x[where] = x[where] + value if add else value
            return x
        return {name: f}

    def head_off(self, layer, head, value=0):
        return self.change(f"blocks.{layer}.attn.hook_z", (slice(None), head), value)

    def path(self, x, other, sender, receiver, by=None):
        """Put for run(): the receiver reads what the sender would add to the stream in a run of `other`, and nothing else is new.
        A sender or receiver is (layer, head), (layer, "mlp") or "output"; `by` is q, k or v of a head."""
        clean, dirty = dict(self.activations(x)), dict(self.activations(other))
        layer, part = sender
        if part == "mlp":
            delta = dirty[f"blocks.{layer}.hook_mlp_out"] - clean[f"blocks.{layer}.hook_mlp_out"]
        else:
            delta = (dirty[f"blocks.{layer}.attn.hook_result"] - clean[f"blocks.{layer}.attn.hook_result"])[:, part]
        if receiver == "output":
            return {f"blocks.{self.layers - 1}.hook_resid_post": clean[f"blocks.{self.layers - 1}.hook_resid_post"] + delta}
        to, part = receiver
        at = f"{self.model.kind}.{to}"
        if part == "mlp":
            stream = clean[f"blocks.{to}.hook_resid_mid"] + delta
            put = {f"blocks.{to}.hook_resid_mid": stream}
            return {f"blocks.{to}.hook_mlp_out": self.activations(x, put)[f"blocks.{to}.hook_mlp_out"]}
        self.model.seen, self.model.put = {}, {}
        read = self.model.norm("read", f"{at}.norm1", clean[f"blocks.{to}.hook_resid_pre"] + delta + 0j)
        new = self.model.affine(read, f"{at}.attention.W{by}", f"{at}.attention.b{by}").real.reshape(len(delta), self.heads, -1)[:, part]
        return self.change(f"blocks.{to}.attn.hook_{by}", (slice(None), part), new)


def log_softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


def losses(logits, targets):
    """-log p of each target."""
    return -log_softmax(logits)[np.arange(len(targets)), targets]
