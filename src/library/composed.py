"""Functions of the library that are compositions of others. The rows are in composed.c, and fill in
the defaults. All names stand behind np., which means the builtins of the language, also those that
NumPy has not: a user's variable may have the name. The functions see nothing else of this file."""
import numpy as np


# ---- files ----

def open(file, mode, buffering, encoding, errors, newline):
    import io
    return io.TextIOWrapper(file, mode, encoding)


# ---- whole numbers ----

def bitwise_and(x1, x2):
    return x1 & x2

def bitwise_or(x1, x2):
    return x1 | x2

def bitwise_xor(x1, x2):
    return x1 ^ x2

def left_shift(x1, x2):
    return x1 << x2

def right_shift(x1, x2):
    return x1 >> x2

def invert(x):
    return ~x

def bitwise_not(x):
    return ~x

def divmod(x1, x2):
    return x1 // x2, x1 % x2


# ---- elementwise ----

def float_power(x1, x2):
    return x1 ** x2

def positive(x):
    return +x

def signbit(x):
    return np.copysign(1, x) < 0

def isposinf(x):
    return x == np.inf

def isneginf(x):
    return x == -np.inf

def fmax(x1, x2):
    return np.where(np.isnan(x1), x2, np.where(np.isnan(x2), x1, np.maximum(x1, x2)))

def fmin(x1, x2):
    return np.where(np.isnan(x1), x2, np.where(np.isnan(x2), x1, np.minimum(x1, x2)))

def modf(x):
    whole = np.trunc(x)
    return np.where(np.isfinite(x), x - whole, np.where(np.isnan(x), x, 0)), whole

def ldexp(x1, x2):
    return x1 * 2 ** x2

def sinc(x):
    y = np.pi * np.where(x == 0, 1e-20, x)
    return np.sin(y) / y

def real(val):
    return val

def imag(val):
    return val * 0

def conj(x):
    return x

def isreal(x):
    return x == x if not np.any(np.isnan(x)) else np.ones_like(x) == 1

def iscomplex(x):
    return x != x if not np.any(np.isnan(x)) else np.ones_like(x) == 0

def unwrap(p):
    steps = np.diff(p)
    turns = (steps + np.pi) % (2 * np.pi) - np.pi
    turns = np.where((turns == -np.pi) & (steps > 0), np.pi, turns)
    turns = np.where(np.abs(steps) < np.pi, 0, turns - steps)
    return np.concatenate([p[:1], p[1:] + np.cumsum(turns)])


# ---- shapes ----

def ndim(a):
    return a.ndim

def rollaxis(a, axis, start):
    axis = axis + a.ndim if axis < 0 else axis
    start = start + a.ndim if start < 0 else start
    return np.moveaxis(a, axis, start - 1 if axis < start else start)

def dsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, axis=2)

def diagflat(v, k):
    return np.diag(np.ravel(v), k)

def block(arrays):
    if np.len(arrays) > 0 and np.isinstance(arrays[0], np.list):
        return np.vstack([np.hstack([np.atleast_2d(part) for part in row]) for row in arrays])
    return np.hstack(arrays)

def array_equiv(a1, a2):
    try:
        return np.bool(np.all(a1 == a2))
    except ValueError:
        return False

def broadcast_arrays(args):
    shape = np.broadcast_shapes(*[np.shape(a) for a in args])
    return [np.broadcast_to(a, shape) for a in args]

def broadcast_shapes(shapes):
    whole = np.zeros(())
    for shape in shapes:
        whole = whole + np.zeros(shape)
    return whole.shape

def asanyarray(a):
    return np.asarray(a)

def ascontiguousarray(a):
    return np.atleast_1d(a)

def trim_zeros(filt, trim):
    kept = np.nonzero(filt)[0]
    if np.len(kept) == 0:
        return filt[:0]
    begin = kept[0] if "f" in trim.lower() else 0
    end = kept[-1] + 1 if "b" in trim.lower() else np.len(filt)
    return filt[np.int(begin):np.int(end)]

def array2string(a):
    return np.str(a)


