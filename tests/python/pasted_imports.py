"""Imports, annotations and the last lines of a script."""
from __future__ import annotations
import sys, time
import math
from dataclasses import dataclass
from typing import List, Optional, Tuple


def mean(xs: List[float], weights: Optional[List[float]] = None) -> float:
    """The mean of a list of numbers."""
    if not isinstance(xs, (list, tuple)):
        raise TypeError(f"a list is needed, not {xs}")
    if weights is None:
        weights = [1 for x in xs]
    total = 0.0
    for x, w in zip(xs, weights):
        total += x * w
    return total / sum(weights)


config = {"heads": 2, "width": 8}
config = {**config, "width": 16}
start = time.time()


def describe(heads, width=4, name: str = "model") -> str:
    scale = (1 / math.sqrt(width // heads)
             if width % heads == 0
             else 0)
    return f"{name}: {heads} heads, {scale:.4f}"


if __name__ == "__main__":
    print(mean([1, 2, 5]) > 2, mean([1, 3], weights=[1, 3]))
    print(describe(**config), describe(*[2], **{"name": "small"}))
    for key, value in config.items():
        print(key, value, sep="=", end="; ")
    print()
    try:
        mean(3)
    except TypeError as error:
        print("error:", error)
    print("done", file=sys.stderr)
    words = {word: i for i, word in enumerate("the cat sat".split())}
    print(words["cat"], "dog" in words, words.get("dog", -1), len(words))
    first, *rest = list(words)
    print(first, rest, time.time() - start < 60)
