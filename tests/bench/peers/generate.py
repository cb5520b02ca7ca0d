"""A small decoder that writes in PyTorch, by the plain loop: for each token the whole text goes
through all layers again. The model of case_generate.c, with its numbers."""
import math

import torch
from torch.nn import functional

import serving

VOCABULARY, LENGTH, PROMPT, WIDTH, HEADS, LAYERS, INNER = 64, 128, 8, 128, 4, 4, 512


class Parameters:
    """Row by row, in the order in which the model has them."""

    def __init__(self):
        self.seed = 0

    def row(self, *shape, center=0.0, spread=0.1):
        self.seed += 1
        numbers = serving.numbers(math.prod(shape), self.seed).reshape(shape)
        return torch.from_numpy(center + spread * numbers).float()

    def matrix(self, rows, columns):
        """As PyTorch's own linear layers keep it: (out, in)."""
        return self.row(rows, columns, spread=math.sqrt(3 / rows)).t().contiguous()

    def norm(self):
        return self.row(WIDTH, center=1.0), self.row(WIDTH)

    def layer(self):
        query, key, value, out = (self.matrix(WIDTH, WIDTH) for _ in range(4))
        biases = [self.row(WIDTH) for _ in range(4)]
        attention = torch.cat([query, key, value]), torch.cat(biases[:3]), out, biases[3]
        norms = self.norm(), self.norm()
        inner = self.matrix(WIDTH, INNER), self.row(INNER)
        return norms, attention, inner + (self.matrix(INNER, WIDTH), self.row(WIDTH))


parameters = Parameters()
embed, positions = (parameters.row(rows, WIDTH, spread=1.0) for rows in (VOCABULARY, LENGTH))
layers = [parameters.layer() for _ in range(LAYERS)]
final, unembed, bias = parameters.norm(), parameters.matrix(WIDTH, VOCABULARY), parameters.row(VOCABULARY)


def causal(query, key, value):
    if hasattr(functional, "scaled_dot_product_attention"):  # since 2.0
        return functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    n = query.shape[-2]
    scores = query @ key.transpose(-2, -1) * (1 / math.sqrt(WIDTH // HEADS))
    return torch.softmax(scores + torch.full((n, n), -math.inf).triu(1), -1) @ value


def gelu(x):
    try:
        return functional.gelu(x, approximate="tanh")
    except TypeError:  # before 1.12
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def next_token(ids):
    n = ids.shape[0]
    x = embed[ids] + positions[:n]
    for (first, second), (joint, joint_bias, out, out_bias), (up, up_bias, down, down_bias) in layers:
        qkv = functional.linear(functional.layer_norm(x, (WIDTH,), *first), joint, joint_bias)
        heads = qkv.view(n, 3, HEADS, WIDTH // HEADS).permute(1, 2, 0, 3)
        z = causal(heads[0][None], heads[1][None], heads[2][None])[0].transpose(0, 1).reshape(n, WIDTH)
        x = x + functional.linear(z, out, out_bias)
        inner = gelu(functional.linear(functional.layer_norm(x, (WIDTH,), *second), up, up_bias))
        x = x + functional.linear(inner, down, down_bias)
    last = functional.layer_norm(x[-1], (WIDTH,), *final)
    return int(functional.linear(last, unembed, bias).argmax())


def write():
    with torch.no_grad():
        ids = torch.arange(PROMPT)
        for _ in range(LENGTH - PROMPT):
            ids = torch.cat([ids, torch.tensor([next_token(ids)])])
        return ids[PROMPT:]


def serve():
    serving.serve({"plain loop": (write, lambda: serving.checksum(write().numpy()))})
