#!/usr/bin/env python3
"""Compares attn with NumPy on random expressions of what they share.

    tests/differential/differential.py [--count N] [--seed S] [--show]

Every expression must give NumPy's shape, and NumPy's values in float64 to
1e-12 * max(1, |x|); where NumPy raises, attn must end in an error, and the
other way round.

Rules of the draw:
  * Integer types and booleans in arithmetic are not compared, because attn has
    neither: comparisons are multiplied by 1.0, and every number is a float64.
  * Left out is what NumPy itself answers differently when its inputs move:
    the expression is evaluated six times more, every number of its variables,
    every written fraction and all that linspace and logspace make moved by a
    random part of up to 1e-14 of itself; when one of the seven answers has
    another shape, another error, or a number further away than the tolerance
    above, the expression stands at an edge (a floor, a comparison, a tie, a
    cancellation) and says nothing about attn.
  * Left out are results with more than 6 axes or 600 numbers.

A difference is printed with the smallest part of the expression that still
differs, and what each of the two says.
"""
import argparse
import ast
import json
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np

import generator

TOLERANCE = 1e-12
MOVE = 1e-14
MOVES = 6
BATCH = 150
ATTN = os.path.abspath(os.environ.get("ATTN") or pathlib.Path(__file__).resolve().parents[2] / "attn")


# ---- NumPy's answer ----

class Failure:
    """What NumPy raised, or attn's error."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return f"error: {self.text}"


def numpy_answer(code, variables, move=None):
    try:
        return generator.number(generator.run(code, variables, move))
    except Exception as problem:
        return Failure(f"{type(problem).__name__}: {problem}")


def agree(a, b):
    """Shape and values within the tolerance; nan is nan; an error is an error."""
    if isinstance(a, Failure) or isinstance(b, Failure):
        return isinstance(a, Failure) and isinstance(b, Failure)
    if a.size == 0 and b.size == 0:  # JSON shows no axes after an empty one
        return True
    if a.shape != b.shape:
        return False
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    near = np.abs(a - b) <= TOLERANCE * np.maximum(1, np.abs(a))
    return bool(np.all(same | (near & np.isfinite(a) & np.isfinite(b))))


def mover(random):
    return lambda value: value * (1 + MOVE * random.uniform(-1, 1, np.shape(value)))


def steady_answer(text, variables, random):
    """NumPy's answer, or None when it stands at an edge or is too large."""
    code = generator.compiled(text)
    answer = numpy_answer(code, variables)
    if isinstance(answer, np.ndarray) and (answer.ndim > generator.AXES_MAX or answer.size > generator.SIZE_MAX):
        return None
    move = mover(random)
    for _ in range(MOVES):
        moved = {name: move(value) for name, value in variables.items()}
        if not agree(answer, numpy_answer(code, moved, move)):
            return None
    return answer


# ---- attn's answer ----

def literal(value):
    if np.ndim(value) == 0:
        return repr(float(value))
    if np.size(value) == 0:
        return f"zeros({np.shape(value)})"
    return "[" + ", ".join(literal(item) for item in value) + "]"


def script(tests, variables):
    lines = [f"{name} = {literal(value)};" for name, value in variables.items()]
    for text in tests:
        *statements, expression = text.split("\n")
        lines += ["try:"] + ["    " + line for line in statements]
        lines += [f"    print(json({expression}))", "except as problem:", "    print(\"error \" + problem.kind + \": \" + problem.message)"]
    return "\n".join(lines) + "\n"


def answer_of(line):
    if line.startswith("error "):
        return Failure(line[6:])
    special = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
    number = lambda x: [number(item) for item in x] if isinstance(x, list) else special.get(x, x) if isinstance(x, str) else float(x)
    try:
        return np.array(number(json.loads(line)), dtype=np.float64)
    except Exception:
        return Failure(f"not an answer: {line[:200]}")


def attn_answers(tests, variables):
    """One answer for each test. A test that ends the whole program is found by halving."""
    if not tests:
        return []
    try:
        run = subprocess.run([ATTN, "-"], input=script(tests, variables), capture_output=True, text=True, timeout=120)
        lines, ending = run.stdout.split("\n")[:-1], run.stderr.strip() or f"exit status {run.returncode}"
    except subprocess.TimeoutExpired:
        lines, ending = [], "no end within 120 s"
    if len(lines) == len(tests):
        return [answer_of(line) for line in lines]
    if len(tests) == 1:
        return [NotRun(ending[:600])]
    half = len(tests) // 2
    return attn_answers(tests[:half], variables) + attn_answers(tests[half:], variables)


class NotRun:
    """attn did not come to an answer: a crash, a hang, a syntax error. Never agrees."""

    shape, size = None, -1

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return f"did not run: {self.text}"


def differs(expected, got):
    return isinstance(got, NotRun) or not agree(expected, got)


# ---- differences ----

def parts(text):
    """The expression's own parts, as texts, shortest first."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return []
    texts = {ast.unparse(node) for node in ast.walk(tree)
             if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.IfExp, ast.Attribute))}
    return sorted(texts, key=len)


def smallest(text, variables, random):
    """The shortest part of a differing test that differs itself."""
    candidates = []
    for part in parts(text):
        try:
            expected = steady_answer(part, variables, random)
        except Exception:
            continue
        if expected is not None:
            candidates.append((part, expected))
    got = attn_answers([part for part, _ in candidates], variables)
    for (part, expected), answer in zip(candidates, got):
        if differs(expected, answer):
            return part, expected, answer
    return None


def report(text, expected, got, variables, random):
    text, expected, got = smallest(text, variables, random) or (text, expected, got)
    print("difference:")
    for line in text.split("\n"):
        print(f"    {line}")
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    for name in sorted(used & set(variables)):
        print(f"  where {name} = {literal(variables[name])}")
    show = lambda x: str(x) if not isinstance(x, np.ndarray) else f"{x.shape} {x.tolist()}"
    print(f"  NumPy: {show(expected)[:500]}\n  attn:  {show(got)[:500]}\n")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=3000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--show", action="store_true", help="print every expression")
    options = options.parse_args()
    warnings.simplefilter("ignore")
    # What older NumPys still answer with a warning and newer ones refuse:
    # == of shapes that do not fit, an index outside an empty result.
    warnings.simplefilter("error", DeprecationWarning)
    np.seterr(all="ignore")

    random = np.random.default_rng(options.seed)
    compared = failed = left_out = errors = 0
    while compared < options.count:
        draw = generator.Generator(random)
        tests, expected = [], []
        while len(tests) < min(BATCH, options.count - compared):
            text = draw.test()
            answer = steady_answer(text, draw.variables, random)
            if answer is None:
                left_out += 1
                continue
            tests.append(text)
            expected.append(answer)
        for text, wanted, got in zip(tests, expected, attn_answers(tests, draw.variables)):
            compared += 1
            errors += isinstance(wanted, Failure)
            if options.show:
                print(text)
            if differs(wanted, got):
                failed += 1
                if failed <= 20:
                    report(text, wanted, got, draw.variables, random)
    print(f"({left_out} left out at an edge, {errors} errors that agree or should)")
    print(f"{compared - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