# ---- new arrays ----

def geomspace(start, stop, num, endpoint):
    sign = -1 if start < 0 else 1
    points = sign * np.exp(np.linspace(np.log(sign * start), np.log(sign * stop), num, endpoint))
    points[0] = start
    if endpoint and num > 1:
        points[-1] = stop
    return points

def indices(dimensions):
    return np.stack(np.meshgrid(*[np.arange(n) for n in dimensions], indexing="ij"))

def fromiter(iter, dtype, count):
    items = np.list(iter)
    return np.array(items if count < 0 else items[:count], dtype)

def bartlett(M):
    return 1 - np.abs(np.linspace(-1, 1, M)) if M > 1 else np.ones(M)

def hanning(M):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(M) / (M - 1)) if M > 1 else np.ones(M)

def hamming(M):
    return 0.54 - 0.46 * np.cos(2 * np.pi * np.arange(M) / (M - 1)) if M > 1 else np.ones(M)

def blackman(M):
    if M <= 1:
        return np.ones(M)
    t = 2 * np.pi * np.arange(M) / (M - 1)
    return 0.42 - 0.5 * np.cos(t) + 0.08 * np.cos(2 * t)

def triu_indices_from(arr, k):
    return np.nonzero(np.triu(np.ones(arr.shape), k))

def tril_indices_from(arr, k):
    return np.nonzero(np.tril(np.ones(arr.shape), k))

def ravel_multi_index(multi_index, dims):
    place = 0
    for i, n in np.zip(multi_index, dims):
        place = place * n + np.arange(n)[i]
    return place


# ---- without nan ----

def nanmedian(a, axis):
    def along(line):
        kept = line[~np.isnan(line)]
        return np.median(kept) if kept.size > 0 else np.nan
    return along(np.ravel(a)) if axis is None else np.apply_along_axis(along, axis, a)

def nanquantile(a, q, axis):
    def along(line):
        kept = line[~np.isnan(line)]
        return np.quantile(kept, q) if kept.size > 0 else q * np.nan
    return along(np.ravel(a)) if axis is None else np.apply_along_axis(along, axis, a)

def nanpercentile(a, q, axis):
    return np.nanquantile(a, q / 100, axis)

def nancumsum(a, axis):
    return np.cumsum(np.where(np.isnan(a), 0, a), axis)

def nancumprod(a, axis):
    return np.cumprod(np.where(np.isnan(a), 1, a), axis)


# ---- choosing ----

def choose(a, choices):
    whole = [np.broadcast_to(choice, np.shape(a)) for choice in choices]
    return np.take_along_axis(np.stack(whole), np.expand_dims(a, 0), 0)[0]

def compress(condition, a, axis):
    kept = np.nonzero(condition)[0]
    return np.ravel(a)[kept] if axis is None else np.take(a, kept, axis)

def extract(condition, arr):
    return np.ravel(arr)[np.nonzero(np.ravel(condition))[0]]

def select(condlist, choicelist, default):
    result = default
    for condition, choice in np.reversed(np.list(np.zip(condlist, choicelist))):
        result = np.where(condition, choice, result)
    return result

def piecewise(x, condlist, funclist):
    result = np.zeros_like(x)
    rest = np.ones_like(x) == 1
    for condition, function in np.zip(condlist, funclist):
        condition = np.asarray(condition)
        rest = rest & ~condition
        result = np.where(condition, function(x) if np.callable(function) else function, result)
    if np.len(funclist) > np.len(condlist):
        last = funclist[-1]
        result = np.where(rest, last(x) if np.callable(last) else last, result)
    return result

def setxor1d(ar1, ar2):
    return np.union1d(np.setdiff1d(ar1, ar2), np.setdiff1d(ar2, ar1))

def apply_over_axes(func, a, axes):
    for axis in axes:
        result = func(a, axis=axis)
        a = result if result.ndim == a.ndim else np.expand_dims(result, axis)
    return a


# ---- polynomials ----

