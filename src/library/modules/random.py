# Built in: *
import numpy as np


class Random:
    def __init__(self, x=None):
        self.seed(x)

    def seed(self, a=None, version=2):
        number = np.random.randint(0, 2**31) if a is None else hash(a) % 2**31
        self._generator = np.random.default_rng(number)

    def random(self):
        return self._generator.random()

    def _below(self, n):
        return self._generator.integers(n)

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
        count = len(range(start, stop, step))
        if count == 0:
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {step})")
        return start + step * self._below(count)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not seq:
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        if weights is None and cum_weights is None:
            return [self.choice(population) for _ in range(k)]
        if weights is None:
            weights = np.diff([0, *cum_weights])
        total = sum(weights)
        if len(weights) != len(population):
            raise ValueError("The number of weights does not match the population")
        if total <= 0:
            raise ValueError("Total of weights must be greater than zero")
        if not total < np.inf:
            raise ValueError("Total of weights must be finite")
        chances = [weight / total for weight in weights]
        return [population[i] for i in self._generator.choice(len(population), k, p=chances)]

    def shuffle(self, x):
        x[:] = [x[i] for i in self._generator.permutation(len(x))]

    def sample(self, population, k):
        items = list(population)
        if k < 0 or k > len(items):
            raise ValueError("Sample larger than population or is negative")
        return [items[i] for i in self._generator.permutation(len(items))[:k]]

    def gauss(self, mu=0, sigma=1):
        return mu + sigma * self._generator.normal()

    normalvariate = gauss

    def expovariate(self, lambd=1):
        return -np.log(1 - self.random()) / lambd

    def lognormvariate(self, mu, sigma):
        return np.exp(self.gauss(mu, sigma))

    def paretovariate(self, alpha):
        return (1 - self.random()) ** (-1 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * self.expovariate() ** (1 / beta)

    def triangular(self, low=0, high=1, mode=None):
        if low == high:
            return low
        middle = 0.5 if mode is None else (mode - low) / (high - low)
        u = self.random()
        if u > middle:
            return high - (high - low) * ((1 - u) * (1 - middle)) ** 0.5
        return low + (high - low) * (u * middle) ** 0.5

    def getrandbits(self, k):
        return self.randrange(2 ** k)


class _OfSession(Random):
    def __init__(self):
        pass

    def random(self):
        return np.random.rand()

    def _below(self, n):
        return np.random.randint(n)

    def gauss(self, mu=0, sigma=1):
        return mu + sigma * np.random.randn()


def _of_all(name):
    """The method of a generator that draws from the numbers of the session."""
    return lambda *args, **keywords: getattr(_all, name)(*args, **keywords)


_all = _OfSession()
expovariate = _of_all("expovariate")
lognormvariate = _of_all("lognormvariate")
paretovariate = _of_all("paretovariate")
weibullvariate = _of_all("weibullvariate")
triangular = _of_all("triangular")
getrandbits = _of_all("getrandbits")
