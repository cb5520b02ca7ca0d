# Each distribution that both sides have, as whole numbers of millionths, so that all digits count.
import numpy as np


def show(*drawn):
    for numbers in drawn:
        print(np.round(numbers * 1e6))


np.random.seed(3)
show(np.random.rand(2, 3), np.random.randn(3), np.random.randint(1, 7, size=5))
show(np.random.permutation(5), np.random.permutation([1, 5, 7]), np.random.uniform(-1, 1, size=3))
show(np.random.choice(5, size=3, replace=False), np.random.choice(4, size=3, p=[0.1, 0.2, 0.3, 0.4]))
show(np.random.choice(4, size=3, replace=False, p=[0.1, 0.2, 0.3, 0.4]), np.random.normal(1, 2, size=3))
rng = np.random.default_rng(5)
show(rng.normal(size=2), rng.integers(0, 9, size=4), np.random.default_rng().random())
