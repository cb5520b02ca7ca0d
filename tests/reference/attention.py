#!/usr/bin/env python3
"""Writes attention.txt: what PyTorch gives for attention and the blocks around it.

    python3 tests/reference/attention.py > tests/reference/attention.txt

The inputs are not stored: both sides make them with number(), whose values are
the same doubles everywhere. tests/engine/reference.c reads the file. A case is a line
of words (what to compute), then one line for each array: its name and its numbers.
"""
import itertools
import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
INF = math.inf


def number(seed, index):
    return ((index * 7919 + seed * 104729) % 2003) / 1000 - 1


def array(seed, *shape):
    count = math.prod(shape)
    return torch.tensor([number(seed, i) for i in range(count)]).reshape(shape)


def show(name, x):
    print(name, *(f"{v:.13g}" for v in x.reshape(-1).tolist()))


# ---- masks and positions, in tensor arithmetic ----

def boolean_array(heads, queries, keys):
    h, i, j = torch.meshgrid(torch.arange(heads), torch.arange(queries), torch.arange(keys), indexing="ij")
    return (h + 3 * i + 2 * j) % 4 != 0


def mask_of(name, heads, queries, keys, offset):
    """(visible, added), each broadcast to (heads, queries, keys)."""
    i = (torch.arange(queries) + offset)[:, None]
    j = torch.arange(keys)[None, :]
    seen = torch.ones(heads, queries, keys, dtype=torch.bool)
    added = torch.zeros(heads, queries, keys)
    if name == "causal":
        seen = seen & (i >= j)
    elif name == "window_1":
        seen = seen & ((i - j).abs() <= 1)
    elif name == "padding_3":
        seen = seen & (j < 3)
    elif name == "causal_and_window_2":
        seen = seen & (i >= j) & ((i - j).abs() <= 2)
    elif name == "segments":
        seen = seen & (i // 2 == j // 2)
    elif name == "boolean":
        seen = boolean_array(1, queries, keys).expand(heads, -1, -1)
    elif name == "heads":
        seen = boolean_array(heads, queries, keys)
    elif name == "numbers":
        added = added + array(11, queries, keys)
    elif name == "infinite":
        added = torch.zeros(queries, keys).masked_fill(~boolean_array(1, queries, keys)[0], -INF) + added
    elif name == "row":
        added = added + array(12, keys)
    return seen, added


def sinusoidal(n, d, offset):
    place = (torch.arange(n) + offset)[:, None].to(torch.float64)
    frequency = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    out = torch.zeros(n, d)
    out[:, 0::2] = torch.sin(place * frequency)
    out[:, 1::2] = torch.cos(place * frequency)[:, : d // 2]
    return out


def rope(x, offset):
    """x (heads, n, d): pairs as complex numbers, turned by exp(i place frequency)."""
    n, d = x.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d, 2) / d)
    angle = torch.outer((torch.arange(n) + offset).to(torch.float64), frequency)
    turned = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous()) * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).reshape(x.shape)


def position_term(name, heads, queries, keys, offset):
    distance = (torch.arange(queries) + offset)[:, None] - torch.arange(keys)[None, :]
    if name == "relative_0.5":
        return (-0.5 * distance.abs()).expand(heads, -1, -1)
    if name == "table":
        return array(13, 5)[distance.clamp(-2, 2) + 2].expand(heads, -1, -1)
    if name == "alibi":
        slopes = [0.5] if heads == 1 else [2 ** (-8 * h / heads) for h in range(1, heads + 1)]
        return -torch.tensor(slopes)[:, None, None] * distance.abs()
    return torch.zeros(heads, queries, keys)


# ---- attention ----

def cut(x, heads):
    return x.reshape(x.shape[0], heads, -1).transpose(0, 1)


def attention(q, k, v, heads, offset, scale, temperature, mask, position):
    queries, keys = q.shape[0], k.shape[0]
    if position == "sinusoidal":
        q = q + sinusoidal(queries, q.shape[1], offset)
        k = k + sinusoidal(keys, k.shape[1], 0)
    q, k, v = cut(q, heads), cut(k, heads), cut(v, heads)
    if position == "rope":
        q, k = rope(q, offset), rope(k, 0)
    factor = {"sqrt": q.shape[-1] ** -0.5, "none": 1.0}.get(scale) or float(scale)
    seen, added = mask_of(mask, heads, queries, keys, offset)
    scores = factor * q @ k.transpose(1, 2) + position_term(position, heads, queries, keys, offset) + added
    scores = (scores / temperature).masked_fill(~seen, -INF)
    some = (scores > -INF).any(-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~some, 0), -1) * some
    output = (weights @ v).transpose(0, 1)
    show("output", output)
    show("weights", weights)
    show("entropy", torch.special.entr(weights).sum(-1))
    show("logsumexp", torch.logsumexp(scores, -1))
    return output.reshape(queries, -1)


