"""Differences that are meant: (function, example) -> reason."""

INTEGERS = "integer types: whole numbers are float64, which does not overflow or cut off"
VALUES = "values are values: y = x is a copy"
EXACT = "sums are more exact: float32 is added in float64, long sums in parts"
OUTPUT = "f(x, y) does not write into y"
FUNCTOOLS = "Python's functools is another library"
PLACES = "intersect1d gives the numbers alone: return_indices= is refused"
AXES = "the vectors lie along the last axis: axisa= and axisc= are refused"
PARTITION = "partition gives the whole order, which is one of those that it allows"
TYPES = "types of Python's own libraries are not here"
NUMBER = "an array without axes is a number"
WITH = "with suppress_warnings() belongs to NumPy's own tests"
PADDING = "modes of pad that attn refuses by name"

DIFFERENCES = {
    ("np.arange", "print(x1)"): INTEGERS,
    ("np.arange", "print(x2)"): INTEGERS,
    ("np.full_like", "np.full_like(x, 0.1)"): INTEGERS,
    ("np.prod", "np.prod(x)"): INTEGERS,
    ("np.copy", "x[0] == y[0]"): VALUES,
    ("np.cumsum", "b.cumsum()[-1]"): EXACT,
    ("np.mean", "np.mean(a)"): EXACT,
    ("np.std", "np.std(a)"): EXACT,
    ("np.var", "np.var(a)"): EXACT,
    ("np.pad", "np.pad(a, (2, 3), 'linear_ramp', end_values=(5, -4))"): PADDING,
    ("np.pad", "np.pad(a, (2, 3), 'reflect', reflect_type='odd')"): PADDING,
    ("np.pad", "np.pad(a, (2, 3), 'symmetric', reflect_type='odd')"): PADDING,
    ("np.pad", "np.pad(a, 2, pad_with)"): PADDING,
    ("np.pad", "np.pad(a, 2, pad_with, padder=100)"): PADDING,
    ("np.degrees", "r = np.degrees(rad, out)"): OUTPUT,
    ("np.degrees", "np.all(r == out)"): OUTPUT,
    ("np.radians", "ret = np.radians(deg, out)"): OUTPUT,
    ("np.radians", "ret is out"): OUTPUT,
    ("np.bincount", "np.bincount(np.arange(5, dtype=float))"): INTEGERS,
    ("np.insert", "np.insert(b, [2, 2], [7.13, False]) # type casting"): INTEGERS,
    ("np.insert", "np.insert(b, slice(2, 4), [5, 6])"): "a slice stands in brackets only",
    ("np.intersect1d", "reduce(np.intersect1d, ([1, 3, 4, 3], [3, 1, 2, 1], [6, 3, 4, 2]))"): FUNCTOOLS,
    ("np.union1d", "reduce(np.union1d, ([1, 3, 4, 3], [3, 1, 2, 1], [6, 3, 4, 2]))"): FUNCTOOLS,
    ("np.intersect1d", "xy, x_ind, y_ind = np.intersect1d(x, y, return_indices=True)"): PLACES,
    ("np.intersect1d", "x_ind, y_ind"): PLACES,
    ("np.intersect1d", "xy, x[x_ind], y[y_ind]"): PLACES,
    ("np.nansum", "with suppress_warnings() as sup:\n    sup.filter(RuntimeWarning)\n    "
                  "np.nansum([1, np.nan, np.inf, -np.inf]) # both +/- infinity present"): WITH,
    ("np.cross", "np.cross(x, y, axisc=0)"): AXES,
    ("np.cross", "np.cross(x, y, axisa=0, axisb=0)"): AXES,
    ("np.partition", "p"): PARTITION,
    ("np.partition", "p2"): PARTITION,
    ("np.argpartition", "x[np.argpartition(x, 3)]"): PARTITION,
    ("np.argpartition", "np.array(x)[np.argpartition(x, 3)]"): PARTITION,
    ("np.isscalar", "np.isscalar(np.array(3.1))"): NUMBER,
    ("np.isscalar", "np.isscalar(Fraction(5, 17))"): TYPES,
    ("np.isscalar", "np.isscalar(Number())"): TYPES,
    ("np.isfinite", "y"): OUTPUT,
    ("np.isinf", "y"): OUTPUT,
    ("np.squeeze", "np.squeeze(x)[()]"): NUMBER,
}
