#!/usr/bin/env python3
"""Runs a program with the random numbers of attn in place of CPython's and NumPy's.

    seeded.py FILE.py

`random` and `numpy.random` draw from one generator, xoshiro256** seeded by splitmix64 with 0 at
the start, by the algorithms of src/base/random.c and src/library/random.c; seed(k), Random(k) and
default_rng(k) seed it with k. So what the program prints can be compared with what attn prints. A
distribution that has no counterpart here raises AttributeError. NumPy prints all digits of all
elements, whatever the program asks for.
"""
import math
import runpy
import sys

MASK = 2**64 - 1


def rotate(x, by):
    return (x << by | x >> (64 - by)) & MASK


class Generator:
    """What both modules' functions draw from; the names are those of src/base/random.h."""

    def __init__(self, seed=0):
        self.seed(seed)

    def seed(self, seed):
        self.state = []
        z = int(seed) & MASK
        for _ in range(4):
            z = (z + 0x9E3779B97F4A7C15) & MASK
            mixed = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
            self.state.append(mixed ^ mixed >> 31)

    def next(self):
        s = self.state
        result = rotate(s[1] * 5 & MASK, 7) * 9 & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotate(s[3], 45)
        return result

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53

    def below(self, bound):
        bits = (bound - 1).bit_length()
        drawn = 0
        while bits and (drawn := self.next() >> (64 - bits)) >= bound:
            pass
        return drawn

    def normal(self):
        u1 = 1 - self.uniform()
        return math.sqrt(-2 * math.log(u1)) * math.cos(2 * math.pi * self.uniform())

    def permutation(self, count):
        order = list(range(count))
        for i in range(count, 1, -1):
            j = self.below(i)
            order[i - 1], order[j] = order[j], order[i - 1]
        return order

    def weighted(self, weights, count, replace=True):
        """Indices by their weights, as draw_places of src/library/random.c draws them."""
        sums, total = [], 0.0
        for weight in weights:
            total += float(weight)
            sums.append(total)
        drawn = []
        for _ in range(count):
            x = self.uniform() * sums[-1]
            index = next((i for i, sum_ in enumerate(sums) if sum_ > x), len(sums) - 1)
            drawn.append(index)
            if not replace:
                before = sums[index - 1] if index else 0.0
                share = sums[index] - before
                for i in range(index, len(sums)):
                    sums[i] = before if i == index else max(sums[i] - share, before)
                    before = sums[i]
        return drawn


class PlainRandom:
    """The functions of the module `random` that are replaced, and the methods of Random(seed)."""

    def __init__(self, generator):
        self._generator = generator

    def seed(self, a=0, version=2):
        self._generator.seed(a or 0)

    def random(self):
        return self._generator.uniform()

    def uniform(self, a, b):
        return a + (b - a) * self._generator.uniform()

    def randint(self, a, b):
        return a + self._generator.below(b - a + 1)

    def randrange(self, start, stop=None, step=1):
        values = range(start) if stop is None else range(start, stop, step)
        return values[self._generator.below(len(values))]

    def getrandbits(self, k):
        return self._generator.next() >> (64 - k) if k else 0

    def gauss(self, mu=0.0, sigma=1.0):
        return mu + sigma * self._generator.normal()

    normalvariate = gauss

    def expovariate(self, lambd=1.0):
        return -math.log(1 - self._generator.uniform()) / lambd

    def choice(self, seq):
        return seq[self._generator.below(len(seq))]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        if cum_weights is not None:
            weights = [b - a for a, b in zip([0, *cum_weights], cum_weights)]
        if weights is None:
            return [self.choice(population) for _ in range(k)]
        return [population[i] for i in self._generator.weighted(weights, k)]

    def shuffle(self, x):
        order = self._generator.permutation(len(x))
        x[:] = [x[i] for i in order]

    def sample(self, population, k):
        return [population[i] for i in self._generator.permutation(len(population))[:k]]


