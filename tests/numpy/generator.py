"""Draws random expressions of what NumPy and attn share.

A Generator holds a pool of variables and writes expressions over them as text.
Every part is evaluated with NumPy while it is drawn, so that axes, shapes and
indices fit most of the time; now and then one is drawn that does not, because
errors must agree too.
"""
import ast
import builtins
import types

import numpy as np

SHAPES = [(1,), (2,), (3,), (4,), (3,), (4,), (2, 3), (3, 2), (3, 3), (4, 4), (1, 3), (3, 1), (4, 3), (3, 4),
          (2, 2, 3), (2, 3, 4), (1, 3, 1), (2, 1, 3, 2)]
AXES_MAX = 6        # attn's arrays have no more axes
SIZE_MAX = 600      # elements of a result


def number(x):
    """A float64 of what Python or NumPy gave: booleans count as 0 or 1."""
    return np.asarray(x, dtype=np.float64)


def numpy_or_python(of_array, of_numbers):
    """max, min, sum ...: NumPy's when the first argument is an array or list, else Python's.
    A generator is taken as the list of its elements, as attn says; its sum is Python's, of vectors a vector."""
    def call(first, *rest, **keywords):
        if isinstance(first, types.GeneratorType):
            first = builtins.list(first)
            if of_numbers is builtins.sum:
                return builtins.sum(first)
        if np.ndim(first) > 0:
            return of_array(first, *rest, **keywords)
        return of_numbers(first, *rest, **keywords)
    return call


def floats(make):
    """NumPy's function with its result as float64: integer types are not imitated."""
    return lambda *arguments, **keywords: np.asarray(make(*arguments, **keywords), dtype=np.float64)


def numpy_names():
    names = {name: getattr(np, name) for name in """
        array full eye diag linspace logspace tril triu copy reshape transpose squeeze expand_dims concatenate stack
        split repeat tile flip roll shape exp expm1 log log1p log2 log10 sqrt sign sin cos tan tanh floor ceil clip
        maximum minimum isnan isfinite mean var std prod argmin argmax median cumsum dot outer
        matmul power swapaxes moveaxis vstack hstack column_stack zeros_like ones_like full_like amax amin isclose allclose
        array_equal unique pad inner vdot einsum nonzero argwhere percentile quantile cov corrcoef trapz interp meshgrid
        atleast_2d broadcast_to ravel asarray tri take take_along_axis count_nonzero average isinf exp2 nan_to_num identity
        arcsin arccos arctan arctan2 sinh cosh arcsinh arccosh arctanh hypot deg2rad rad2deg cbrt
        searchsorted digitize bincount histogram isin union1d intersect1d setdiff1d append insert delete flipud fliplr rot90
        diagonal dstack array_split vsplit hsplit ptp cumprod nansum nanprod nanmean nanmax nanmin nanargmax nanargmin nanvar
        nanstd convolve correlate ediff1d gradient polyval polyfit vander gcd lcm fmod copysign heaviside logaddexp logical_xor
        fix around triu_indices tril_indices flatnonzero lexsort kron cross trace resize atleast_1d atleast_3d""".split()}
    names.update(matrix_power=np.linalg.matrix_power, cholesky=np.linalg.cholesky, eigvalsh=np.linalg.eigvalsh, apply_along_axis=np.apply_along_axis, add=np.add, subtract=np.subtract)
    names.update(zeros=np.zeros, ones=np.ones, flatten=np.ravel, arange=floats(np.arange), len=builtins.len,
                 full=floats(np.full), where=floats(np.where), norm=np.linalg.norm,
                 inv=np.linalg.inv, det=np.linalg.det, solve=np.linalg.solve, svd=np.linalg.svd, eigh=np.linalg.eigh,
                 matrix_rank=np.linalg.matrix_rank, spectral_norm=lambda a: np.linalg.norm(a, 2),
                 sort=np.sort, argsort=lambda a, axis=-1: np.argsort(a, axis=axis, kind="stable"),
                 sum=numpy_or_python(np.sum, builtins.sum), max=numpy_or_python(np.max, builtins.max),
                 min=numpy_or_python(np.min, builtins.min), any=numpy_or_python(np.any, builtins.any),
                 all=numpy_or_python(np.all, builtins.all), abs=np.abs, round=np.round,
                 range=builtins.range, enumerate=builtins.enumerate, zip=builtins.zip,
                 int=builtins.int, float=builtins.float, bool=builtins.bool,
                 pi=np.float64(np.pi), e=np.float64(np.e), inf=np.float64(np.inf), nan=np.float64(np.nan),
                 newaxis=None, _float=np.float64)
    names["np"] = types.SimpleNamespace(**names)
    return names


NUMPY = numpy_names()


class FloatConstants(ast.NodeTransformer):
    """In arithmetic a written number is a float64, as in attn: 1/0 is inf."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        node.left, node.right = self.float_of(node.left), self.float_of(node.right)
        return node

    @staticmethod
    def float_of(node):
        plain = node.operand if isinstance(node, ast.UnaryOp) else node
        if isinstance(plain, ast.Constant) and isinstance(plain.value, (int, float)):
            return ast.copy_location(ast.Call(ast.Name("_float", ast.Load()), [node], []), node)
        return node


def compiled(text):
    """The test's code: statements, the last an expression whose value counts."""
    tree = FloatConstants().visit(ast.parse(text))
    last = tree.body.pop()
    tree = ast.fix_missing_locations(tree)
    expression = ast.fix_missing_locations(ast.Expression(last.value))
    return compile(tree, "test", "exec"), compile(expression, "test", "eval")


