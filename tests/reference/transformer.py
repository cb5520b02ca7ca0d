#!/usr/bin/env python3
"""Writes transformer.txt: what PyTorch's layers, its whole Transformer and its AdamW give, and Muon
by its paper.

    python3 tests/reference/transformer.py > tests/reference/transformer.txt

Neither inputs nor parameters are stored: both sides make them with number(), whose values are the
same doubles everywhere, from the sum of the bytes of a parameter's name. tests/model/reference.c
reads the file. A case is a line of words, then one line for each array: its name and its numbers.
Matrices are (in, out) here and in the project, (out, in) in PyTorch.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)
WIDTH, HEADS, HIDDEN, WORDS, STEPS = 4, 2, 6, 7, 10
SOURCE = [[1, 2, 3, 4, 5], [6, 5, 1, 0, 0], [3, 3, 0, 2, 0]]
SOURCE_LENGTHS = [5, 3, 4]
TARGET = [[0, 5, 4, 3], [0, 1, 5, 0], [0, 2, 0, 0]]
TARGET_LENGTHS = [4, 3, 2]
LABELS = [[5, 4, 3, 2], [1, -1, 6, -1], [2, 0, -1, -1]]


def number(seed, index):
    return ((index * 7919 + seed * 104729) % 2003) / 1000 - 1


def array(seed, *shape):
    count = math.prod(shape)
    return torch.tensor([number(seed, i) for i in range(count)]).reshape(shape)


def named(name, *shape):
    return array(sum(name.encode()), *shape)


def show(name, x):
    print(name, *(f"{v:.13g}" for v in x.reshape(-1).tolist()))


class Part:
    """A named part of a module's parameter: some of its rows, turned round if it is a matrix."""

    def __init__(self, name, parameter, rows=slice(None)):
        self.name, self.parameter, self.rows = name, parameter, rows

    def fill(self):
        part = self.parameter.data[self.rows]
        shape = tuple(reversed(part.shape))
        part.copy_(named(self.name, *shape).T if len(shape) == 2 else named(self.name, *shape))

    def show(self, gradient):
        x = (self.parameter.grad if gradient else self.parameter.data)[self.rows]
        show(self.name, x.T if x.dim() == 2 else x)


def attention_parts(path, attention):
    for i, letter in enumerate("qkv"):
        rows = slice(i * WIDTH, (i + 1) * WIDTH)
        yield Part(f"{path}.W{letter}", attention.in_proj_weight, rows)
        yield Part(f"{path}.b{letter}", attention.in_proj_bias, rows)
    yield Part(f"{path}.Wo", attention.out_proj.weight)
    yield Part(f"{path}.bo", attention.out_proj.bias)


def norm_parts(path, norm):
    yield Part(f"{path}.gamma", norm.weight)
    yield Part(f"{path}.beta", norm.bias)


def layer_parts(path, layer):
    crosses = hasattr(layer, "multihead_attn")
    yield from attention_parts(f"{path}.self" if crosses else f"{path}.attention", layer.self_attn)
    if crosses:
        yield from attention_parts(f"{path}.cross", layer.multihead_attn)
    for i in range(2 + crosses):
        yield from norm_parts(f"{path}.norm{i + 1}", getattr(layer, f"norm{i + 1}"))
    yield Part(f"{path}.ffn.W1", layer.linear1.weight)
    yield Part(f"{path}.ffn.b1", layer.linear1.bias)
    yield Part(f"{path}.ffn.W2", layer.linear2.weight)
    yield Part(f"{path}.ffn.b2", layer.linear2.bias)


def causal(n):
    return torch.ones(n, n, dtype=torch.bool).triu(1)


def layer_case(kind, first):
    """x is (2, 3, WIDTH), what the decoder attends to (2, 5, WIDTH)."""
    print(f"{kind}-layer {'pre' if first else 'post'}")
    maker = nn.TransformerEncoderLayer if kind == "encoder" else nn.TransformerDecoderLayer
    layer = maker(WIDTH, HEADS, HIDDEN, 0.0, "gelu", batch_first=True, norm_first=first)
    parts = list(layer_parts(f"{kind}.0", layer))
    for part in parts:
        part.fill()
    x, memory = array(1, 2, 3, WIDTH).requires_grad_(), array(2, 2, 5, WIDTH).requires_grad_()
    y = layer(x) if kind == "encoder" else layer(x, memory, tgt_mask=causal(3))
    (y * array(3, 2, 3, WIDTH)).sum().backward()
    show("y", y)
    show("dx", x.grad)
    if kind == "decoder":
        show("dmemory", memory.grad)
    for part in parts:
        part.show(True)


