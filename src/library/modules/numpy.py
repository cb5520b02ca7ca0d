# Built in: *
import numpy.lib as lib
import numpy.linalg as linalg
import numpy.random as numbers

random = numbers
newaxis = None
Inf = infty = Infinity = PINF = inf
NINF = -inf
NaN = NAN = nan
__version__ = "1.24.0"
del numbers


def size(a, axis=None):
    return asarray(a).size if axis is None else asarray(a).shape[axis]
