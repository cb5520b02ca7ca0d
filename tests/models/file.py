"""Reads and writes .safetensors files, from the format's published description alone
(https://huggingface.co/docs/safetensors): eight bytes of length, a JSON header, the numbers."""
import json
import struct

import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BOOL": "?", "I8": "<i1", "U8": "<u1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4", "I64": "<i8", "U64": "<u8"}


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), "names differ"
    return dict(pairs)


def read(path):
    """The arrays by name, and the metadata. Asserts all that the format asks for."""
    content = open(path, "rb").read()
    (length,) = struct.unpack("<Q", content[:8])
    assert length <= 100_000_000 and 8 + length <= len(content), "the header is there"
    header, numbers = content[8:8 + length], content[8 + length:]
    assert header[:1] == b"{", "the header begins with {"
    assert length % 8 == 0, "the numbers are aligned"
    tensors = json.loads(header.decode("utf-8"), object_pairs_hook=no_duplicates)
    metadata = tensors.pop("__metadata__", {})
    assert all(isinstance(text, str) for text in metadata.values()), "metadata is text"
    arrays, at = {}, 0
    for name, entry in sorted(tensors.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        assert begin == at, f"{name} begins where the one before ends"
        at = end
        array = np.frombuffer(numbers[begin:end], dtype=TYPES[entry["dtype"]])
        assert begin % array.itemsize == 0, f"{name} is aligned"
        arrays[name] = array.reshape(entry["shape"])
    assert at == len(numbers), "all bytes belong to a tensor"
    return {name: arrays[name] for name in tensors}, metadata


def pack(header, numbers, pad=0):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += b" " * pad
    return struct.pack("<Q", len(text)) + text + numbers


def write(path, tensors, metadata=None):
    """tensors: name -> (type, shape, bytes)"""
    header, numbers = {} if metadata is None else {"__metadata__": metadata}, b""
    for name, (kind, shape, content) in tensors.items():
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [len(numbers), len(numbers) + len(content)]}
        numbers += content
    with open(path, "wb") as file:
        file.write(pack(header, numbers))
