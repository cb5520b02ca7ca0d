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
REFUSED = "an argument that attn refuses by name"
VIEWS = "a view is a copy, and only a variable, an element or a field can be changed"
BINS = "bins='auto' is refused by name, and what needs its result"
COMPLEX = "complex numbers are refused"
XOR = "outside of a .py file ^ is the error that names **"
SAME = "two names of one function are two functions"

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
    ('np.bitwise_not', 'np.bitwise_not is np.invert'): SAME,
    ('np.bitwise_xor', 'x1 ^ x2'): XOR,
    ('np.choose', "np.choose([2, 4, 1, 0], choices, mode='clip') # 4 goes to 3 (4-1)"): REFUSED,
    ('np.choose', "np.choose([2, 4, 1, 0], choices, mode='wrap') # 4 goes to (4 mod 4)"): REFUSED,
    ('np.choose', 'np.choose(a, (c1, c2)) # result is 2x3x5, res[0,:,:]=c1, res[1,:,:]=c2'): REFUSED,
    ('np.fill_diagonal', 'a'): VIEWS,
    ('np.fill_diagonal', 'np.fill_diagonal(np.fliplr(a), [1,2,3])  # Horizontal flip'): VIEWS,
    ('np.fill_diagonal', 'np.fill_diagonal(np.flipud(a), [1,2,3])  # Vertical flip'): VIEWS,
    ('np.geomspace', 'np.geomspace(1, 256, num=9, dtype=int)'): REFUSED,
    ('np.histogram_bin_edges', "np.histogram_bin_edges(arr, bins='auto', range=(0, 1))"): BINS,
    ('np.histogram_bin_edges', "shared_bins = np.histogram_bin_edges(arr, bins='auto')"): BINS,
    ('np.histogram_bin_edges', 'shared_bins'): BINS,
    ('np.histogram_bin_edges', 'hist_0, _ = np.histogram(arr[group_id == 0], bins=shared_bins)'): BINS,
    ('np.histogram_bin_edges', 'hist_1, _ = np.histogram(arr[group_id == 1], bins=shared_bins)'): BINS,
    ('np.histogram_bin_edges', 'hist_0; hist_1'): BINS,
    ('np.histogram_bin_edges', "hist_0, bins_0 = np.histogram(arr[group_id == 0], bins='auto')"): BINS,
    ('np.histogram_bin_edges', "hist_1, bins_1 = np.histogram(arr[group_id == 1], bins='auto')"): BINS,
    ('np.histogram_bin_edges', 'bins_0; bins_1'): BINS,
    ('np.indices', 'i, j = np.indices((2, 3), sparse=True)'): REFUSED,
    ('np.indices', 'i.shape'): REFUSED,
    ('np.indices', 'j.shape'): REFUSED,
    ('np.indices', 'i        # row indices'): REFUSED,
    ('np.indices', 'j        # column indices'): REFUSED,
    ('np.invert', 'np.bitwise_not is np.invert'): SAME,
    ('np.isneginf', 'np.isneginf(x, y)'): OUTPUT,
    ('np.isneginf', 'y'): OUTPUT,
    ('np.isposinf', 'np.isposinf(x, y)'): OUTPUT,
    ('np.isposinf', 'y'): OUTPUT,
    ('np.nanpercentile', 'np.nanpercentile(a, 50, axis=1, keepdims=True)'): REFUSED,
    ('np.nanquantile', 'np.nanquantile(a, 0.5, axis=1, keepdims=True)'): REFUSED,
    ('np.poly', 'np.poly(P)'): COMPLEX,
    ('np.put', "np.put(a, 22, -5, mode='clip')"): REFUSED,
    ('np.put', 'a'): REFUSED,
    ('np.ravel_multi_index', "np.ravel_multi_index(arr, (4,6), mode='clip')"): REFUSED,
    ('np.ravel_multi_index', "np.ravel_multi_index(arr, (4,4), mode=('clip','wrap'))"): REFUSED,
    ('np.tensordot', 'a.shape = (2, 2, 2)'): REFUSED,
    ('np.unwrap', 'np.unwrap([0, 1, 2, -1, 0], period=4)'): REFUSED,
    ('np.unwrap', 'np.unwrap([ 1, 2, 3, 4, 5, 6, 1, 2, 3], period=6)'): REFUSED,
    ('np.unwrap', 'np.unwrap([2, 3, 4, 5, 2, 3, 4, 5], period=4)'): REFUSED,
    ('np.unwrap', 'np.unwrap(phase_deg, period=360)'): REFUSED,
}