def attention_and_gradients(q, k, v, *rest):
    for x in (q, k, v):
        x.requires_grad_()
    output = attention(q, k, v, *rest)
    output.backward(array(14, *output.shape))
    for name, x in (("d_q", q), ("d_k", k), ("d_v", v)):
        show(name, x.grad)


MASKS = ["none", "causal", "window_1", "padding_3", "causal_and_window_2", "segments",
         "boolean", "heads", "numbers", "infinite", "row"]
SCALES = ["sqrt", "none", "0.7"]
TEMPERATURES = [0.25, 1, 3]
POSITIONS = ["none", "sinusoidal", "relative_0.5", "table", "alibi", "rope"]
# queries, keys, offset, width of keys, width of values, heads
GEOMETRIES = [(4, 4, 0, 4, 3, 1), (3, 5, 2, 8, 4, 2), (5, 3, 0, 6, 2, 1), (1, 6, 5, 4, 4, 2), (2, 4, -1, 8, 6, 2)]


def attention_cases():
    product = itertools.product(MASKS, SCALES, TEMPERATURES, POSITIONS)
    for number_of_case, (mask, scale, temperature, position) in enumerate(product):
        queries, keys, offset, width, value_width, heads = GEOMETRIES[number_of_case % len(GEOMETRIES)]
        if mask == "segments" and offset < 0:
            offset = 0
        print("attention", queries, keys, offset, width, value_width, heads, scale, temperature, mask, position)
        way = attention_and_gradients if scale == "sqrt" else attention
        way(array(1, queries, width), array(2, keys, width), array(3, keys, value_width),
            heads, offset, scale, temperature, mask, position)


def multihead_cases():
    for queries, keys, width, context, heads, mask, position in [
            (5, 5, 8, 8, 2, "none", "none"), (5, 5, 8, 8, 4, "causal", "none"),
            (4, 6, 8, 6, 2, "none", "none"), (5, 5, 8, 8, 2, "causal", "sinusoidal"),
            (4, 6, 8, 6, 4, "padding_3", "sinusoidal")]:
        x, c = array(4, queries, width), array(5, keys, context)
        if keys == queries:
            c = x
        wq, wk, wv, wo = array(6, width, width), array(7, context, width), array(8, context, width), array(9, width, width)
        print("multihead", queries, keys, width, context, heads, mask, position)
        layer = torch.nn.MultiheadAttention(width, heads, bias=False, kdim=context, vdim=context, batch_first=True)
        with torch.no_grad():
            if layer._qkv_same_embed_dim:
                layer.in_proj_weight.copy_(torch.cat([wq.T, wk.T, wv.T]))
            else:
                layer.q_proj_weight.copy_(wq.T), layer.k_proj_weight.copy_(wk.T), layer.v_proj_weight.copy_(wv.T)
            layer.out_proj.weight.copy_(wo.T)
            if position == "sinusoidal":
                x, c = x + sinusoidal(queries, width, 0), c + sinusoidal(keys, context, 0)
            hidden = ~mask_of(mask, 1, queries, keys, 0)[0][0]
            output, weights = layer(x[None], c[None], c[None], attn_mask=hidden, average_attn_weights=False)
        show("output", output)
        show("weights", weights)


def block_cases():
    x = array(21, 4, 7) * 3
    gamma, beta = array(22, 7), array(23, 7)
    print("blocks")
    show("layernorm", F.layer_norm(x, (7,), gamma, beta, 1e-5))
    show("rmsnorm", x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5) * gamma)
    show("rope", rope(array(24, 3, 4, 6), 2))
    show("gelu", F.gelu(x))
    show("silu", F.silu(x))
    show("softmax", torch.softmax(x / 0.5, -1))
    show("log_softmax", torch.log_softmax(x, -1))
    show("logsumexp", torch.logsumexp(x, -1))
    show("cross_entropy", F.cross_entropy(x, torch.tensor([6, 0, 3, 2])))


attention_cases()
multihead_cases()
block_cases()