def run(code, variables, move=None):
    """The test's value. move: also moves written fractions and what linspace and logspace make."""
    statements, expression = code
    space = dict(NUMPY, **{name: np.copy(value) if np.ndim(value) else value for name, value in variables.items()})
    if move:
        space["_float"] = lambda x: np.float64(x) if x == int(x) else move(np.float64(x))
        space["linspace"] = lambda *arguments, **keywords: move(np.linspace(*arguments, **keywords))
        space["logspace"] = lambda *arguments, **keywords: move(np.logspace(*arguments, **keywords))
    exec(statements, space)
    return eval(expression, space)


class Generator:
    """Expressions over a pool of variables; see the functions below for their kinds."""

    UNARY = "exp expm1 log log1p log2 log10 sqrt abs sign sin cos tan tanh floor ceil round "\
            "arcsin arccos arctan sinh cosh arcsinh arccosh arctanh deg2rad cbrt".split()
    REDUCTIONS = "sum mean var std prod min max median norm".split()
    ARITHMETIC = ["+", "-", "*", "/", "//", "%", "**"]
    COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]

    def __init__(self, random):
        self.random = random
        self.variables = {}
        for i, shape in enumerate(SHAPES):
            self.variables[f"A{i}"] = self.draw_array(shape)
        for name in "abc":
            self.variables[name] = np.float64(self.draw_array(()))
        self.variables["odd"] = np.array([0, -1.5, np.nan, np.inf, -np.inf, 2])  # values at the border
        self.variables["none"] = np.zeros((0, 3))
        for n in (2, 3, 4):  # far from singular
            self.variables[f"W{n}"] = self.draw_array((n, n)) + 5 * np.eye(n)
        self.names = sorted(self.variables)
        self.arrays = [name for name in self.names if np.ndim(self.variables[name]) and name not in ("odd", "none")]

    def draw_array(self, shape):
        """Short numbers, so that a failing test reads well; halves and wholes so that ties occur."""
        kind = self.random.random()
        x = self.random.normal(size=shape) * (1 if kind < 0.7 else 3)
        return np.round(x * 2) / 2 if kind > 0.85 else np.round(x, 3)

    # ---- drawing ----

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return items[int(self.random.integers(len(items)))]

    def whole(self, low, high):
        return int(self.random.integers(low, high + 1))

    def value(self, text):
        """What NumPy makes of an expression; None when it is an error or grows too large."""
        try:
            value = run(compiled(text), self.variables)
        except Exception:
            return None
        if isinstance(value, (tuple, list)) or np.ndim(value) > AXES_MAX or np.size(value) > SIZE_MAX:
            return None
        return value

    def array(self, depth, axes=None):
        """(text, value) of an array with at least one axis, or exactly `axes`."""
        for attempt in range(6):
            text = self.expression(depth)
            value = self.value(text)
            if value is not None and np.ndim(value) > 0 and axes in (None, np.ndim(value)):
                return self.grouped(text), value
        fitting = [name for name in self.arrays if axes in (None, self.variables[name].ndim)]
        name = self.pick(fitting)
        return name, self.variables[name]

    @staticmethod
    def grouped(text):
        return text if text.isidentifier() or text.endswith(")") and text.startswith("(") and balanced(text[1:-1]) else f"({text})"

    # ---- expressions ----

    def leaf(self):
        kind = self.random.random()
        if kind < 0.72:
            return self.pick(self.arrays)
        if kind < 0.82:
            return self.pick(["a", "b", "c"])
        if kind < 0.92:
            return self.pick(["2", "0.5", "3", "1.5", "10", "0.1", "1"])
        if kind < 0.95:
            return "odd"
        if kind < 0.96:
            return "none"
        return self.pick(["pi", "e", "zeros((2, 3))", "ones(3)", "eye(3)", "arange(4)", "full((2, 2), 0.3)"])

    def expression(self, depth):
        if depth <= 0:
            return self.leaf()
        kinds = [(self.binary, 26), (self.unary, 10), (self.function, 12), (self.reduction, 14), (self.index, 16),
                 (self.shaping, 12), (self.comparison, 8), (self.choice, 4), (self.product, 8), (self.algebra, 4),
                 (self.making, 4), (self.language, 4), (self.moved, 6), (self.searched, 4), (self.letters, 5),
                 (self.statistic, 4), (self.counted, 4), (self.edited, 4), (self.series, 3)]
        weights = np.array([weight for _, weight in kinds], dtype=float)
        return kinds[int(self.random.choice(len(kinds), p=weights / weights.sum()))][0](depth - 1)

    def binary(self, depth):
        """Parentheses are left out now and then: precedence is Python's."""
        left, operator = self.expression(depth), self.pick(self.ARITHMETIC)
        right = self.partner(depth, left)
        if self.chance(0.7):
            left = self.grouped(left)
        if self.chance(0.7):
            right = self.grouped(right)
        return f"{left} {operator} {right}"

    def partner(self, depth, other=None):
        """A second operand; mostly one that broadcasts with `other`."""
        value = self.value(other) if other else None
        if value is None or self.chance(0.1):
            return self.expression(depth) if self.chance(0.5) else self.leaf()
        for attempt in range(8):
            text = self.expression(depth) if attempt < 2 and self.chance(0.5) else self.leaf()
            if self.value(f"({other}) + ({text})") is not None:
                return text
        return "a"

    def unary(self, depth):
        operand = self.grouped(self.expression(depth))
        return f"{self.pick(['-', '-', '+'])}{operand}" + (f" ** {self.pick(['2', '0.5', '-1'])}" if self.chance(0.2) else "")

    def function(self, depth):
        name = self.pick(self.UNARY + ["clip", "maximum", "minimum", "arctan2", "hypot", "fmod", "copysign", "heaviside", "logaddexp"])
        text = self.expression(depth)
        if name == "clip":
            low, high = self.pick(["-1", "0", "a", "-0.5"]), self.pick(["1", "0.7", "2", "b"])
            return self.pick([f"clip({text}, {low}, {high})", f"clip({text}, None, {high})", f"clip({text}, {low}, None)",
                              f"clip({text}, a_min={low}, a_max={high})",
                              f"{self.array(depth)[0]}.clip({low}, {high})"])
        if name in ("maximum", "minimum", "arctan2", "hypot", "fmod", "copysign", "heaviside", "logaddexp"):
            return f"{name}({text}, {self.partner(depth, text)})"
        if name == "round" and self.chance(0.5):
            digits = self.whole(0, 3)
            return self.pick([f"round({text}, {digits})", f"round({text}, decimals={digits})", f"{self.array(depth)[0]}.round({digits})"])
        if self.chance(0.15) and name not in ("abs",) and hasattr(np.ndarray, name):
            return f"{self.array(depth)[0]}.{name}()"
        return f"{'np.' if self.chance(0.1) else ''}{name}({text})"

    def axis(self, value, tuples=True):
        n = np.ndim(value)
        if self.chance(0.04):
            return str(self.pick([n, -n - 1, n + 3]))
        if tuples and n >= 2 and self.chance(0.25):
            axes = self.random.permutation(n)[:self.whole(1, n)]
            return "(" + ", ".join(str(int(axis) - (n if self.chance(0.3) else 0)) for axis in axes) + ",)"
        return str(self.whole(-n, n - 1))

    def reduction(self, depth):
        text, value = self.array(depth)
        name = self.pick(self.REDUCTIONS * 2 + ["argmin", "argmax", "cumsum", "sort", "argsort", "any", "all"])
        arguments = []
        if name in ("any", "all"):
            text = f"({text} {self.pick(self.COMPARISONS)} {self.pick(['0', 'a', '0.5'])})"
        single = name in ("argmin", "argmax", "cumsum", "sort", "argsort", "norm")
        if name == "norm" and self.chance(0.3):
            order = self.pick(["1", "2", "0", "3", "inf", "-inf", "-1"])
            return self.pick([f"norm({text}, {order}, axis={self.axis(value, tuples=False)})", f"norm({text}, ord={order})"])
        if name in ("sort", "cumsum") and self.chance(0.1):
            return f"{name}({text}, axis=None)"
        if self.chance(0.7):
            axis = self.axis(value, tuples=not single)
            arguments.append(axis if self.chance(0.2) and name != "norm" else f"axis={axis}")
        if name in ("var", "std") and self.chance(0.3):
            arguments.append(f"ddof={self.pick(['1', '0'])}")
        if name not in ("cumsum", "sort", "argsort") and self.chance(0.35):
            arguments.append(f"keepdims={self.pick(['True', 'True', 'False'])}")
        prefix = "1.0 * " if name in ("any", "all", "argmin", "argmax", "argsort") else ""
        method = name not in ("median", "norm", "sort", "argsort") and self.chance(0.4)
        if method:
            return f"{prefix}{text}.{name}({', '.join(arguments)})"
        return f"{prefix}{name}({', '.join([text] + arguments)})"

    # ---- indexing ----

    def bound(self, n):
        return "" if self.chance(0.35) else str(self.whole(-n - 1, n + 1))

    def slice(self, n):
        text = f"{self.bound(n)}:{self.bound(n)}"
        if self.chance(0.35):
            text += f":{self.pick(['1', '2', '-1', '-2', '3', ''])}"
        return text

    def place(self, n):
        if self.chance(0.04) or n == 0:
            return str(self.pick([n, -n - 1, n + 5]))
        return str(self.whole(-n, n - 1))

    def places(self, n, count):
        return "[" + ", ".join(self.place(n) for _ in range(count)) + "]"

    def mask(self, n):
        """A mask of one axis that picks something: beside one that picks nothing NumPy looks over wrong indices."""
        if n == 0:
            return ":"
        picked = [self.chance(0.5) for _ in range(n)]
        picked[self.whole(0, n - 1)] = True
        return f"array({picked})"

    def subscript(self, text, value):
        """What stands between the brackets: one item for some of the axes."""
        shape = np.shape(value)
        if self.chance(0.10) and shape[0] > 0:  # a mask of the whole shape, or of the first axis
            if self.chance(0.6) or np.ndim(value) == 1:
                return f"{text} {self.pick(self.COMPARISONS)} {self.pick(['0', 'a', '0.5'])}"
            return "array([" + ", ".join(self.pick(["True", "False"]) for _ in range(shape[0])) + "])"
        items, count = [], self.whole(1, 3)
        for n in shape[:self.whole(1, len(shape))]:
            kind = self.random.random()
            if kind < 0.40:
                items.append(self.slice(n))
            elif kind < 0.72:
                items.append(self.place(n))
            elif kind < 0.86:
                items.append(self.places(n, count))
            elif kind < 0.93:  # a mask of this axis
                items.append(self.mask(n))
            else:
                items.append(f"[[{self.place(n)}], [{self.place(n)}]]")
        if self.chance(0.12):
            items.insert(self.whole(0, len(items)), self.pick(["None", "None", "np.newaxis", "True"]))
        if self.chance(0.15):
            items.insert(self.whole(0, len(items)), "...")
        if self.chance(0.03):
            items.append("0")
        return ", ".join(items)

    def index(self, depth):
        text, value = self.array(depth)
        if np.ndim(value) == 1 and self.chance(0.08):
            return f"{text}[argsort({text})]"
        first = f"{text}[{self.subscript(text, value)}]"
        part = self.value(first)
        if part is not None and np.ndim(part) and self.chance(0.1):
            return f"{first}[{self.subscript(first, part)}]"
        return first

    # ---- shapes ----

    def other_shape(self, value):
        size = np.size(value)
        divisors = [d for d in range(1, size + 1) if size % d == 0] or [0]
        d = self.pick(divisors)
        shape = self.pick([(size,), (d, size // d if d else 3), (-1,), (d, -1), (-1, d), (1, size)])
        return shape if self.chance(0.96) else (size + 1, 2)

    def shaping(self, depth):
        text, value = self.array(depth)
        n = np.ndim(value)
        axis = self.axis(value, tuples=False)
        kind = self.pick("reshape reshape T transpose squeeze expand_dims flatten concatenate stack split repeat tile flip roll "
                         "diag tril shape len".split())
        if kind == "reshape":
            shape = self.other_shape(value)
            plain = ", ".join(str(d) for d in shape)
            return self.pick([f"reshape({text}, ({plain},))", f"{text}.reshape({plain})", f"{text}.reshape(({plain},))"])
        if kind == "T":
            return f"{text}.T"
        if kind == "transpose":
            axes = ", ".join(str(int(a)) for a in self.random.permutation(n))
            return self.pick([f"transpose({text})", f"transpose({text}, ({axes},))", f"{text}.transpose()", f"{text}.transpose({axes})",
                              f"transpose({text}, axes=({axes},))"])
        if kind == "squeeze":
            return self.pick([f"squeeze({text})", f"{text}.squeeze()", f"squeeze({text}, axis={axis})", f"squeeze({text}, {self.axis(value)})"])
        if kind == "expand_dims":
            return f"expand_dims({text}, {self.pick(['0', '-1', '1', 'axis=0', 'axis=-1', '3', '(0, -1)', '(1, 0)', 'axis=(0, 2)'])})"
        if kind == "flatten":
            return self.pick([f"flatten({text})", f"{text}.flatten()", f"{text}.copy().T"])
        if kind in ("concatenate", "stack"):
            other = self.pick([text, text, f"{text} * 2", f"flip({text}, axis=0)", self.pick(self.arrays)])
            if self.chance(0.15):
                return self.pick([f"{kind}({text})", f"{kind}({text}, axis={axis})", f"concatenate([{text}, {other}], axis=None)",
                                  f"{kind}(({text}, {other}, {text}), {axis})"])
            return f"{kind}([{text}, {other}]" + self.pick([")", f", axis={axis})"])
        if kind == "split":
            length = np.shape(value)[int(axis)] if -n <= int(axis) < n else 2
            parts = self.pick([d for d in range(1, length + 1) if length % d == 0] or [2])
            if self.chance(0.2):
                return f"split({text}, [1, 2], axis={axis})[{self.whole(-3, 2)}]"
            return f"split({text}, {parts if self.chance(0.95) else length + 1}, axis={axis})[{self.whole(-1, 0)}]"
        if kind == "repeat":
            if self.chance(0.2) and -n <= int(axis) < n:
                times = ", ".join(str(self.whole(0, 2)) for _ in range(np.shape(value)[int(axis)]))
                return f"repeat({text}, [{times}], axis={axis})"
            return self.pick([f"repeat({text}, {self.whole(1, 3)}, axis={axis})", f"repeat({text}, 2)", f"{text}.repeat(repeats=2)"])
        if kind == "tile":
            return self.pick([f"tile({text}, 2)", f"tile({text}, (2, 1))", f"tile({text}, ({self.whole(1, 2)}, {self.whole(1, 3)}))"])
        if kind == "flip":
            return self.pick([f"flip({text})", f"flip({text}, axis={axis})", f"flip({text}, axis={self.axis(value)})"])
        if kind == "roll":
            by = self.whole(-4, 4)
            if n >= 2 and self.chance(0.2):
                return f"roll({text}, ({by}, {self.whole(-2, 2)}), axis=({self.whole(-n, n - 1)}, {self.whole(-n, n - 1)}))"
            return self.pick([f"roll({text}, {by})", f"roll({text}, {by}, axis={axis})", f"roll({text}, shift={by}, axis={axis})"])
        if kind == "diag":
            return f"diag({self.array(depth, axes=self.pick([1, 2]))[0]}" + self.pick([")", ")", f", {self.whole(-2, 2)})", ", k=1)"])
        if kind == "tril":
            matrix = self.array(depth, axes=2)[0]
            return f"{self.pick(['tril', 'triu'])}({matrix}" + self.pick([")", f", {self.whole(-2, 2)})", f", k={self.whole(-1, 1)})"])
        if kind == "shape":
            return f"1.0 * array({text}.shape)" if self.chance(0.5) else f"1.0 * {text}.{self.pick(['ndim', 'size'])}"
        return f"1.0 * len({text})"

    def moved(self, depth):
        """Axes moved, arrays joined, padded and filled, by NumPy's names."""
        text, value = self.array(depth)
        n = np.ndim(value)
        one, other = self.whole(-n, n - 1), self.whole(-n, n - 1 if self.chance(0.97) else n)
        before, after = self.whole(0, 3), self.whole(0, 3)
        mode = self.pick(["constant", "edge", "reflect", "symmetric", "wrap", "mean", "maximum", "minimum", "median"])
        if mode == "wrap":  # of more than the array NumPy 1 makes something else
            before, after = min(before, min(np.shape(value))), min(after, min(np.shape(value)))
        pairs = ", ".join(f"({self.whole(0, 1)}, {self.whole(0, 1)})" for _ in range(n))
        matrix, numbers = self.array(depth, axes=2)
        columns = f"{matrix} * 2" if self.chance(0.7) else self.pick(self.arrays)
        return self.pick([
            f"swapaxes({text}, {one}, {other})", f"{text}.swapaxes({one}, {other})", f"moveaxis({text}, {one}, {other})",
            f"moveaxis({text}, [{one}, {other}], [{other}, {one}])", f"atleast_2d({text})", f"ravel({text})",
            f"vstack(({matrix}, {columns}))", f"hstack(({matrix}, {columns}))", f"column_stack(({matrix}, {columns}))",
            f"vstack(({text}, {text}))", f"hstack(({text}, {text} + 1))", f"column_stack(({text}, {text}))",
            f'pad({text}, ({before}, {after}), "{mode}")', f'pad({text}, ({pairs},), mode="{mode}")', f"pad({text}, {before})",
            f"pad({text}, {after}, constant_values=a)", f"1.0 * zeros_like({text})", f"1.0 * ones_like({text} > 0)",
            f"full_like(1.0 * {text}, {self.pick(['a', '2', '-0.5'])})", f"broadcast_to({text}, (2,) + {text}.shape)",
            f"1.0 * tri({self.whole(1, 4)}, {self.whole(1, 4)}, {self.whole(-2, 2)})", f"asarray({text})",
            f'meshgrid({self.array(depth, axes=1)[0]}, A2, indexing="{self.pick(["xy", "ij"])}")[{self.whole(0, 1)}]'])

    def searched(self, depth):
        mask, text = self.truth(depth)
        value = self.value(text)
        axis = self.whole(-np.ndim(value), np.ndim(value) - 1) if np.ndim(value) else 0
        close = f"{text} + {self.pick(['1e-9', '1e-6', '0', '0.1'])}"
        return self.pick([f"1.0 * nonzero({mask})[0]", f"1.0 * argwhere({mask})", f"{text}[nonzero({mask})]", f"unique({text})",
                          f"unique({text}, axis={axis})", f"1.0 * unique({text}, return_counts=True)[1]",
                          f"1.0 * unique({text}, return_index=True)[1]", f"1.0 * unique({text}, return_inverse=True)[1]",
                          f"1.0 * isclose({text}, {close})", f"1.0 * isclose({text}, a, 0.1, equal_nan=True)", f"1.0 * allclose({text}, {close})",
                          f"1.0 * array_equal({text}, {self.pick([text, close, 'A3'])})", f"power(abs({text}), {self.pick(['2', '0.5', 'a'])})",
                          f"amax({text}, {axis})", f"amin({text}, axis={axis}, keepdims=True)",
                          f"take({text}, [0, -1, {self.whole(-3, 3)}], axis={axis})", f"take({text}, {self.whole(-3, 3)})",
                          f"take_along_axis({text}, argsort({text}, axis={axis}), axis={axis})", f"1.0 * count_nonzero({mask}, axis={axis})",
                          f"average({text}, axis={axis}, weights=1 + abs({text}))", f"1.0 * isinf({text})", f"exp2({text})", f"nan_to_num({text}, nan=1, posinf=2, neginf=-3)", f"average(A8, axis={self.whole(-1, 1)}, weights=[1, 2, a])"])

    def counted(self, depth):
        """Numbers counted by where they fall, arrays as sets, nan left out."""
        text, value = self.array(depth)
        axis = self.axis(value, tuples=False)
        edges = self.pick(["[-1, 0, 0.5, 2]", "sort(A3)", "[2, 1, 0]"])
        wholes = f"clip(floor(abs({text})), 0, 9).flatten()"
        holes = f"where({text} > {self.pick(['0.5', '-0.5', 'a'])}, nan, {text})"
        side = self.pick(["left", "right"])
        return self.pick([
            f"1.0 * searchsorted(sort({text}, axis=None), {self.partner(depth)}, side=\"{side}\")", f"1.0 * digitize({text}, {edges})",
            f"1.0 * digitize({text}, {edges}, right=True)", f"1.0 * bincount(array({wholes}, dtype=int))",
            f"bincount(array({wholes}, dtype=int), weights={text}.flatten(), minlength=4)",
            f"1.0 * histogram({text}, bins={self.whole(1, 6)})[0]", f"histogram({text}, bins={self.whole(1, 6)})[1]",
            f"histogram({text}, bins=4, range=(-1, 2), density=True)[0]", f"histogram({text}, [-2, 0, 1.5, 2], weights=abs({text}))[0]",
            f"1.0 * isin({text}, {self.partner(depth)})", f"1.0 * isin({text}, [0, 0.5, 1, a], invert=True)",
            f"union1d({text}, {self.partner(depth)})", f"intersect1d({text}, round({text}))", f"setdiff1d({text}, round({text}))",
            f"{self.pick(['nansum', 'nanprod', 'nanmean', 'nanmax', 'nanmin', 'nanvar', 'nanstd', 'ptp'])}({holes}, axis={axis})",
            f"{self.pick(['nansum', 'nanmean', 'nanmax', 'nanstd'])}({holes}, keepdims=True)",
            f"1.0 * {self.pick(['nanargmax', 'nanargmin'])}({holes}, axis={axis})", f"ptp({text})", f"nanvar({holes}, ddof=1)"])

    def edited(self, depth):
        """Elements put in, taken out, turned round."""
        text, value = self.array(depth)
        axis = self.axis(value, tuples=False)
        place, other = self.whole(-4, 4), self.whole(-3, 3)
        matrix = self.array(depth, axes=2)[0]
        return self.pick([
            f"append({text}, {self.partner(depth)})", f"append({text}, {text}, axis={axis})", f"insert({text}, {place}, a)",
            f"insert({text}, {place}, b, axis={axis})", f"insert({text}, [0, {abs(place)}], [1, 2])", f"insert({matrix}, 1, {matrix}[0], axis=0)",
            f"delete({text}, {place})", f"delete({text}, [0, {place}], axis={axis})", f"flipud({text})", f"fliplr({text})",
            f"rot90({text})", f"rot90({matrix}, {place})", f"rot90({text}, {place}, axes=(-1, 0))", f"diagonal({text})",
            f"diagonal({text}, {other})", f"diagonal({text}, offset={other}, axis1=-1, axis2=0)", f"dstack(({text}, {text}))",
            f"array_split({text}, {self.whole(1, 4)}, axis={axis})[{self.whole(-1, 0)}]", f"vsplit({matrix}, {self.whole(1, 2)})[0]",
            f"hsplit({text}, [1])[0]", f"cumprod({text})", f"cumprod({text}, axis={axis})",
            f"{matrix}[triu_indices({self.whole(1, 3)}, {self.whole(-1, 1)})]", f"1.0 * tril_indices({self.whole(1, 3)}, m=4)[1]",
            f"1.0 * flatnonzero({text} > a)", f"1.0 * lexsort((round({text}.flatten()), floor({text}.flatten() / 2)))",
            f"kron({matrix}, {self.pick(self.arrays)})", f"trace({text}, {other}, -1, 0)", f"resize({text}, ({abs(place)}, 2))",
            f"atleast_1d({text})", f"atleast_3d({text})", f"matrix_power({self.pick(['W2', 'W3', 'A8'])}, {other})",
            f"cholesky(W{self.whole(2, 4)})", f"eigvalsh({self.pick(['W2', 'W3', 'W4', 'A8'])})",
            f"cross({text}, A4[:3])", f"cross(A6, {self.pick(['A7', 'A8', 'A10'])})",
            f"apply_along_axis(lambda r: {self.pick(['r.sum()', 'cumsum(r)', 'r * 2', 'outer(r, r)'])}, {axis}, {text})",
            f"add.reduce({text}, axis={axis})", f"subtract.reduce({text}, axis={axis})", f"subtract.accumulate({text}, axis={axis})",
            f"add.outer({self.pick(self.arrays)}, {self.pick(self.arrays)})", f"maximum.accumulate({text}, axis={axis})"])

    def series(self, depth):
        vector, other = self.array(depth, axes=1)[0], self.array(depth, axes=1)[0]
        text, value = self.array(depth)
        axis = self.axis(value, tuples=False)
        mode = self.pick(["full", "same", "valid"])
        n = self.pick([3, 4])
        return self.pick([
            f'convolve({vector}, {other}, "{mode}")', f'correlate({vector}, {other}, mode="{mode}")', f"convolve({vector}, {other})",
            f"ediff1d({text})", f"ediff1d({text}, to_end=[1, a], to_begin=b)", f"gradient({text}, axis={axis})",
            f"gradient({text}, 0.5, axis={axis}, edge_order=2)", f"gradient({vector})", f"gradient(arange({n}) ** 2.0, sort(A{n - 1}))",
            f"polyval({vector}, {text})", f"vander({vector}, 3)", f"vander({vector}, increasing=True)",
            f"polyfit(arange({n}), [1, a, 0, b][:{n}], {self.whole(0, 2)})"])

    def letters(self, depth):
        """einsum: letters for the axes of one to three arrays, whose sizes they follow."""
        names, sizes, subscripts, operands = "abcdefgh", {}, [], []
        for _ in range(self.whole(1, 3)):
            name = self.pick(self.arrays)
            part = ""
            for n in self.variables[name].shape:
                fitting = [c for c in sizes if sizes[c] in (n, 1) or n == 1]
                c = self.pick(fitting) if fitting and self.chance(0.6) else names[len(sizes) % len(names)]
                sizes[c] = max(n, sizes.get(c, 1))
                part += c
            if self.chance(0.15) and len(part) > 1:
                part = "..." + part[1:]
            subscripts.append(part)
            operands.append(name)
        used = sorted({c for part in subscripts for c in part if c != "."})
        result = "".join(c for c in self.random.permutation(used) if self.chance(0.6))[:5]
        dots = "..." if any("." in part for part in subscripts) else ""
        arrow = f"->{dots}{result}" if self.chance(0.8) else ""
        return f'einsum("{",".join(subscripts)}{arrow}", {", ".join(operands)})'

    def statistic(self, depth):
        text, value = self.array(depth)
        if not np.all(np.isfinite(number(value))):  # between a number and inf NumPy's quantiles are nan
            text = self.pick(self.arrays)
            value = self.variables[text]
        axis = self.axis(value, tuples=False)
        q = self.pick(["50", "[10, 90]", "0", "33.3", "[[25], [75]]"])
        matrix, numbers = self.array(depth, axes=2)
        if not np.all(np.isfinite(number(numbers))):  # what a product makes of 0 times nan depends on the BLAS
            matrix = "A8"
        method = self.pick(["linear", "lower", "higher", "nearest", "midpoint"])
        return self.pick([f"percentile({text}, {q})", f"percentile({text}, {q}, axis={axis})",
                          f"percentile({text}, {q}, axis={axis}, keepdims=True)", f'quantile({text}, 0.3, method="{method}")',
                          f"cov({matrix})", f"cov({matrix}, rowvar=False, bias=True)", f"cov(A3, A2)" if self.chance(0.5) else "cov(A1, A4)",
                          f"corrcoef({self.pick(['A8', 'A9', 'W3', 'W4'])})", f"trapz({text}, axis={axis})", f"trapz({text}, dx=0.5)",
                          f"trapz(sort({self.array(depth, axes=1)[0]}))", f"interp({text}, [-1, 0.5, 1, 2], [3, a, 0, 1])",
                          f"interp({text}, [0, 1, 2], [3, a, 0], left=b, right=7)", f"interp({text}, [0, 1, 2.5], [3, a, 0], period=3)",
                          f"inner({self.pick(self.arrays)}, {self.pick(self.arrays)})", f"vdot({matrix}, {matrix})",
                          f"matmul({matrix}, {self.pick(self.arrays)})"])

    def making(self, depth):
        n, low = self.whole(2, 5), self.whole(-3, 3)
        return self.pick([f"arange({n})", f"arange({low}, {low + n})", f"arange({low}, {low + 4}, 0.5)",
                          f"arange({low + n}, {low}, -1)", f"linspace({low}, {low + 2}, {n})",
                          f"logspace({low}, 2, {n})", f"eye({n})", f"eye({n}, {n + 1})", f"eye({n}, k={low})",
                          f"eye({n}, 3, {low})", f"linspace({low}, 1, {n}, endpoint=False)", f"logspace(0, {low}, {n}, base=2)",
                          f"arange({low}, {low + 1}, 0.25)", f"arange(a, b, 0.3)", f"full(({n}, 2), [a, b])", f"linspace({low}, 3, num={n})",
                          f"full(({n}, 2), fill_value=b)", f"zeros(shape=({n},))", f"zeros(({n}, 2))", f"ones({n})", f"full(({n},), a)",
                          f"tril(ones(({n}, {n})))", f"diag(arange({n}))"])

    # ---- truth ----

    def truth(self, depth):
        """(text, value) of an array of booleans, in parentheses."""
        text, value = self.array(depth)
        other = self.pick(["0", "0.5", "a", "-1", text, f"{text} * 1.0"]) if self.chance(0.7) else self.leaf()
        mask = f"({text} {self.pick(self.COMPARISONS)} {other})"
        if self.chance(0.3):
            mask = f"({mask} {self.pick('&|')} ({text} {self.pick(self.COMPARISONS)} {self.pick(['0.2', 'b', '-0.5'])}))"
        if self.chance(0.15):
            mask = f"(~{mask})"
        if self.chance(0.08):
            mask = f"({self.pick(['isnan', 'isfinite'])}({text}))"
        return mask, text

    def comparison(self, depth):
        if self.chance(0.15):
            return f"1.0 * (-1 {self.pick(['<', '<='])} {self.pick('abc')} {self.pick(['<', '<='])} {self.pick(['0.5', '1', 'b'])})"
        return f"1.0 * {self.truth(depth)[0]}"

    def choice(self, depth):
        mask, text = self.truth(depth)
        kind = self.random.random()
        if kind < 0.05:
            return f"1.0 * where({mask})[0]"
        if kind < 0.6:
            return f"where({mask}, {text}, {self.partner(depth, text)})"
        if kind < 0.8:
            return f"where({mask}, {self.pick(['0', 'a', '-1.5'])}, {self.pick(['1', 'b'])})"
        return f"({text} if {self.pick('abc')} > {self.pick(['0', 'a'])} else {self.partner(depth)})"

    # ---- linear algebra ----

    def product(self, depth):
        left, value = self.array(depth)
        inner = np.shape(value)[-1]
        fitting = [name for name in self.arrays
                   if self.variables[name].shape[max(0, self.variables[name].ndim - 2)] == inner]
        right = self.pick(fitting) if fitting and self.chance(0.93) else self.pick(self.arrays)
        kind = self.random.random()
        if kind < 0.75 or np.ndim(value) > 2:
            return f"{left} @ {right}"
        if kind < 0.87 and self.variables[right].ndim <= 2:
            return self.pick([f"dot({left}, {right})", f"{left}.dot({right})"])
        return f"outer({self.pick(self.arrays)}, {right})"

    def algebra(self, depth):
        n = self.whole(2, 4)
        name = f"W{n}"
        matrix = self.pick([name, f"{name}.T", f"({name} + {name}.T)", f"({name} / 2)"])
        fitting = [other for other in self.arrays if self.variables[other].shape[0] == n and self.variables[other].ndim <= 2]
        stack = self.pick([f"stack([{name}, {matrix}])", f"array([[{name}], [{matrix} * 2]])"])
        wide = self.pick([matrix, "A6", "A7", "A12", "A13", "A15"])
        if self.chance(0.3):
            return self.pick([f"inv({stack})", f"det({stack})", f"1.0 * matrix_rank({stack})", f"solve({stack}, {name})", f"inv({stack}) @ {name}"])
        if self.chance(0.3):
            return self.pick([f"1.0 * array([p.shape[-1] for p in svd({wide})])", f"svd({wide})[1]",
                              f"round((svd({matrix}, full_matrices=False)[0] * svd({matrix})[1]) @ svd({matrix})[2], 9) + 1",
                              f"1.0 * array([p.shape[0] for p in svd({wide}, full_matrices=False)])"])
        return self.pick([f"inv({matrix})", f"det({matrix})", f"solve({matrix}, {self.pick(fitting)})", f"svd({matrix})[1]",
                          f"eigh({name} + {name}.T)[0]", f"1.0 * matrix_rank({matrix})", f"spectral_norm({self.pick([matrix, 'A6'])})",
                          f"1.0 * matrix_rank(outer(A{self.whole(0, 5)}, A{self.whole(0, 5)}))", f"round(inv({matrix}) @ {matrix}, 9) + 1"])

    # ---- the language ----

    def language(self, depth):
        text, value = self.array(depth)
        return self.pick([f"array([x * 2 for x in {text}])", f"array([x.sum() for x in expand_dims({text}, 0)])",
                          f"(lambda x: x * x + 1)({text})", f"(lambda x, y=2: x / y)({text}, y={self.pick(['3', 'a'])})",
                          f"array([{text}, {text} + 1])", f"{self.pick(['max', 'min'])}(a, {self.pick(['b', '0.3', 'c, 1'])})", f"sum(x for x in {text})",
                          f"1.0 * ({self.pick(['a', '0.5', '1'])} {self.pick(['in', 'not in'])} {text})", f"(a {self.pick(['and', 'or'])} {self.pick('bc')})",
                          f"1.0 * (not {self.pick('abc')})", f"1.0 * int({self.pick('abc')} * 10)", f"float({self.pick('abc')}) / 3",
                          f"1.0 * bool({self.pick(['a', '0'])})", f"round({self.pick('abc')} * 7)", f"abs({self.pick('abc')})",
                          f"array([i * x for i, x in enumerate({text})])",
                          f"array([x - y for x, y in zip({text}, flip({text}, axis=0))])"])

    # ---- statements ----

    def assignment(self, depth):
        """A few lines that change an array through an index, or in place, and its value."""
        text, value = self.array(depth)
        lines = [f"r = copy({text})"]
        for _ in range(self.whole(1, 2)):
            subscript = self.subscript("r", value)
            if np.ndim(value) + subscript.count("None") + subscript.count("newaxis") > AXES_MAX:
                continue
            part = self.value(f"{text}[{subscript.replace('r ', text + ' ', 1) if subscript.startswith('r ') else subscript}]")
            fitting = [name for name in self.arrays if part is not None and self.variables[name].shape == np.shape(part)]
            new = self.pick(fitting) if fitting and self.chance(0.6) else self.pick(["0", "a", "b * 2", "-1.5", "odd[0]"])
            # Into a mask of the whole array NumPy takes at most one axis, where other indices broadcast.
            if self.chance(0.05):
                new = self.pick([name for name in self.arrays if not subscript.startswith("r ") or self.variables[name].ndim < 2])
            # In place NumPy refuses further axes of size 1, which an assignment may have.
            further = part is not None and np.ndim(self.value(new)) > np.ndim(part)
            operator = "=" if further else self.pick(["=", "=", "+=", "*=", "-=", "/=", "//=", "%=", "**="])
            lines.append(f"r[{subscript}] {operator} {new}")
        if self.chance(0.2):
            lines.append(f"r {self.pick(['+=', '-=', '*=', '/=', '**=', '//=', '%='])} {self.pick(['2', 'a', '0.5', text])}")
        return "\n".join(lines + ["r"])

    def program(self, depth):
        """A loop or a function over arrays."""
        text, value = self.array(depth)
        kind = self.whole(0, 4)
        if kind == 0:
            return f"r = 0\nfor x in {text}:\n    r = r + x * {self.pick(['2', 'a'])}\nr"
        if kind == 1:
            return f"r = {text}\nn = 0\nwhile n < 3:\n    n += 1\n    if n == 2:\n        continue\n    r = r / 2 + n\nr"
        if kind == 2:
            return f"def f(x, y=1):\n    z = x + y\n    return z * x\nf({text}, y={self.pick(['2', 'b', text])})"
        if kind == 3:
            return f"r = {text}\ns = r\ns = s + 1\nx, y = r, s\nx - y * 2"
        return f"r = {text}\nfor i in range(len(r)):\n    if i % 2 == 0:\n        r = r + i\n    else:\n        r = r * 2\nr"

    def test(self):
        """The text of one test."""
        kind = self.random.random()
        depth = self.whole(1, 4)
        if kind < 0.82:
            return self.expression(depth)
        return self.assignment(depth - 1) if kind < 0.94 else self.program(depth - 1)


def balanced(text):
    depth = 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if depth < 0:
            return False
    return depth == 0