def poly(seq_of_zeros):
    zeros = np.atleast_1d(seq_of_zeros)
    if zeros.ndim == 2:
        zeros = np.linalg.eigvals(zeros)
    result = np.ones(1)
    for zero in zeros:
        result = np.polymul(result, np.array([1, -zero]))
    return result

def roots(p):
    p = np.ravel(p)
    kept = np.nonzero(p)[0]
    if np.len(kept) == 0:
        return np.zeros(0)
    at_0 = np.zeros(np.int(np.len(p) - 1 - kept[-1]))
    p = p[np.int(kept[0]):np.int(kept[-1]) + 1]
    n = np.len(p) - 1
    if n == 0:
        return at_0
    companion = np.eye(n, k=-1)
    companion[0] = -p[1:] / p[0]
    return np.concatenate([np.linalg.eigvals(companion), at_0])

def polyadd(a1, a2):
    n = np.max([np.len(a1), np.len(a2)])
    return np.pad(a1, (n - np.len(a1), 0)) + np.pad(a2, (n - np.len(a2), 0))

def polysub(a1, a2):
    return np.polyadd(a1, -a2)

def polymul(a1, a2):
    return np.convolve(a1, a2)

def polyder(p, m):
    for _ in np.range(m):
        p = p[:-1] * np.arange(np.len(p) - 1, 0, -1)
    return p

def polyint(p, m, k):
    for _ in np.range(m):
        p = np.append(p / np.arange(np.len(p), 0, -1), k)
    return p


# ---- linear algebra ----

def slogdet(a):
    if a.ndim != 2:
        det = np.linalg.det(a)
        return np.sign(det), np.log(np.abs(det))
    q, r = np.linalg.qr(a)
    d = np.diag(r)
    return np.sign(np.linalg.det(q)) * np.prod(np.sign(d)), np.sum(np.log(np.abs(d)))

def cond(x, p):
    if p is None or p == 2 or p == -2:
        s = np.linalg.svd(x)[1]
        return s[-1] / s[0] if p == -2 else s[0] / s[-1]
    return np.linalg.norm(x, p) * np.linalg.norm(np.linalg.inv(x), p)

def multi_dot(arrays):
    product = arrays[0]
    for array in arrays[1:]:
        product = product @ array
    return product

def tensordot(a, b, axes):
    if np.isinstance(axes, (np.list, np.tuple)):
        of_a, of_b = axes
        of_a = [of_a] if np.isinstance(of_a, np.int) else np.list(of_a)
        of_b = [of_b] if np.isinstance(of_b, np.int) else np.list(of_b)
    else:
        of_a = np.list(np.range(a.ndim - axes, a.ndim))
        of_b = np.list(np.range(axes))
    of_a = [np.int(i % a.ndim) for i in of_a]
    of_b = [np.int(i % b.ndim) for i in of_b]
    rest_a = [i for i in np.range(a.ndim) if i not in of_a]
    rest_b = [i for i in np.range(b.ndim) if i not in of_b]
    inner = np.int(np.prod([a.shape[i] for i in of_a]))
    left = np.reshape(np.transpose(a, rest_a + of_a), (-1, inner))
    right = np.reshape(np.transpose(b, of_b + rest_b), (inner, -1))
    shape = [a.shape[i] for i in rest_a] + [b.shape[i] for i in rest_b]
    return np.reshape(left @ right, shape)

def qr(a, mode):
    m, n = a.shape
    q, r = np.eye(m), np.copy(a)
    for j in np.range(np.min([m - 1, n])):
        v = r[j:, j]
        length = np.linalg.norm(v)
        if np.linalg.norm(v[1:]) == 0:
            continue
        v[0] = v[0] + (length if v[0] >= 0 else -length)
        v = v / np.linalg.norm(v)
        r[j:] = r[j:] - 2 * np.outer(v, v @ r[j:])
        q[:, j:] = q[:, j:] - 2 * np.outer(q[:, j:] @ v, v)
    r = np.triu(r)
    if mode == "r":
        return r[:np.min([m, n])]
    return (q, r) if mode == "complete" else (q[:, :np.min([m, n])], r[:np.min([m, n])])


# ---- histograms ----

