"""The small decoder of case_decoder.c in PyTorch, with its numbers."""
import math

import torch
from torch.nn import functional

import serving

VOCABULARY, LENGTH, WIDTH, HEADS, LAYERS, INNER = 64, 128, 128, 4, 4, 512


def causal_lines(query, key, value):
    n = query.shape[-2]
    scores = query @ key.transpose(-2, -1) * (1 / math.sqrt(WIDTH // HEADS))
    return torch.softmax(scores + MASK[:n, :n], -1) @ value


def causal_function(query, key, value):
    if hasattr(functional, "scaled_dot_product_attention"):  # since 2.0
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    return causal_lines(query, key, value)


def gelu(x):
    try:
        return functional.gelu(x, approximate="tanh")
    except TypeError:  # before 1.12
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


MASK = torch.full((LENGTH, LENGTH), -math.inf).triu(1)


class Decoder:
    """Its parameters are made row by row, in the order in which the model has them."""

    def __init__(self, tie):
        self.rows = 0
        self.embed, self.positions = (self.row(n, WIDTH, spread=0.1 if tie else 1.0) for n in (VOCABULARY, LENGTH))
        self.layers = [self.layer() for _ in range(LAYERS)]
        self.norm = self.norm_rows()
        self.unembed = self.embed if tie else self.matrix(WIDTH, VOCABULARY)
        self.bias = self.row(VOCABULARY)

    def row(self, *shape, center=0.0, spread=0.1):
        self.rows += 1
        numbers = serving.numbers(math.prod(shape), self.rows).reshape(shape)
        return torch.from_numpy(center + spread * numbers).float()

    def matrix(self, rows, columns):
        """As PyTorch's own linear layers keep it: (out, in)."""
        return self.row(rows, columns, spread=math.sqrt(3 / rows)).t().contiguous()

    def norm_rows(self):
        return self.row(WIDTH, center=1.0), self.row(WIDTH)

    def layer(self):
        query, key, value, out = (self.matrix(WIDTH, WIDTH) for _ in range(4))
        biases = [self.row(WIDTH) for _ in range(4)]
        attention = torch.cat([query, key, value]), torch.cat(biases[:3]), out, biases[3]
        norms = self.norm_rows(), self.norm_rows()
        inner = self.matrix(WIDTH, INNER), self.row(INNER)
        return norms, attention, inner + (self.matrix(INNER, WIDTH), self.row(WIDTH))

    def parameters(self):
        yield from (self.embed, self.positions, *self.norm, self.bias)
        if self.unembed is not self.embed:
            yield self.unembed
        for norms, attention, inner in self.layers:
            yield from (*norms[0], *norms[1], *attention, *inner)

    def stream(self, ids, causal):
        """ids (batch, n) to (batch, n, WIDTH), behind the last layer."""
        batch, n = ids.shape
        x = self.embed[ids] + self.positions[:n]
        for (first, second), (joint, joint_bias, out, out_bias), (up, up_bias, down, down_bias) in self.layers:
            qkv = functional.linear(functional.layer_norm(x, (WIDTH,), *first), joint, joint_bias)
            query, key, value = (t.view(batch, n, HEADS, -1).transpose(1, 2) for t in qkv.split(WIDTH, -1))
            z = causal(query, key, value).transpose(1, 2).reshape(batch, n, WIDTH)
            x = x + functional.linear(z, out, out_bias)
            inner = gelu(functional.linear(functional.layer_norm(x, (WIDTH,), *second), up, up_bias))
            x = x + functional.linear(inner, down, down_bias)
        return x

    def logits(self, x):
        return functional.linear(functional.layer_norm(x, (WIDTH,), *self.norm), self.unembed, self.bias)