def numpy_methods(numpy):
    """The class whose methods stand for numpy.random's functions, RandomState and default_rng."""

    def size_of(size):
        return () if size is None else tuple(size) if hasattr(size, "__len__") else (int(size),)

    def draw(next_number, size, dtype=float):
        shape = size_of(size)
        numbers = numpy.array([next_number() for _ in range(math.prod(shape))], dtype=dtype)
        if size is None:
            return numbers.tolist()[0] if dtype in (int, float) else numbers[0]
        return numbers.reshape(shape)

    def affine(base, next_number, by, size):
        if size is None:
            size = numpy.broadcast(base, by).shape or None
        return base + numpy.asarray(draw(next_number, size)) * by if size is not None else base + next_number() * by

    class NumpyRandom:
        def __init__(self, generator):
            self._generator = generator

        def seed(self, seed=0):
            self._generator.seed(seed or 0)

        def random(self, size=None):
            return draw(self._generator.uniform, size)

        random_sample = ranf = sample = random

        def rand(self, *shape):
            return self.random(shape or None)

        def standard_normal(self, size=None):
            return draw(self._generator.normal, size)

        def randn(self, *shape):
            return self.standard_normal(shape or None)

        def normal(self, loc=0.0, scale=1.0, size=None):
            return affine(numpy.asarray(loc)[()], self._generator.normal, numpy.asarray(scale)[()], size)

        def uniform(self, low=0.0, high=1.0, size=None):
            low, high = numpy.asarray(low)[()], numpy.asarray(high)[()]
            return affine(low, self._generator.uniform, high - low, size)

        def exponential(self, scale=1.0, size=None):
            return affine(0.0, lambda: -math.log(1 - self._generator.uniform()), numpy.asarray(scale)[()], size)

        def randint(self, low, high=None, size=None, dtype=int, endpoint=False):
            if high is None:
                low, high = 0, low
            span = int(high) + endpoint - int(low)
            return draw(lambda: int(low) + self._generator.below(span), size, dtype)

        integers = randint

        def permutation(self, x):
            if isinstance(x, (int, numpy.integer)):
                return numpy.array(self._generator.permutation(int(x)), dtype=int)
            return numpy.asarray(x)[self._generator.permutation(len(x))]

        def shuffle(self, x):
            order = self._generator.permutation(len(x))
            x[:] = x[order] if isinstance(x, numpy.ndarray) else [x[i] for i in order]

        def choice(self, a, size=None, replace=True, p=None):
            elements = numpy.arange(a) if isinstance(a, (int, numpy.integer)) else numpy.asarray(a)
            shape = size_of(size)
            count = math.prod(shape)
            if p is not None:
                places = self._generator.weighted(p, count, replace)
            elif replace:
                places = [self._generator.below(len(elements)) for _ in range(count)]
            else:
                places = self._generator.permutation(len(elements))[:count]
            return elements[places[0]] if size is None else elements[numpy.array(places, dtype=int).reshape(shape)]

    return NumpyRandom


def replace_functions(module, functions):
    for name in dir(module):
        if name in getattr(module, "__all__", ()) and callable(getattr(module, name)):
            delattr(module, name)
    for name in dir(functions):
        if not name.startswith("_"):
            setattr(module, name, getattr(functions, name))


def replace_random(with_numpy):
    import random

    if with_numpy:
        import numpy  # before the functions change, since it imports some of them
    generator = Generator()

    def generator_of(seed=None):
        return Generator(generator.next() if seed is None else seed)

    replace_functions(random, PlainRandom(generator))
    random.Random = lambda seed=None: PlainRandom(generator_of(seed))
    if with_numpy:
        numpy.set_printoptions = print_options(numpy.set_printoptions)
        methods = numpy_methods(numpy)
        replace_functions(numpy.random, methods(generator))
        numpy.random.default_rng = numpy.random.RandomState = lambda seed=None: methods(generator_of(seed))


def print_options(set_options):
    """All digits of an array are printed until the program says how many it wants."""
    set_options(precision=17, floatmode="unique")

    def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, *_, **__):
        if precision is not None:
            set_options(precision=precision, floatmode="maxprec")
        set_options(threshold=threshold, suppress=suppress)

    return set_printoptions


def main():
    sys.argv = sys.argv[1:]
    with open(sys.argv[0], encoding="utf-8") as file:
        replace_random("numpy" in file.read())
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
