"""A step of training in PyTorch: forward, backward and AdamW. The case of case_train.c."""
import numpy as np
import torch
from torch.nn import functional

import decoder
import serving

BATCH, TOKENS_SEED, VOCABULARY, LENGTH = 16, 99, decoder.VOCABULARY, decoder.LENGTH

numbers = serving.numbers(BATCH * (LENGTH + 1), TOKENS_SEED).reshape(BATCH, LENGTH + 1)
tokens = torch.from_numpy(((numbers.astype(np.float64) + 1) / 2 * VOCABULARY).astype(np.int64))
ids, labels = tokens[:, :-1].contiguous(), tokens[:, 1:].reshape(-1)


class Training:
    def __init__(self, causal, foreach):
        self.model, self.causal = decoder.Decoder(tie=True), causal
        matrices, others = [], []  # matrices and embeddings decay
        for parameter in self.model.parameters():
            (matrices if parameter.requires_grad_().dim() > 1 else others).append(parameter)
        groups = {"params": matrices, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}
        self.optimiser = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.98), eps=1e-8, foreach=foreach)

    def step(self):
        self.optimiser.zero_grad(set_to_none=True)
        logits = self.model.logits(self.model.stream(ids, self.causal))
        loss = functional.cross_entropy(logits.view(-1, VOCABULARY), labels)
        loss.backward()
        self.optimiser.step()
        return loss.item()


def second_loss(causal, foreach):
    training = Training(causal, foreach)
    training.step()
    return training.step()


def serve():
    ways = {"lines": (decoder.causal_lines, False), "lines, foreach": (decoder.causal_lines, True)}
    if hasattr(functional, "scaled_dot_product_attention"):
        ways["function, foreach"] = (decoder.causal_function, True)
    serving.serve({name: (Training(*how).step, lambda how=how: second_loss(*how)) for name, how in ways.items()})


def run(steps):
    """Nothing else, for who looks at the memory."""
    training = Training(decoder.causal_function, False)
    for _ in range(steps):
        training.step()
