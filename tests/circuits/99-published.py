import os
import pathlib

import numpy as np
from reference import Reference

X, Y = [2, 1, 0, 1, 0, 2, 0, 0, 1, 1, 2], [0, 1, 2, 2, 1, 0, 1, 2, 2, 0, 0]
GPT = Reference.published(pathlib.Path(os.environ["ATTN_NANO_GPT"]))
LAYERS, HEADS, PLACES = 3, 3, len(X)


def row_118(got, folder):
    return [GPT.run(X), GPT.run(Y)]


def row_119(got, folder):
    logits = GPT.run(X)
    seen = dict(GPT.seen)
    found = [GPT.direct(seen, place, np.eye(3)[logits[place].argmax()]) for place in range(PLACES)]
    return [list(parts.values()) for parts in found]


def row_120(got, folder):
    seen = GPT.activations(X)
    return [GPT.lens(seen, place) for place in range(PLACES)]


def row_121(got, folder):
    return [GPT.composition(by, (i, g), (j, h)) for by in "qkv" for i in range(LAYERS - 1) for g in range(HEADS) for j in range(i + 1, LAYERS) for h in range(HEADS)]


def row_122(got, folder):
    there = dict(GPT.activations(Y))
    clean = GPT.run(X)[8]
    token = clean.argmax()

    def effect(put):
        return GPT.run(X, put)[8, token] - clean[token]
    maps = []
    for part in ("resid_pre", "attn_out", "mlp_out"):
        hooks = [f"blocks.{layer}.hook_{part}" for layer in range(LAYERS)]
        maps.append([[effect(GPT.change(hook, place, there[hook][place])) for place in range(PLACES)] for hook in hooks])
    maps.append([[effect(GPT.head_off(layer, head, there[f"blocks.{layer}.attn.hook_z"][:, head])) for head in range(HEADS)] for layer in range(LAYERS)])
    return maps


def row_123(got, folder):
    found = []

    def path(sender, receiver, by=None):
        found.append(GPT.run(X, GPT.path(X, Y, sender, receiver, by)))
    for i in range(LAYERS):
        for g in (0, 1, 2, "mlp"):
            path((i, g), "output")
            for j in range(i, LAYERS):
                if j > i or g != "mlp":
                    path((i, g), (j, "mlp"))
            for j in range(i + 1, LAYERS):
                for h in range(HEADS):
                    for by in "qkv":
                        path((i, g), (j, h), by)
    return found


def row_124(got, folder):
    seen = dict(GPT.activations(X))
    even = np.tri(PLACES) / np.tri(PLACES).sum(axis=1, keepdims=True)
    found = []
    for layer in range(LAYERS):
        name = f"blocks.{layer}.attn."
        for head in range(HEADS):
            for put in (GPT.head_off(layer, head), GPT.head_off(layer, head, seen[name + "hook_z"][:, head].mean(axis=0)), GPT.change(name + "hook_pattern", head, even)):
                found.append(GPT.run(X, put))
        found.append(GPT.run(X, {f"blocks.{layer}.hook_mlp_out": 0}))
    return found
