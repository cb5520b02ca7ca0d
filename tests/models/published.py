"""Random checkpoints of the GPT-2 and BERT families, as others publish them, and what they compute.

Both are written down from the papers and the published names and orientations alone. PyTorch
computes, where it is installed, in the type of the tensors; else NumPy does, in double."""
import json
import math
import pathlib
import struct

import numpy as np

import numpy_model

try:
    import torch
    import torch.nn.functional as functional
except ImportError:
    torch = None

# ---- what is computed with ----

if torch:
    def array(x):
        return torch.from_numpy(np.array(x, dtype=x.dtype))

    def norm(x, gain, shift, epsilon):
        return functional.layer_norm(x, (len(gain),), gain, shift, epsilon)

    def gelu_new(x):
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))

    ACTIVATIONS = {"gelu": functional.gelu, "relu": functional.relu, "gelu_new": gelu_new}

    def attend(q, k, v, causal):
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if causal:
            scores = scores.masked_fill(~torch.ones(scores.shape[-2:], dtype=torch.bool).tril(), -math.inf)
        return torch.softmax(scores, -1) @ v
else:
    def array(x):
        return np.array(x, dtype=np.float64)

    norm = numpy_model.layernorm
    ACTIVATIONS = {"gelu": numpy_model.ACTIVATIONS["gelu"], "relu": numpy_model.ACTIVATIONS["relu"], "gelu_new": numpy_model.ACTIVATIONS["gelu_tanh"]}

    def attend(q, k, v, causal):
        return numpy_model.attend(q, k, v, np.tri(q.shape[-2], k.shape[-2], dtype=bool) if causal else None)


def by_heads(x, heads):
    return x.reshape(len(x), heads, -1).swapaxes(0, 1)


def joined(z):
    return z.swapaxes(0, 1).reshape(z.shape[1], -1)


# ---- the families ----

