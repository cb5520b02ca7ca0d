"""A small decoder that writes in PyTorch, by the plain loop: for each token the whole text goes
through all layers again. The case of case_generate.c."""
import torch

import decoder
import serving

PROMPT = 8


def serve():
    model = decoder.Decoder(tie=False)

    def write():
        with torch.no_grad():
            ids = torch.arange(PROMPT)[None]
            while ids.shape[1] < decoder.LENGTH:
                last = model.stream(ids, decoder.causal_function)[:, -1]
                ids = torch.cat([ids, model.logits(last).argmax(-1, keepdim=True)], 1)
            return ids[0, PROMPT:]

    serving.serve({"plain loop": (write, lambda: serving.checksum(write().numpy()))})
