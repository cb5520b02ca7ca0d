#!/usr/bin/env python3
"""Attention in PyTorch, forward or forward and backward, in the faster of two ways: its
own function, and three lines. (Of many queries only the first: there the two are close, and
each takes long to get its pages.) And a model that writes, generate.py, or is trained, train.py.
Takes the options of attn-bench, and serves as it does."""
import functools
import math
import sys

import torch

import serving

MANY = 2048

options = serving.options()
torch.set_num_threads(options.threads)
if options.case == "generate":
    import generate

    sys.exit(generate.serve())
if options.case == "train":
    import train

    sys.exit(train.serve() if options.serve else train.run(options.runs))
SHAPE = (1, options.heads, options.n, options.dim)
COUNT = math.prod(SHAPE)
query, key, value, gradient = (torch.from_numpy(serving.numbers(COUNT, seed).reshape(SHAPE)) for seed in (1, 2, 3, 4))


@functools.cache
def causal_mask():
    return torch.full((options.n, options.n), -math.inf).triu(1)


def three_lines():
    scores = query @ key.transpose(-2, -1) * (1 / math.sqrt(options.dim))
    if options.causal:
        scores = scores + causal_mask()
    return torch.softmax(scores, -1) @ value


def function():
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):  # since 2.0
        return torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=options.causal)
    return torch.nn.functional._scaled_dot_product_attention(query, key, value, is_causal=options.causal)[0]


def forward(attend):
    def call():
        with torch.no_grad():
            return attend()

    return call, lambda: serving.checksum(call().numpy())


def backward(attend):
    def call():
        query.grad = key.grad = value.grad = None
        out = attend()
        out.backward(gradient)
        return out

    def checksum():
        out = call()
        return sum(serving.checksum(x.detach().numpy()) for x in (out, query.grad, key.grad, value.grad))

    return call, checksum


if options.case == "attention-backward":
    for x in (query, key, value):
        x.requires_grad_()
way = forward if options.case == "attention" else backward
ways = {"function": way(function)}
if options.n <= MANY:
    ways["three lines"] = way(three_lines)
serving.serve(ways)
