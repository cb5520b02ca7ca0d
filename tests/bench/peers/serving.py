"""What a peer in Python shares with attn-bench: its options, its numbers, its
samples, and the way it serves."""
import argparse
import sys
import time

import numpy as np

SAMPLE_SECONDS = 0.020


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("case")
    for name in ("n", "heads", "dim", "threads", "runs"):
        parser.add_argument("--" + name, type=int, default=1)
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--serve", action="store_true")
    return parser.parse_args()


def numbers(count, seed):
    """As in numbers.h: from the place and the seed alone."""
    x = np.arange(count, dtype=np.uint32) * np.uint32(2654435769) + np.uint32(seed * 2246822507 % 2**32)
    x = (x ^ (x >> np.uint32(16))) * np.uint32(2146121005)
    x ^= x >> np.uint32(15)
    return ((x >> np.uint32(8)) / 8388608 - 1).astype(np.float32)


def checksum(x):
    x = np.asarray(x, dtype=np.float64).ravel()
    return float(x @ (np.arange(x.size) % 7 + 1))


def sample(call, calls):
    """Seconds of a call; half as many go before, as in timing.c."""
    for _ in range(calls // 2):
        call()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def calibrate(call):
    """How many calls last as long as a sample."""
    calls = 1
    while True:
        wanted = SAMPLE_SECONDS / sample(call, calls)
        if wanted <= calls:
            return calls
        calls = int(min(wanted + 1, 4 * calls))


def fastest(variants):
    """The name of the variant whose call takes least, and how many calls make a sample."""
    best = (float("inf"), "", 0)
    for name, call in variants.items():
        calls = calibrate(call)
        best = min(best, (sample(call, calls), name, calls))
    return best[1:]


def serve(variants):
    """variants: name -> (call, checksum of what it gives). Serves the fastest."""
    name, calls = fastest({name: call for name, (call, _) in variants.items()})
    call, result = variants[name]
    print(f"ready {result():.8g} 0 {name}", flush=True)
    for _ in sys.stdin:
        print(f"{sample(call, calls) * 1e3:.6g}", flush=True)