def gpt2_config(**other):
    return {"model_type": "gpt2", "n_layer": 2, "n_head": 3, "n_embd": 12, "vocab_size": 17, "n_positions": 9,
            "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, **other}


def gpt2_tensors(config, seed=0):
    """By their names, without a prefix and without an output matrix of its own."""
    chance = np.random.default_rng(seed)
    d, inner = config["n_embd"], config.get("n_inner") or 4 * config["n_embd"]
    shapes = {"wte.weight": (config["vocab_size"], d), "wpe.weight": (config["n_positions"], d)}
    for layer in range(config["n_layer"]):
        shapes.update({f"h.{layer}.{name}": shape for name, shape in {
            "ln_1.weight": (d,), "ln_1.bias": (d,), "attn.c_attn.weight": (d, 3 * d), "attn.c_attn.bias": (3 * d,),
            "attn.c_proj.weight": (d, d), "attn.c_proj.bias": (d,), "ln_2.weight": (d,), "ln_2.bias": (d,),
            "mlp.c_fc.weight": (d, inner), "mlp.c_fc.bias": (inner,), "mlp.c_proj.weight": (inner, d), "mlp.c_proj.bias": (d,)}.items()})
    shapes.update({"ln_f.weight": (d,), "ln_f.bias": (d,)})
    return draw(chance, shapes, d)


def gpt2(tensors, config, ids):
    at = {name: array(value) for name, value in tensors.items()}
    heads, epsilon = config["n_head"], config["layer_norm_epsilon"]
    x = at["wte.weight"][ids] + at["wpe.weight"][: len(ids)]
    for layer in range(config["n_layer"]):
        def linear(y, name):
            return y @ at[f"h.{layer}.{name}.weight"] + at[f"h.{layer}.{name}.bias"]

        def normed(y, name):
            return norm(y, at[f"h.{layer}.{name}.weight"], at[f"h.{layer}.{name}.bias"], epsilon)
        y, d = linear(normed(x, "ln_1"), "attn.c_attn"), x.shape[-1]
        q, k, v = (by_heads(y[:, part * d:(part + 1) * d], heads) for part in range(3))
        x = x + linear(joined(attend(q, k, v, True)), "attn.c_proj")
        x = x + linear(ACTIVATIONS[config["activation_function"]](linear(normed(x, "ln_2"), "mlp.c_fc")), "mlp.c_proj")
    x = norm(x, at["ln_f.weight"], at["ln_f.bias"], epsilon)
    return np.array(x @ at.get("lm_head.weight", at["wte.weight"]).T)


def bert_config(**other):
    return {"model_type": "bert", "num_hidden_layers": 2, "num_attention_heads": 3, "hidden_size": 12, "vocab_size": 17,
            "max_position_embeddings": 9, "type_vocab_size": 2, "intermediate_size": 20, "hidden_act": "gelu", "layer_norm_eps": 1e-12, **other}


def bert_tensors(config, seed=0, predicts=True):
    chance = np.random.default_rng(seed)
    d, inner = config["hidden_size"], config["intermediate_size"]
    shapes = {"embeddings.word_embeddings.weight": (config["vocab_size"], d), "embeddings.position_embeddings.weight": (config["max_position_embeddings"], d),
              "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], d), "embeddings.LayerNorm.weight": (d,), "embeddings.LayerNorm.bias": (d,)}
    for layer in range(config["num_hidden_layers"]):
        for name, shape in {"attention.self.query": (d, d), "attention.self.key": (d, d), "attention.self.value": (d, d), "attention.output.dense": (d, d),
                            "attention.output.LayerNorm": (d,), "intermediate.dense": (inner, d), "output.dense": (d, inner), "output.LayerNorm": (d,)}.items():
            shapes[f"encoder.layer.{layer}.{name}.weight"] = shape
            shapes[f"encoder.layer.{layer}.{name}.bias"] = shape[:1]
    if predicts:
        head = "cls.predictions."
        shapes.update({head + "transform.dense.weight": (d, d), head + "transform.dense.bias": (d,), head + "transform.LayerNorm.weight": (d,),
                       head + "transform.LayerNorm.bias": (d,), head + "bias": (config["vocab_size"],)})
    return draw(chance, shapes, d)


def bert(tensors, config, ids, types=None):
    at = {name: array(value) for name, value in tensors.items()}
    heads, epsilon, act = config["num_attention_heads"], config["layer_norm_eps"], ACTIVATIONS[config["hidden_act"]]

    def linear(y, name):
        return y @ at[name + ".weight"].T + at[name + ".bias"]

    def normed(y, name):
        return norm(y, at[name + ".weight"], at[name + ".bias"], epsilon)
    x = at["embeddings.word_embeddings.weight"][ids] + at["embeddings.position_embeddings.weight"][: len(ids)]
    x = normed(x + at["embeddings.token_type_embeddings.weight"][types or [0] * len(ids)], "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        path = f"encoder.layer.{layer}."
        q, k, v = (by_heads(linear(x, path + "attention.self." + part), heads) for part in ("query", "key", "value"))
        x = normed(x + linear(joined(attend(q, k, v, False)), path + "attention.output.dense"), path + "attention.output.LayerNorm")
        x = normed(x + linear(act(linear(x, path + "intermediate.dense")), path + "output.dense"), path + "output.LayerNorm")
    if "cls.predictions.bias" not in at:
        return np.array(x)
    x = normed(act(linear(x, "cls.predictions.transform.dense")), "cls.predictions.transform.LayerNorm")
    return np.array(x @ at.get("cls.predictions.decoder.weight", at["embeddings.word_embeddings.weight"]).T + at["cls.predictions.bias"])


def draw(chance, shapes, width):
    """Gains around 1, everything else around 0; matrices keep the size of what goes through them."""
    tensors = {}
    for name, shape in shapes.items():
        gain = name.endswith("weight") and len(shape) == 1
        spread = 0.1 if len(shape) == 1 else 1 / math.sqrt(width)
        tensors[name] = (gain + spread * chance.standard_normal(shape, dtype=np.float32)).astype(np.float32)
    return tensors


# ---- files ----

def rounded(x, kind):
    """The bytes of numbers as a file keeps them, and the numbers that it then has."""
    if kind == "BF16":
        bits = (np.ascontiguousarray(x, "<f4").view("<u4") >> 16).astype("<u2")
        return bits.tobytes(), (bits.astype("<u4") << 16).view("<f4")
    kept = np.ascontiguousarray(x, {"F32": "<f4", "F16": "<f2", "F64": "<f8", "U8": "u1", "I64": "<i8"}[kind])
    return kept.tobytes(), kept.astype(np.float32) if kind[0] == "F" else kept


def write_file(path, tensors, kind="F32"):
    """Returns the tensors as they can be read again. Numbers that are no floats keep their type."""
    header, contents, end, kept = {}, [], 0, {}
    for name, value in tensors.items():
        own = {"uint8": "U8", "int64": "I64"}.get(str(value.dtype), kind)
        content, kept[name] = rounded(value, own)
        header[name] = {"dtype": own, "shape": list(value.shape), "data_offsets": [end, end + len(content)]}
        contents.append(content)
        end += len(content)
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        out.writelines(contents)
    return {name: value.reshape(tensors[name].shape) for name, value in kept.items()}


def write_folder(folder, config, tensors, kind="F32", shards=1):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config))
    if shards == 1:
        return write_file(folder / "model.safetensors", tensors, kind)
    names, map, kept = list(tensors), {}, {}
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        mine = names[shard::shards]
        kept.update(write_file(folder / file, {name: tensors[name] for name in mine}, kind))
        map.update({name: file for name in mine})
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": map}))
    return kept
