"""Draws random differentiable programs of the language.

A program is a function f of one array x and what it calls. Expressions are drawn for a shape that
is wanted, so that all of them fit; what is drawn keeps numbers of moderate size, and stays away
from where there is no derivative (1.5 + a ** 2 below a fraction and under log and sqrt).
"""
SHAPES = [(), (2,), (3,), (4,), (2, 3), (3, 2), (3, 3), (4, 3), (2, 2, 3)]


def rows(random, shape, digits):
    if not shape:
        return f"{random.uniform(-1.5, 1.5):.{digits}f}"
    return "[" + ", ".join(rows(random, shape[1:], digits) for _ in range(shape[0])) + "]"


def literal(random, shape, digits=2):
    """Numbers as an array where a list of one row would be joined and repeated, else as a list."""
    text = rows(random, shape, digits)
    return f"array({text})" if 1 in shape else text


class Program:
    """lines: the program. scope: (name, shape) of what an expression may use now."""

    def __init__(self, random):
        self.random = random
        self.lines = []
        self.indent = 0
        self.names = 0
        self.functions = []  # (name, shapes of its parameters, shape of its result)
        self.x_shape = self.pick(SHAPES)
        self.x = f"array({literal(random, self.x_shape, 9)})" if self.x_shape else literal(random, (), 9)  # no two alike, and none 0
        self.outer = [self.constant() for _ in range(2)]
        for _ in range(self.whole(0, 2)):
            self.helper()
        self.line("def f(x):")
        self.scope = self.outer + [("x", self.x_shape)] * 3
        self.indent += 1
        for _ in range(self.whole(2, 5)):
            self.statement()
        name, shape = self.scope[-1]
        total = " + ".join([self.number_of(name, shape), self.number_of("x", self.x_shape), self.expression((), 2)])
        self.line(f"return {total}")
        self.indent -= 1

    # ---- drawing ----

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return items[self.random.randrange(len(items))]

    def whole(self, low, high):
        return self.random.randint(low, high)

    def name(self, letter="v"):
        self.names += 1
        return f"{letter}{self.names}"

    def line(self, text):
        name, equals, value = text.partition(" = ")
        if equals and "," not in name and value.startswith("[") and value != "[]":  # += would make a list longer
            text = f"{name} = array({value.rstrip(';')})" + ";" * value.endswith(";")
        self.lines.append("    " * self.indent + text)

    def constant(self):
        shape = self.pick(SHAPES)
        name = self.name("c")
        self.line(f"{name} = {literal(self.random, shape)};")
        return name, shape

    def number_of(self, text, shape):
        """One number of an array, to which all its elements contribute."""
        if not shape:
            return text
        return f"sum({text} * {literal(self.random, shape)})"

    def broadcasting(self, shape):
        """A shape that broadcasts to this one."""
        smaller = [1 if self.chance(0.25) else n for n in shape]
        return tuple(smaller[self.whole(0, len(smaller)) if self.chance(0.4) else 0:])

    # ---- statements; each leaves its result last in the scope ----

    def statement(self):
        kind = self.pick(self.STATEMENTS)
        kind(self)

    def assign(self):
        shape = self.pick(SHAPES)
        name = self.name()
        self.line(f"{name} = {self.expression(shape, 4)}")
        self.scope.append((name, shape))

    def block(self, lines):
        """Draws the lines of a block, in which names may be used that are not known after it."""
        known = list(self.scope)
        self.indent += 1
        lines()
        self.indent -= 1
        self.scope = known

    def loop(self):
        shape = self.pick(SHAPES)
        name, place = self.name(), self.name("i")
        self.line(f"{name} = {self.expression(shape, 2)}")
        self.scope.append((name, shape))
        kind = self.pick(["range", "range", "rows", "while"])

        def lines():
            self.scope += [(name, shape), (place, ())]
            if self.chance(0.3):
                self.assign()
            if self.chance(0.2):
                self.line(f"if {place} == 1: {'break' if kind == 'while' else self.pick(['continue', 'break'])}")
            if self.chance(0.5):
                self.line(f"{name} {self.pick(['+=', '-=', '*='])} tanh({self.expression(shape, 2)})")
            else:
                self.line(f"{name} = {self.smooth(name)} + {self.expression(shape, 2)}")

        if kind == "range":
            self.line(f"for {place} in range({self.whole(1, 3)}):")
            self.block(lines)
        elif kind == "rows":
            over, over_shape = self.pick([entry for entry in self.scope if entry[1]] or [("[0.5, -1]", (2,))])
            row = self.name("r")
            self.line(f"for {place}, {row} in enumerate({over}):")
            known = list(self.scope)
            self.scope.append((row, over_shape[1:]))
            self.block(lines)
            self.scope = known
        else:
            self.line(f"{place} = 0")
            self.line(f"while {place} < 3 and {self.expression((), 1)} < 1.2:")
            self.block(lambda: (lines(), self.line(f"{place} += 1")))

    def branch(self):
        shape = self.pick(SHAPES)
        name = self.name()
        self.line(f"if {self.expression((), 2)} {self.pick(['<', '>', '<=', '>='])} {self.random.uniform(-1, 1):.2f}:")
        self.block(lambda: self.line(f"{name} = {self.expression(shape, 3)}"))
        self.line("else:")
        self.block(lambda: self.line(f"{name} = {self.expression(shape, 3)}"))
        self.scope.append((name, shape))

    def store(self):
        shape = self.pick([shape for shape in SHAPES if shape])
        name = self.name("A")
        start = self.pick([f"zeros({shape})", self.expression(shape, 2), f"array({self.expression(shape, 1)})"])
        self.line(f"{name} = {start}")
        for _ in range(self.whole(1, 3)):
            index, picked = self.index(shape, stores=True)
            sign = self.pick(["=", "=", "+=", "-=", "*="])
            value = self.expression(self.broadcasting(picked), 2)
            self.line(f"{name}[{index}] {sign} {value}")
            if self.chance(0.2):
                self.line(f"{name}[{name} > 0.8] {self.pick(['*= 0.5', '= 0.25', '-= 1'])}")
        self.scope.append((name, shape))

    def append(self):
        count, shape = self.whole(2, 4), self.pick([(), (), (2,), (3,)])
        name, place = self.name("xs"), self.name("i")
        self.line(f"{name} = []")
        self.line(f"for {place} in range({count}):")

        def lines():
            self.scope.append((place, ()))
            self.line(f"{name}.append({self.expression(shape, 3)})")

        self.block(lines)
        whole = self.name()
        self.line(f"{whole} = array({name})" if self.chance(0.5) else f"{whole} = stack({name})")
        self.scope.append((whole, (count,) + shape))

    def pair(self):
        a, b = self.name(), self.name()
        shapes = self.pick(SHAPES), self.pick(SHAPES)
        self.line(f"{a}, {b} = {self.expression(shapes[0], 2)}, {self.expression(shapes[1], 2)}")
        self.scope += [(a, shapes[0]), (b, shapes[1])]

    def fields(self):
        name, shape = self.name("r"), self.pick(SHAPES)
        self.line(f"{name} = record(a={self.expression(shape, 2)}, b={self.expression((), 2)})")
        if self.chance(0.5):
            self.line(f"{name}.b += {self.expression((), 1)}")
        self.scope += [(f"{name}.a", shape), (f'{name}["b"]', ())]

    def closure(self):
        """A function made inside, which uses variables of the one around it."""
        name, z, shape = self.name("g"), self.name("z"), self.pick(SHAPES)
        self.line(f"def {name}({z}):")

        def lines():
            self.scope += [(z, shape)] * 2
            if self.chance(0.4):
                self.assign()
            self.line(f"return {self.expression(shape, 3)}")

        self.block(lines)
        result = self.name()
        self.line(f"{result} = {name}({self.expression(shape, 2)})" + (f" * {name}({self.expression(shape, 1)})" if self.chance(0.3) else ""))
        self.scope.append((result, shape))

    def inner_gradient(self):
        """A derivative inside the function that is differentiated."""
        over, shape = self.pick(self.scope)
        name, z = self.name(), self.name("z")
        self.scope.append((z, shape))
        body = f"{self.number_of(self.expression(shape, 2), shape)} + {self.number_of(f'tanh({z})', shape)}"
        self.scope.pop()
        self.line(f"{name} = tanh(grad(lambda {z}: {body}, {over}))")
        self.scope.append((name, shape))

    def helper(self):
        """A function that f and later functions may call; some call themselves."""
        name = self.name("h")
        shapes = [self.pick(SHAPES) for _ in range(self.whole(1, 2))]
        parameters = [self.name("p") for _ in shapes]
        recursive = self.chance(0.25)
        self.line(f"def {name}({', '.join(parameters)}{', depth=2' if recursive else ''}):")
        self.scope = self.outer + list(zip(parameters, shapes)) * 2
        self.indent += 1
        if self.chance(0.5):
            self.statement()
        shape = shapes[0] if recursive else self.pick(SHAPES)
        if recursive:
            self.line(f"if depth == 0: return {self.expression(shape, 2)}")
            again = ", ".join([f"tanh({self.expression(shape, 2)})"] + parameters[1:] + ["depth=depth - 1"])
            self.line(f"return 0.5 * {name}({again}) + {self.expression(shape, 2)}")
        else:
            self.line(f"return {self.expression(shape, 4)}")
        self.indent -= 1
        self.functions.append((name, shapes, shape))

    STATEMENTS = [assign, assign, assign, loop, loop, branch, store, store, append, pair, fields, closure,
                  inner_gradient]

    # ---- expressions of a shape ----

    def expression(self, shape, depth):
        if depth <= 0 or self.chance(0.08):
            return self.leaf(shape)
        kinds = list(self.ANY)
        if shape:
            kinds += self.ARRAYS * 2
        else:
            kinds += self.NUMBERS * 2
        if len(shape) == 2:
            kinds += self.MATRICES * 2
        return self.pick(kinds)(self, shape, depth - 1)

    def leaf(self, shape):
        names = [name for name, known in self.scope if known == shape]
        if names and self.chance(0.9):
            return self.pick(names)
        if not shape and self.chance(0.8):
            name, known = self.pick(self.scope)
            return f"{name}[{', '.join(str(self.whole(-n, n - 1)) for n in known)}]" if known else name
        if shape and self.chance(0.3):
            smaller = [name for name, known in self.scope if known in (shape[1:], (1,) + shape[1:])]
            if smaller:
                return f"({self.pick(smaller)} + zeros({shape}))"
        numbers = literal(self.random, shape)
        return f"({numbers} * {self.leaf(())})" if shape and self.chance(0.7) else numbers

    def smooth(self, text):
        return self.pick(["sin({})", "cos({})", "tanh({})", "sigmoid({})", "exp(tanh({}))", "expm1(tanh({}))", "gelu({})",
                          "silu({})", "tan(0.5 * tanh({}))", "log(1.5 + ({}) ** 2)", "sqrt(0.5 + ({}) ** 2)",
                          "log1p(({}) ** 2)", "log2(1.2 + ({}) ** 2)", "log10(1.1 + ({}) ** 2)", "(-({}))",
                          "(tanh({}) ** 2)", "(tanh({}) ** 3)", "((1.5 + ({}) ** 2) ** -0.5)", "abs({})", "relu({})",
                          "(0.5 * ({}))", "clip({}, -1.2, 0.9)", "exp2(tanh({}))", "nan_to_num({})", "square(tanh({}))", "reciprocal(1.5 + ({}) ** 2)"]).format(text)

    def unary(self, shape, depth):
        return self.smooth(self.expression(shape, depth))

    def binary(self, shape, depth):
        a, b = self.expression(shape, depth), self.expression(self.broadcasting(shape), depth)
        form = self.pick(["({} + {})", "({} - {})", "(tanh({}) * {})", "({} * tanh({}))", "({} / (1.5 + {} ** 2))",
                          "maximum({}, {})", "minimum({}, {})", "((1.5 + tanh({})) ** tanh({}))",
                          "({} % (2.5 + tanh({})))", "({} - 0.3 * {})", "add({}, {})", "subtract({}, {})",
                          "multiply(tanh({}), {})", "divide({}, 1.5 + {} ** 2)"])
        return form.format(a, b)

    def choice(self, shape, depth):
        a, b = self.expression(shape, depth), self.expression(self.broadcasting(shape), depth)
        test = self.expression(self.broadcasting(shape), depth - 1)
        return f"where({test} {self.pick(['>', '<='])} {self.random.uniform(-0.8, 0.8):.2f}, {a}, {b})"

    def conditional(self, shape, depth):
        return (f"({self.expression(shape, depth)} if {self.expression((), 1)} > {self.random.uniform(-1, 1):.2f} "
                f"else {self.expression(shape, depth)})")

    def call(self, shape, depth):
        fitting = [known for known in self.functions if known[2] == shape]
        if not fitting:
            return self.unary(shape, depth)
        name, shapes, _ = self.pick(fitting)
        return f"{name}({', '.join(self.expression(wanted, depth - 1) for wanted in shapes)})"

    def lambda_call(self, shape, depth):
        z, wanted = self.name("z"), self.pick(SHAPES)
        argument = self.expression(wanted, depth - 1)
        self.scope.append((z, wanted))
        body = self.expression(shape, depth)
        self.scope.pop()
        return f"(lambda {z}: {body})({argument})"

    ANY = [unary, unary, binary, binary, binary, choice, conditional, call, call, lambda_call]

    # ---- numbers ----

    def total(self, shape, depth):
        wanted = self.pick([shape for shape in SHAPES if shape])
        whole = self.expression(wanted, depth)
        return self.pick(["sum({})", "mean({})", "var({})", "norm(2 + tanh({}))", "np.max({})", "np.min({})", "logsumexp(({}).flatten())",
                          "prod(1.2 + tanh({}))", "percentile({}, 30)", "average([1, -2, 0.5], weights=1.5 + sin([1, 2, 3] * tanh(sum({}))))", "trapz(({}).flatten())", "std({} * arange({}).reshape({}))", "median({})", "sum(square(diff(({}).flatten())))"]
                         ).format(whole, self.size(wanted), wanted)

    @staticmethod
    def size(shape):
        size = 1
        for n in shape:
            size *= n
        return size

    def element(self, shape, depth):
        wanted = self.pick([shape for shape in SHAPES if shape])
        places = ", ".join(str(self.whole(-n, n - 1)) for n in wanted)
        return f"({self.expression(wanted, depth)})[{places}]" if self.chance(0.5) else \
            f"{self.leaf(wanted)}[{places}]"

    def dot(self, shape, depth):
        n = self.whole(2, 4)
        return f"({self.expression((n,), depth)} @ {self.expression((n,), depth)})"

    def determinant(self, shape, depth):
        n = self.whole(2, 3)
        matrix = f"tanh({self.expression((n, n), depth)}) + 2 * eye({n})"
        spread = f"{matrix} + diag(10 * arange({n}))"  # singular values far apart
        return self.pick([f"det({matrix})", f"trace({matrix})", f"einsum('ii', {matrix})", f"einsum('ij,ji', {matrix}, {matrix})", f"norm({spread}, 'nuc')", f"norm({spread}, -2)", f"vdot({matrix}, {matrix})",
                          f"norm({matrix}, -1)"])

    def listed(self, shape, depth):
        over, known = self.pick([entry for entry in self.scope if entry[1]] or [("[0.5, -1.0]", (2,))])
        v = self.name("e")
        self.scope.append((v, known[1:]))
        body = self.expression((), depth)
        condition = f" if {self.number_of(v, known[1:])} > -1" if self.chance(0.3) else ""
        self.scope.pop()
        return f"sum([{body} for {v} in {over}{condition}])"

    def entropy_of(self, shape, depth):
        n = self.whole(2, 4)
        p, q = f"softmax({self.expression((n,), depth)})", f"softmax({self.expression((n,), depth)})"
        return self.pick([f"entropy({p})", f"perplexity({p})", f"kl_divergence({p}, {q})",
                          f"cross_entropy({self.expression((2, n), depth)}, [{self.whole(0, n - 1)}, {self.whole(0, n - 1)}])",
                          f"cross_entropy({self.expression((n,), depth)}[None, :], {q}[None, :])"])

    NUMBERS = [total, total, element, dot, determinant, listed, entropy_of]

    # ---- arrays ----

    def reduced(self, shape, depth):
        axis = self.whole(0, len(shape))
        n = self.whole(2, 3)
        wanted = shape[:axis] + (n,) + shape[axis:]
        if len(wanted) > 3:
            return self.unary(shape, depth)
        whole = self.expression(wanted, depth)
        axis_text = axis - len(wanted) if self.chance(0.5) else axis
        ramp = f"arange({n}).reshape({tuple(n if i == axis else 1 for i in range(len(wanted)))})"  # no two alike
        return self.pick(["sum({0}, axis={1})", "mean({0}, axis={1})", "var({0}, axis={1})", "max({0}, axis={1})",
                          "min({0}, axis={1})", "std(3 * {2} + tanh({0}), axis={1})", "logsumexp({0}, axis={1})",
                          "prod(1.1 + tanh({0}), axis={1})", "norm(2 + tanh({0}), axis={1})", "median({0}, axis={1})", "quantile({0}, 0.4, axis={1})", "trapz({0}, axis={1})",
                          "entropy(softmax({0}, axis={1}), axis={1})", "sum({0}, axis={1}, keepdims=True).reshape({3})"]
                         ).format(whole, axis_text, ramp, shape)

    def along(self, shape, depth):
        axis = self.whole(-len(shape), len(shape) - 1)
        whole = self.expression(shape, depth)
        return self.pick(["softmax({0}, axis={1})", "log_softmax({0}, axis={1})", "cumsum({0}, axis={1})",
                          "sort({0}, axis={1})", "flip({0}, axis={1})", "roll({0}, 1, axis={1})",
                          "({0} - mean({0}, axis={1}, keepdims=True))", "({0} / (2 + max(abs({0}), axis={1}, keepdims=True)))",
                          "softmax({0}, axis={1}, temperature=0.7)"]).format(whole, axis)

    def joined(self, shape, depth):
        axis = self.whole(0, len(shape) - 1)
        if shape[axis] < 2:
            return self.unary(shape, depth)
        first = self.whole(1, shape[axis] - 1)
        parts = [shape[:axis] + (n,) + shape[axis + 1:] for n in (first, shape[axis] - first)]
        return f"concatenate(({', '.join(self.expression(part, depth) for part in parts)}), axis={axis})"

    def stacked(self, shape, depth):
        axis = self.whole(0, len(shape) - 1)
        rest = shape[:axis] + shape[axis + 1:]
        items = ", ".join(self.expression(rest, depth - 1) for _ in range(shape[axis]))
        return f"array([{items}])" if axis == 0 and self.chance(0.5) else f"stack([{items}], axis={axis})"

    def comprehension(self, shape, depth):
        v = self.name("i")
        self.scope.append((v, ()))
        body = self.expression(shape[1:], depth)
        self.scope.pop()
        return f"array([{body} for {v} in range({shape[0]})])"

    def reshaped(self, shape, depth):
        size = self.size(shape)
        others = [known for known in SHAPES if known and self.size(known) == size] + [(size,)]
        return f"({self.expression(self.pick(others), depth)}).reshape({shape})"

    def transposed(self, shape, depth):
        whole = self.expression(tuple(reversed(shape)), depth)
        return f"({whole}).T" if self.chance(0.5) else f"transpose({whole})"

    def repeated(self, shape, depth):
        if shape[0] % 2 or len(shape) > 2:
            return f"(zeros({shape}) + {self.expression(shape[1:], depth)})"
        half = (shape[0] // 2,) + shape[1:]
        whole = self.expression(half, depth)
        return self.pick([f"repeat({whole}, 2, axis=0)", f"tile({whole}, {(2,) + (1,) * (len(shape) - 1)})"])

    def moved(self, shape, depth):
        """Axes exchanged or moved, rows repeated, borders added, arrays joined, by NumPy's names."""
        rest = shape[1:]
        forms = [f"swapaxes({self.expression(shape[-1:] + shape[1:-1] + shape[:1] if len(shape) > 1 else shape, depth)}, 0, -1)",
                 f"moveaxis({self.expression(shape[-1:] + shape[:-1], depth)}, 0, -1)",
                 f"broadcast_to({self.expression(rest, depth)}, {shape})",
                 f"full_like({self.leaf(shape)}, {self.expression(rest, depth)})",
                 f"power(1.5 + tanh({self.expression(shape, depth)}), tanh({self.expression(rest, depth - 1)}))"]
        places = [self.whole(-shape[0] - 1, shape[0]) for _ in range(shape[0])]
        forms.append(f"take({self.expression((shape[0] + 1,) + rest, depth)}, {places}, axis=0)")
        order = f"argsort(cos(arange({self.size(shape)})).reshape({shape}), axis=-1)"
        forms.append(f"take_along_axis({self.expression(shape, depth)}, {order}, axis=-1)")
        if shape[0] > 1:
            part = self.expression((shape[0] - 1,) + rest, depth)
            mode = self.pick(["constant", "edge", "reflect", "symmetric", "wrap", "mean", "maximum", "median"])
            widths = ", ".join([self.pick(["(1, 0)", "(0, 1)"])] + ["(0, 0)"] * len(rest))
            forms += [f'pad({part}, ({widths},), "{mode}")'] * 2
            forms.append(f"{'vstack' if rest else 'hstack'}(({part}, {self.expression((1,) + rest, depth)}))")
        if len(shape) == 2:
            columns = ", ".join(self.expression(shape[:1], depth - 1) for _ in range(shape[1]))
            forms.append(f"column_stack(({columns},))")
        return self.pick(forms)

    def indexed(self, shape, depth):
        """Part of a larger array, or its elements in another order."""
        larger, places = [], []
        for n in shape:
            kind = self.pick(["all", "slice", "step", "back", "array"])
            if kind == "array" and any(place.startswith("[") for place in places):
                kind = "slice"
            if kind == "all":
                larger.append(n)
                places.append(":")
            elif kind == "slice":
                larger.append(n + 1)
                places.append(self.pick(["1:", ":-1"]))
            elif kind == "step":
                larger.append(2 * n)
                places.append(self.pick(["::2", "1::2"]))
            elif kind == "back":
                larger.append(n)
                places.append("::-1")
            else:
                size = self.whole(2, 4)
                larger.append(size)
                places.append("[" + ", ".join(str(self.whole(-size, size - 1)) for _ in range(n)) + "]")
        if self.chance(0.2):
            larger.append(2)
            places = ["...", str(self.whole(-2, 1))]
            larger[:-1] = shape
        return f"({self.expression(tuple(larger), depth)})[{', '.join(places)}]"

    def masked(self, shape, depth):
        if len(shape) != 1:
            return self.unary(shape, depth)
        chosen = [True] * shape[0] + [False] * self.whole(1, 2)
        self.random.shuffle(chosen)
        return f"({self.expression((len(chosen),), depth)})[{chosen}]"

    def normed(self, shape, depth):
        last = shape[-1:]
        x = f"(2 * arange({last[0]}) + tanh({self.expression(shape, depth)}))"  # no row of equal numbers
        return self.pick([f"layernorm({x}, {self.expression(last, depth)}, {self.expression(last, depth)})",
                          f"rmsnorm({x}, {self.expression(last, depth)})", f"layernorm({x})", f"rmsnorm({x})"])

    ARRAYS = [reduced, reduced, along, along, joined, stacked, comprehension, reshaped, transposed, repeated,
              moved, indexed, indexed, masked, normed]

    # ---- matrices ----

    def product(self, shape, depth):
        inner = self.whole(1, 3)
        left = self.expression((shape[0], inner), depth)
        if self.chance(0.2):
            return f"inner({left}, {self.expression((shape[1], inner), depth)})"
        right = self.expression((inner, shape[1]), depth)
        third = self.expression((inner, shape[1]), depth - 1)
        return self.pick([f"({left} @ {right})", f"({left} @ {right})", f"matmul({left}, {right})",
                          f"einsum('ij,jk->ik', {left}, {right})", f"einsum('ij,jk->ki', {left}, {right}).T",
                          f"einsum('ij,jk,jk->ik', {left}, {right}, {third})"])

    def outer(self, shape, depth):
        return f"outer({self.expression(shape[:1], depth)}, {self.expression(shape[1:], depth)})"

    def triangle(self, shape, depth):
        return f"{self.pick(['tril', 'triu'])}({self.expression(shape, depth)})"

    def linear_algebra(self, shape, depth):
        n, m = shape
        square = f"(tanh({self.expression((n, n), depth)}) + 5 * eye({n}))"  # far from singular
        symmetric = f"({square} + {square}.T + diag(10 * arange({n})))"  # values far apart
        apart = f"({square} + diag(10 * arange({n})))"
        forms = [f"solve({square}, {self.expression(shape, depth)})"]
        if n == m:
            wide = self.expression((n, 4), depth)
            forms += [f"cov({wide})", f"corrcoef({wide} + [[0, 3, -4, 6]] * (1 + arange({n}))[:, None] ** 2)"]
            forms += [f"inv({square})", f"eigh({symmetric})[1] ** 2", f"diag(eigh({symmetric})[0])",
                      f"diag(svd({apart})[1])", f"pinv({apart})",
                      f"lstsq({apart}, {symmetric})[0]"]
        return self.pick(forms)

    def attended(self, shape, depth):
        queries, width = shape
        keys = queries if self.chance(0.5) else self.whole(2, 4)
        inner = self.pick([2, 4])
        q, k = self.expression((queries, inner), depth - 1), self.expression((keys, inner), depth - 1)
        v = self.expression((keys, width), depth)
        options = self.pick(["", ", causal=True", ', mask="window 2"', ', mask="padding 2"', ", temperature=0.8",
                             ", bias=" + self.expression((queries, keys), 1)])
        if self.chance(0.4):
            options += self.pick([', position="alibi"', ', position="relative 0.3"', ", scale=0.4",
                                  f', position=("relative", {self.expression((3,), 1)})']
                                 + ([', position="rope"', ', position="sinusoidal"'] if inner % 2 == 0 else []))
        if self.chance(0.6):
            return f"attention({q}, {k}, {v}{options}).output"
        result = f"attention({q}, {k}, {v}{options})"
        part = self.pick([f"({result}.weights @ {v})", f"({result}.entropy[:, None] * ones({shape}))"]
                         + ([f"({result}.logsumexp[:, None] * ones({shape}))"] if "mask" not in options else []))
        return part

    def many_heads(self, shape, depth):
        if shape[1] % 2:
            return self.attended(shape, depth)
        width = shape[1]
        matrices = ", ".join(self.expression((width, width), 1) for _ in range(4))
        return f"multihead({self.expression(shape, depth)}, {matrices}, {self.pick([1, 2])}).output"

    def fed_forward(self, shape, depth):
        hidden = self.whole(2, 3)
        x, w1 = self.expression((shape[0], 2), depth), self.expression((2, hidden), depth - 1)
        b1, w2 = self.expression((hidden,), 1), self.expression((hidden, shape[1]), depth - 1)
        return f'ffn({x}, {w1}, {b1}, {w2}, {self.expression(shape[1:], 1)}, activation="gelu")'

    MATRICES = [product, product, outer, triangle, linear_algebra, attended, attended, many_heads, fed_forward]

    # ---- where a store goes ----

    def index(self, shape, stores=False):
        """An index of an array of this shape, and the shape of what it picks."""
        n = shape[0]
        kind = self.random.random()
        if kind < 0.25:
            return str(self.whole(-n, n - 1)), shape[1:]
        if kind < 0.5:
            return self.pick([("1:", (n - 1,) + shape[1:]), (":-1", (n - 1,) + shape[1:]),
                              ("::-1", shape), ("::2", ((n + 1) // 2,) + shape[1:]),
                              ("::-2", ((n + 1) // 2,) + shape[1:])])
        if kind < 0.65:
            places = [self.whole(-n, n - 1) for _ in range(self.whole(1, 3))]
            return str(places), (len(places),) + shape[1:]
        if kind < 0.8:
            chosen = [self.chance(0.6) for _ in range(n)]
            chosen[self.whole(0, n - 1)] = True
            return str(chosen), (sum(chosen),) + shape[1:]
        if len(shape) > 1:
            place = self.whole(-shape[-1], shape[-1] - 1)
            return f"..., {place}", shape[:-1]
        return ":", shape