def histogram_bin_edges(a, bins, range):
    return np.histogram(a, bins, range)[1]

def histogram2d(x, y, bins):
    two = np.isinstance(bins, (np.list, np.tuple)) and np.len(bins) == 2
    edges_x = np.histogram(x, bins[0] if two else bins)[1]
    edges_y = np.histogram(y, bins[1] if two else bins)[1]
    last = edges_x[-1]
    row_of = np.where(x == last, np.len(edges_x) - 1, np.searchsorted(edges_x, x, "right")) - 1
    rows = [np.histogram(y[row_of == i], edges_y)[0] for i in np.range(np.len(edges_x) - 1)]
    return np.array(rows), edges_x, edges_y


# ---- other names ----

def array_str(a):
    return np.str(a)


# ---- numbers ----

def is_integer(x):
    return (x == np.floor(x)) & np.isfinite(x)

def bit_length(x):
    return np.where(x == 0, 0, np.frompyfunc(lambda n: np.len(f"{np.abs(n):b}"), 1, 1)(x))

def fsum(seq):
    partials = []
    for x in seq:
        kept = []
        for y in partials:
            total = x + y
            of_y = total - x
            lost = (x - (total - of_y)) + (y - of_y)
            if lost != 0:
                kept.append(lost)
            x = total
        partials = [*kept, x]
    total = 0
    for x in np.reversed(partials):
        total = total + x
    return total

def frompyfunc(func, nin, nout):
    return np.vectorize(func)


# ---- functions that change their first argument: they give what it becomes ----

def fill_diagonal(a, val, wrap):
    step = 1 + np.sum(np.cumprod(a.shape[1:]))
    end = a.size if wrap or a.ndim > 2 else np.minimum(a.size, a.shape[1] * a.shape[1])
    places = np.arange(0, end, step)
    flat = a.reshape(-1)
    flat[places] = np.resize(val, len(places))
    return flat.reshape(a.shape)

def copyto(dst, src, where):
    return np.where(where, np.broadcast_to(src, dst.shape), dst)

def putmask(a, mask, values):
    return np.where(mask, np.resize(values, a.shape), a)

def place(arr, mask, vals):
    arr[np.nonzero(mask)] = np.resize(vals, np.count_nonzero(mask))
    return arr

def put(a, ind, v):
    flat = np.ravel(a)
    flat[ind] = np.resize(v, ind.shape)
    return np.reshape(flat, a.shape)


# ---- indexed ----

def c_():
    class Columns:
        def __getitem__(self, key):
            parts = key if np.isinstance(key, np.tuple) else (key,)
            parts = [np.r_[part] if np.isinstance(part, np.slice) else part for part in parts]
            return np.column_stack(parts)
    return Columns()

def r_():
    class Rows:
        def __getitem__(self, key):
            parts = []
            for part in key if np.isinstance(key, np.tuple) else (key,):
                if np.isinstance(part, np.slice):
                    start = 0 if part.start is None else part.start
                    part = np.arange(start, part.stop, 1 if part.step is None else part.step)
                parts.append(np.atleast_1d(part))
            return np.concatenate(parts)
    return Rows()

def s_():
    class Subscripts:
        def __getitem__(self, key):
            return key
    return Subscripts()

def mgrid():
    class Grid:
        def __getitem__(self, key):
            if not np.isinstance(key, np.tuple):
                return np.r_[key]
            return np.stack(np.meshgrid(*[np.r_[part] for part in key], indexing="ij"))
    return Grid()

def ogrid():
    class Grid:
        def __getitem__(self, key):
            if not np.isinstance(key, np.tuple):
                return np.r_[key]
            axes = np.len(key)
            return [np.reshape(np.r_[part], [-1 if j == i else 1 for j in np.range(axes)])
                    for i, part in np.enumerate(key)]
    return Grid()


# ---- random numbers ----

def random_sample(size):
    return np.random.random(size)

def ranf(size):
    return np.random.random(size)

def lognormal(mean, sigma, size):
    return np.exp(np.random.normal(mean, sigma, size))