def sinusoids(n):
    place, column = torch.meshgrid(torch.arange(n), torch.arange(WIDTH), indexing="ij")
    angle = place / 10000 ** ((column - column % 2) / WIDTH)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


class Model(nn.Module):
    """Embeddings that are the logits' weights, too; nn.Transformer; label smoothing 0.1."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Parameter(torch.zeros(WORDS, WIDTH))
        self.bias = nn.Parameter(torch.zeros(WORDS))
        self.body = nn.Transformer(WIDTH, HEADS, 1, 1, HIDDEN, 0.0, "gelu", batch_first=True,
                                   norm_first=True)

    def parts(self):
        yield Part("unembed_bias", self.bias)
        for kind in "encoder", "decoder":
            stack = getattr(self.body, kind)
            yield from layer_parts(f"{kind}.0", stack.layers[0])
            yield from norm_parts(f"{kind}.norm", stack.norm)

    def fill(self):
        self.embed.data.copy_(named("embed", WORDS, WIDTH))
        for part in self.parts():
            part.fill()

    def show(self, gradient):
        show("embed", self.embed.grad if gradient else self.embed.data)
        for part in self.parts():
            part.show(gradient)

    def embedded(self, ids):
        return self.embed[torch.tensor(ids)] * math.sqrt(WIDTH) + sinusoids(len(ids[0]))

    def loss(self):
        padding = torch.arange(len(SOURCE[0]))[None, :] >= torch.tensor(SOURCE_LENGTHS)[:, None]
        y = self.body(self.embedded(SOURCE), self.embedded(TARGET), tgt_mask=causal(len(TARGET[0])),
                      src_key_padding_mask=padding, memory_key_padding_mask=padding)
        logits = y @ self.embed.T + self.bias
        return F.cross_entropy(logits.reshape(-1, WORDS), torch.tensor(LABELS).reshape(-1),
                               ignore_index=-1, label_smoothing=0.1)


def model_case():
    print("model")
    model = Model()
    model.fill()
    loss = model.loss()
    loss.backward()
    show("loss", loss)
    model.show(True)


def muon_direction(velocity):
    x = velocity / velocity.norm()
    for _ in range(5):
        gram = x @ x.T
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    return x


def optimiser_case(name):
    print(name)
    model = Model()
    model.fill()
    by_muon = [part for part in model.parts() if name == "muon" and part.parameter.dim() == 2]
    moved = [part.parameter for part in by_muon]
    rest = [p for p in model.parameters() if all(p is not other for other in moved)]
    decays = [p for p in rest if p.dim() == 2]
    others = [p for p in rest if p.dim() == 1]
    optimiser = torch.optim.AdamW([{"params": decays, "weight_decay": 0.1},
                                   {"params": others, "weight_decay": 0.0}],
                                  lr=0.01, betas=(0.9, 0.98), eps=1e-4)
    velocities = [torch.zeros_like(part.parameter.data[part.rows]) for part in by_muon]
    losses = []
    for _ in range(STEPS):
        model.zero_grad()
        loss = model.loss()
        loss.backward()
        optimiser.step()
        for part, velocity in zip(by_muon, velocities):
            gradient = part.parameter.grad[part.rows]
            velocity.mul_(0.95).add_(gradient)
            size = 0.01 * 0.2 * math.sqrt(max(velocity.shape))
            p = part.parameter.data[part.rows]
            p.mul_(1 - 0.01 * 0.1).sub_(size * muon_direction(gradient + 0.95 * velocity))
        losses.append(loss.item())
    show("losses", torch.tensor(losses))
    model.show(False)


for kind in "encoder", "decoder":
    for first in True, False:
        layer_case(kind, first)
model_case()
optimiser_case("adamw")
optimiser_case("muon")
