"""Functions of the library that are compositions of others: each is a row of the library. The types
of its parameters, from lang/builtin.h, and their defaults stand where Python has annotations, and
the docstring is its page of help:
    what it does, in one paragraph
    receiver: string, where it is a method, whose object is its first argument
    shapes: x (n,) -> (m,)
    formula: Σᵢ xᵢ
    changes: x, where the function gives what its first argument becomes, an array in a variable
    indexed: with brackets, where what the function gives is indexed, np.c_[a]
    see: other names; a line that goes on is indented
    >>> an example
    and what it shows
A heading is the group of the functions below it.
All names stand behind np., which means the builtins of the language, also those that NumPy has not:
a user's variable may have the name. The functions see nothing else of this file."""
import numpy as np


# ---- make ----

def asanyarray(a: array):
    """An array of the numbers: another name of asarray.
    see: asarray
    >>> asanyarray([1, 2])
    [1, 2]
    """
    return np.asarray(a)

def ascontiguousarray(a: array):
    """An array of at least one axis; all arrays are contiguous here.
    see: asarray
    >>> ascontiguousarray(3)
    [3]
    """
    return np.atleast_1d(a)

def geomspace(start: number, stop: number, num: whole = 50, endpoint: bool = True):
    """Numbers with equal ratios, from start to stop.
    shapes: -> (num,)
    see: logspace linspace
    >>> geomspace(1, 8, 4)
    [1, 2, 4, 8]
    """
    if start == 0 or stop == 0:
        raise ValueError("a geometric sequence cannot include 0")
    sign = -1 if start < 0 else 1
    points = sign * np.exp(np.linspace(np.log(sign * start), np.log(sign * stop), num, endpoint))
    if num > 0:
        points[0] = start
    if endpoint and num > 1:
        points[-1] = stop
    return points

def indices(dimensions: shape):
    """The index of each element along each axis.
    shapes: -> (axes, ...)
    see: meshgrid fromfunction
    >>> indices((2, 2))
    [[[0, 0],
      [1, 1]],

     [[0, 1],
      [0, 1]]]
    """
    return np.stack(np.meshgrid(*[np.arange(n) for n in dimensions], indexing="ij"))

def fromiter(iter: any, dtype: any = None, count: whole = -1):
    """An array of what a list or iterator gives.
    shapes: -> (n,)
    see: array fromfunction
    >>> fromiter([1, 4, 9], float)
    [1, 4, 9]
    """
    items = np.list(iter)
    return np.array(items if count < 0 else items[:count], dtype)

def bartlett(M: whole):
    """A window that rises to 1 in the middle in straight lines.
    shapes: -> (M,)
    see: hanning hamming blackman
    >>> bartlett(5)
    [0, 0.5, 1, 0.5, 0]
    """
    return 1 - np.abs(np.linspace(-1, 1, M)) if M > 1 else np.ones(M)

def hanning(M: whole):
    """A window of a raised cosine, 0 at both ends.
    shapes: -> (M,)
    see: hamming bartlett blackman
    >>> hanning(5)
    [0, 0.5, 1, 0.5, 0]
    """
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(M) / (M - 1)) if M > 1 else np.ones(M)

def hamming(M: whole):
    """A window of a raised cosine, 0.08 at both ends.
    shapes: -> (M,)
    see: hanning bartlett blackman
    >>> hamming(3)
    [0.08, 1, 0.08]
    """
    return 0.54 - 0.46 * np.cos(2 * np.pi * np.arange(M) / (M - 1)) if M > 1 else np.ones(M)

def blackman(M: whole):
    """A window of two cosines, 0 at both ends.
    shapes: -> (M,)
    see: hanning hamming bartlett
    >>> blackman(3)[1]
    1
    """
    if M <= 1:
        return np.ones(M)
    t = 2 * np.pi * np.arange(M) / (M - 1)
    return 0.42 - 0.5 * np.cos(t) + 0.08 * np.cos(2 * t)

def triu_indices_from(arr: array, k: whole = 0):
    """The rows and columns of the upper triangle of a matrix.
    see: triu_indices triu
    >>> triu_indices_from(eye(2))
    ([0, 0, 1], [0, 1, 1])
    """
    return np.nonzero(np.triu(np.ones(arr.shape), k))

def tril_indices_from(arr: array, k: whole = 0):
    """The rows and columns of the lower triangle of a matrix.
    see: tril_indices tril
    >>> tril_indices_from(eye(2))
    ([0, 1, 1], [0, 0, 1])
    """
    return np.nonzero(np.tril(np.ones(arr.shape), k))

def frompyfunc(func: function, nin: whole = 1, nout: whole = 1):
    """A function of numbers made one of arrays: another name of vectorize.
    see: vectorize
    >>> frompyfunc(lambda n: n + 1, 1, 1)([1, 2])
    [2, 3]
    """
    return np.vectorize(func)

def mgrid():
    """The coordinates of a grid, from slices: np.mgrid[0:2, 0:3] has a row of indices for each
    axis.
    indexed: with brackets
    see: ogrid meshgrid indices
    >>> np.mgrid[0:2, 0:2][0]
    [[0, 0],
     [1, 1]]
    """
    class Grid:
        def __getitem__(self, key):
            if not np.isinstance(key, np.tuple):
                return np.r_[key]
            return np.stack(np.meshgrid(*[np.r_[part] for part in key], indexing="ij"))
    return Grid()

def ogrid():
    """The same as mgrid, but each axis as a narrow array, which broadcasts.
    indexed: with brackets
    see: mgrid meshgrid
    >>> [a.shape for a in np.ogrid[0:2, 0:3]]
    [(2, 1), (1, 3)]
    """
    class Grid:
        def __getitem__(self, key):
            if not np.isinstance(key, np.tuple):
                return np.r_[key]
            axes = np.len(key)
            return [np.reshape(np.r_[part], [-1 if j == i else 1 for j in np.range(axes)])
                    for i, part in np.enumerate(key)]
    return Grid()

def random_sample(size: shape | None = None):
    """Random numbers, evenly spread from 0 up to 1: another name of random.
    see: random rand
    >>> np.random.random_sample((2, 3)).shape
    (2, 3)
    """
    return np.random.random(size)

def ranf(size: shape | None = None):
    """Random numbers, evenly spread from 0 up to 1: another name of random.
    see: random rand
    >>> np.random.ranf(3).shape
    (3,)
    """
    return np.random.random(size)

def lognormal(mean: number = 0, sigma: number = 1, size: shape | None = None):
    """Random numbers whose logarithms are normal.
    see: normal
    >>> np.random.lognormal(0, 1, 3).shape
    (3,)
    """
    return np.exp(np.random.normal(mean, sigma, size))

def diag(v: array, k: whole = 0):
    """From a vector: the square matrix that has it on the diagonal. From a matrix: its diagonal. k
    chooses a diagonal above (k > 0) or below (k < 0).
    shapes: v (n,) -> (n, n);  v (m, n) -> (min(m, n),)
    see: eye tril triu
    >>> diag([1, 2])
    [[1, 0],
     [0, 2]]
    >>> diag([[1, 2], [3, 4]])
    [1, 4]
    """
    if v.ndim == 2:
        rows, columns = v.shape
        i = np.arange(np.max([0, -k]), np.min([rows, columns - k]))
        return v[i, i + k]
    if v.ndim != 1:
        raise shape(f"diag takes a vector or a matrix, not an array of {v.ndim} axes")
    n = v.size + np.abs(k)
    result = np.zeros((n, n), v.dtype)
    i = np.arange(v.size)
    result[i + np.max([0, -k]), i + np.max([0, k])] = v
    return result

def meshgrid(*xi: array, indexing: text = "xy", sparse: bool = False):
    """The coordinates of a grid: for each vector an array in which it runs along one axis. With
    "xy" the first runs along the columns, with "ij" the first is the first axis. sparse=True leaves
    the other axes at size 1.
    shapes: (n,), (m,) -> list of two (m, n)
    see: linspace arange
    >>> x, y = meshgrid([1, 2, 3], [10, 20])
    >>> x + y
    [[11, 12, 13],
     [21, 22, 23]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f'indexing is "xy" or "ij", not "{indexing}"')
    n = np.len(xi)
    axes = [1 - i if indexing == "xy" and i < 2 <= n else i for i in np.range(n)]
    grids = [np.reshape(x, (1,) * i + (-1,) + (1,) * (n - 1 - i)) for i, x in np.zip(axes, xi)]
    if sparse:
        return grids
    size = [xi[i].size for i in axes]
    return [np.broadcast_to(grid, size) for grid in grids]

def identity(n: whole, dtype: any = None):
    """The identity matrix; NumPy's other name of eye.
    shapes: -> (n, n)
    see: eye diag
    >>> identity(2)
    [[1, 0],
     [0, 1]]
    """
    return np.eye(n, dtype=dtype)

def tri(N: whole, M: whole | None = None, k: number = 0, dtype: any = None):
    """Ones on and below the diagonal, zeros above it. k moves the border up (k > 0) or down.
    shapes: -> (N, M)
    formula: outᵢⱼ = 1 where j ≤ i + k, else 0
    see: tril causal_mask
    >>> tri(3)
    [[1, 0, 0],
     [1, 1, 0],
     [1, 1, 1]]
    """
    return np.tril(np.ones((N, N if M is None else M), dtype=dtype), k)

def logspace(start: number, stop: number, num: whole = 50, endpoint: bool = True,
             base: number = 10, dtype: any = None):
    """num numbers whose logarithms are evenly spaced, from 10**start to 10**stop: good for trying
    temperatures.
    shapes: -> (num,)
    formula: base ** linspace(start, stop, num)
    see: linspace
    >>> logspace(-1, 2, 4)
    [0.1, 1, 10, 100]
    """
    points = base ** np.linspace(start, stop, num, endpoint)
    return points if dtype is None else points.astype(dtype)

def result_type(*arrays_and_dtypes: any):
    """The type in which arrays, and types that are named, are computed together.
    see: astype finfo
    >>> result_type(ones(2, "float32"), "float64")
    'float64'
    >>> result_type(float32, "bool")
    'float32'
    """
    parts = [np.zeros(1, x) if np.callable(x) or np.isinstance(x, np.str) else np.ravel(x)
             for x in arrays_and_dtypes]
    return np.concatenate(parts).dtype

def finfo(dtype: any = None):
    """A record of what numbers of a type can be: eps, the step at 1, the largest and the smallest.
    float64 unless another type is named.
    see: iinfo float64
    >>> finfo(float64).eps == 2 ** -52
    True
    """
    single = np.zeros(0, dtype).dtype == "float32"
    most = (2 - 2 ** -23) * 2 ** 127 if single else (2 - 2 ** -52) * 2 ** 1023
    least = 2 ** -126 if single else 2 ** -1022
    return np.record(bits=32 if single else 64, eps=2 ** -23 if single else 2 ** -52,
                     max=most, min=-most, tiny=least, smallest_normal=least,
                     resolution=1e-6 if single else 1e-15)

def seterr(**options: any):
    """Does nothing: 1/0 is inf here without a warning. It is there for pasted code.
    see: isfinite
    >>> seterr(divide="ignore")
    """
    pass

# ---- shape ----

def ndim(a: array):
    """How many axes there are.
    see: shape
    >>> ndim(zeros((2, 3)))
    2
    """
    return a.ndim

def rollaxis(a: array, axis: whole, start: whole = 0):
    """An axis moved to before another one.
    see: moveaxis transpose
    >>> shape(rollaxis(zeros((2, 3, 4)), 2))
    (4, 2, 3)
    """
    axis = axis + a.ndim if axis < 0 else axis
    start = start + a.ndim if start < 0 else start
    return np.moveaxis(a, axis, start - 1 if axis < start else start)

def dsplit(ary: array, indices_or_sections: any):
    """Parts of an array along its third axis.
    shapes: ary (m, n, k)
    see: split hsplit vsplit
    >>> len(dsplit(zeros((2, 2, 4)), 2))
    2
    """
    return np.split(ary, indices_or_sections, axis=2)

def diagflat(v: array, k: whole = 0):
    """A matrix with the elements of v on its diagonal.
    see: diag
    >>> diagflat([[1, 2]])
    [[1, 0],
     [0, 2]]
    """
    return np.diag(np.ravel(v), k)

def block(arrays: list):
    """One array from blocks: the lists inside are joined side by side, those outside one below the
    other.
    see: hstack vstack concatenate
    >>> block([[eye(2), ones((2, 1))], [zeros((1, 2)), 5]])
    [[1, 0, 1],
     [0, 1, 1],
     [0, 0, 5]]
    """
    if np.len(arrays) > 0 and np.isinstance(arrays[0], np.list):
        return np.vstack([np.hstack([np.atleast_2d(part) for part in row]) for row in arrays])
    return np.hstack(arrays)

def nditer(op: any, flags: any = None, op_flags: any = None, order: text = "K"):
    """The numbers of an array one after the other, for a loop: as flatten gives them; of a list of
    arrays tuples of their numbers, where the arrays are repeated to the shape that they have
    together. With flags=["multi_index"] or ["c_index"], it[0] is the number, it.multi_index and
    it.index are where it is, and until it.finished it.iternext() goes on. With
    flags=["external_loop"] all come at once, as an array.
    see: flatten ndenumerate broadcast_arrays
    >>> [x for x in nditer(array([[1, 2], [3, 4]]))]
    [1, 2, 3, 4]
    >>> [(x, y) for x, y in nditer([array([1, 2]), 5])]
    [(1, 5), (2, 5)]
    """
    if flags and ("multi_index" in flags or "c_index" in flags):
        array = np.asarray(op)
        class Places:
            at = -1
            def __getattr__(self, name):
                at = np.max([self.at, 0])
                if name == "finished":
                    return at >= array.size
                if name == "multi_index" and at < array.size:
                    return np.tuple([np.int(i) for i in np.unravel_index(at, array.shape)])
                if name == "index":
                    return at
                raise AttributeError(f"nditer has finished, index and multi_index here, not {name}")
            def __getitem__(self, i):
                return array[self.multi_index]
            def iternext(self):
                self.at = np.max([self.at, 0]) + 1
                return not self.finished
            def __iter__(self):
                return self
            def __next__(self):
                self.at = self.at + 1
                if self.finished:
                    raise StopIteration()
                return array[self.multi_index]
        return Places()
    if op_flags and "write" in np.str(op_flags):
        raise NotImplementedError("what nditer gives does not change the array. Write A = f(A), "
                                  "or A[i] = x.")
    operands = op if np.isinstance(op, (np.list, np.tuple)) else [op]
    numbers = [a.flatten(order) for a in np.broadcast_arrays(*operands)]
    if flags and "external_loop" in flags:
        return [np.tuple(numbers) if np.len(numbers) > 1 else numbers[0]]
    return numbers[0] if np.len(numbers) == 1 else np.list(np.zip(*numbers))

def as_strided(x: array, shape: shape | None = None, strides: shape | None = None):
    """The numbers of an array in another arrangement, which may take them several times: strides
    are the bytes from one element along an axis to the next, as in x.strides. It is a copy.
    shapes: x (…) -> shape
    see: sliding_window_view reshape
    >>> as_strided(arange(4), (3, 2), (8, 8))
    [[0, 1],
     [1, 2],
     [2, 3]]
    """
    shape = x.shape if shape is None else shape
    strides = x.strides if strides is None else strides
    if np.len(shape) != np.len(strides):
        raise ValueError(f"shape has {np.len(shape)} axes and strides has {np.len(strides)}")
    places = 0
    for size, stride in np.zip(shape, strides):
        places = np.expand_dims(places, -1) + np.arange(size) * stride / x.itemsize
    return np.ravel(x)[places]

def sliding_window_view(x: array, window_shape: shape, axis: axis = None):
    """Each part of an array that has the shape of a window, in its last axes. It is a copy.
    shapes: x (n,) -> (n - width + 1, width)
    see: as_strided convolve
    >>> sliding_window_view(arange(4), 3)
    [[0, 1, 2],
     [1, 2, 3]]
    """
    axes = np.list(np.range(x.ndim)) if axis is None else np.list(np.atleast_1d(axis))
    if np.len(axes) != np.len(window_shape):
        raise ValueError(f"the window has {np.len(window_shape)} axes, and slides along "
                         f"{np.len(axes)}")
    sizes = np.list(x.shape)
    strides = np.list(x.strides)
    for along, width in np.zip(axes, window_shape):
        strides.append(x.strides[along])
        sizes[along] = sizes[along] - width + 1
        if sizes[along] < 1:
            raise ValueError("the window is larger than the array")
        sizes.append(width)
    return np.as_strided(x, sizes, strides)

def broadcast_arrays(*args: array):
    """Arrays repeated to the shape that they have together.
    see: broadcast_to broadcast_shapes
    >>> [a.shape for a in broadcast_arrays(ones((2, 1)), ones(3))]
    [(2, 3), (2, 3)]
    """
    shape = np.broadcast_shapes(*[np.shape(a) for a in args])
    return [np.broadcast_to(a, shape) for a in args]

def broadcast_shapes(*shapes: shape):
    """The shape to which these shapes broadcast.
    see: broadcast_arrays broadcast_to
    >>> broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    whole = np.zeros(())
    for shape in shapes:
        whole = whole + np.zeros(shape)
    return whole.shape

def trim_zeros(filt: array, trim: text = "fb"):
    """A vector without the zeros at its front ("f") and back ("b").
    shapes: filt (n,) -> (m,)
    see: nonzero
    >>> trim_zeros([0, 1, 0, 2, 0])
    [1, 0, 2]
    """
    kept = np.nonzero(filt)[0]
    if np.len(kept) == 0:
        return filt[:0]
    begin = kept[0] if "f" in trim.lower() else 0
    end = kept[-1] + 1 if "b" in trim.lower() else np.len(filt)
    return filt[np.int(begin):np.int(end)]

def ravel_multi_index(multi_index: any, dims: shape):
    """The index in the flattened array of an element with these indices.
    see: unravel_index ravel
    >>> ravel_multi_index((1, 2), (2, 3))
    5
    """
    place = 0
    for i, n in np.zip(multi_index, dims):
        place = place * n + np.arange(n)[i]
    return place

def compress(condition: array, a: array, axis: whole | None = None):
    """The elements, or slices along an axis, where the condition is true.
    see: extract take
    >>> compress([True, False, True], [1, 2, 3])
    [1, 3]
    """
    kept = np.nonzero(condition)[0]
    return np.ravel(a)[kept] if axis is None else np.take(a, kept, axis)

def extract(condition: array, arr: array):
    """The elements of arr where the condition is true: arr[condition].
    see: compress where
    >>> extract([True, False, True], [1, 2, 3])
    [1, 3]
    """
    return np.ravel(arr)[np.nonzero(np.ravel(condition))[0]]

def c_():
    """Puts vectors and matrices side by side as columns: np.c_[a, b], with brackets.
    indexed: with brackets
    see: column_stack r_
    >>> np.c_[[1, 2], [3, 4]]
    [[1, 3],
     [2, 4]]
    """
    class Columns:
        def __getitem__(self, key):
            parts = key if np.isinstance(key, np.tuple) else (key,)
            parts = [np.r_[part] if np.isinstance(part, np.slice) else part for part in parts]
            return np.column_stack(parts)
    return Columns()

def r_():
    """Joins numbers, vectors and ranges written as slices: np.r_[a, 0, 1:4], with brackets.
    indexed: with brackets
    see: concatenate c_
    >>> np.r_[0, [5, 6], 1:4]
    [0, 5, 6, 1, 2, 3]
    """
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
    """What is in its brackets, as an index to keep: part = np.s_[1:3]; x[part].
    indexed: with brackets
    see: ix_
    >>> part = np.s_[1:3]; [5, 6, 7, 8][part]
    [6, 7]
    """
    class Subscripts:
        def __getitem__(self, key):
            return key
    return Subscripts()

def fill_diagonal(a: any, val: array, wrap: bool = False):
    """Changes the diagonal of a matrix in a variable to a number, or to the numbers of a vector.
    changes: a
    see: diag eye
    >>> A = zeros((2, 2)); fill_diagonal(A, 5); A
    [[5, 0],
     [0, 5]]
    """
    step = 1 + np.sum(np.cumprod(a.shape[1:]))
    end = a.size if wrap or a.ndim > 2 else np.minimum(a.size, a.shape[1] * a.shape[1])
    places = np.arange(0, end, step)
    flat = a.reshape(-1)
    flat[places] = np.resize(val, len(places))
    return flat.reshape(a.shape)

def copyto(dst: any, src: array, where: array = 1):
    """Changes an array in a variable to the numbers of another one, or only where a mask is true.
    changes: dst
    see: where putmask
    >>> A = zeros(3); copyto(A, [1, 2, 3], where=array([True, False, True])); A
    [1, 0, 3]
    """
    dst[...] = np.where(where, np.broadcast_to(src, dst.shape), dst)
    return dst

def putmask(a: any, mask: array, values: array):
    """Changes the elements of an array where a mask is true to those of another array at the same
    places.
    changes: a
    see: where place
    >>> A = array([1, 2, 3]); putmask(A, A > 1, 0); A
    [1, 0, 0]
    """
    a[...] = np.where(mask, np.resize(values, a.shape), a)
    return a

def place(arr: any, mask: array, vals: array):
    """Changes the elements of an array where a mask is true to these numbers, one after the other.
    changes: arr
    see: putmask where
    >>> A = array([1, 2, 3]); place(A, A > 1, [8, 9]); A
    [1, 8, 9]
    """
    arr[np.nonzero(mask)] = np.resize(vals, np.count_nonzero(mask))
    return arr

def put(a: any, ind: array, v: array):
    """Changes the elements of an array at indices of its flattened order.
    changes: a
    see: place take
    >>> A = zeros((2, 2)); put(A, [0, 3], [1, 2]); A
    [[1, 0],
     [0, 2]]
    """
    flat = np.ravel(a)
    flat[ind] = np.resize(v, ind.shape)
    return np.reshape(flat, a.shape)

def append(arr: array, values: array, axis: axis = None):
    """An array with others behind it; without axis both are read row by row. The array itself stays
    as it is: xs.append(v) changes a list.
    shapes: (n, d), (m, d) -> (n + m, d) with axis=0
    see: concatenate insert
    >>> np.append([1, 2], 3)
    [1, 2, 3]
    """
    if axis is None:
        return np.concatenate([np.ravel(arr), np.ravel(values)])
    return np.concatenate([arr, values], axis)

def insert(arr: array, obj: array, values: array, axis: axis = None):
    """An array with values put in before an index, or before several; without axis it is read row
    by row.
    shapes: (n, d), values (k, d) -> (n + k, d) with axis=0
    see: append delete
    >>> np.insert([1, 4], 1, [2, 3])
    [1, 2, 3, 4]
    """
    if axis is None:
        arr, axis = np.ravel(arr), 0
    n = arr.shape[axis]
    places = np.nonzero(obj)[0] if obj.dtype == "bool" else np.ravel(obj)
    places = np.where(places < 0, places + n, places)
    if not np.all((places >= 0) & (places <= n) & (places == np.floor(places))):
        raise ValueError(f"index {obj} is out of range for an axis of size {n}")
    if values.ndim < arr.ndim:
        values = np.reshape(values, (1,) * (arr.ndim - values.ndim) + values.shape)
    if obj.ndim == 0:
        values = np.moveaxis(values, 0, axis)
    size = np.list(arr.shape)
    size[axis] = values.shape[axis] if places.size == 1 else places.size
    values = np.broadcast_to(values, size)
    before = np.concatenate([np.arange(n), np.broadcast_to(places, (size[axis],)) - 0.5])
    return np.take(np.concatenate([arr, values], axis), np.argsort(before), axis)

def delete(arr: array, obj: array, axis: axis = None):
    """An array without the elements at an index, at several, or where a mask is true; with axis=0
    without these rows.
    shapes: (n, d) -> (n − k, d) with axis=0
    see: insert take
    >>> np.delete([1, 2, 3], 1)
    [1, 3]
    """
    if axis is None:
        arr = np.ravel(arr)
    kept = np.ones(arr.shape[0 if axis is None else axis]) == 1
    kept[obj] = False
    return arr[kept] if axis is None else np.compress(kept, arr, axis)

def flipud(m: array):
    """The rows from the last to the first.
    shapes: m (n, …) -> (n, …)
    see: flip fliplr rot90
    >>> flipud([[1, 2], [3, 4]])
    [[3, 4],
     [1, 2]]
    """
    return np.flip(m, 0)

def fliplr(m: array):
    """The columns from the last to the first.
    shapes: m (n, m, …) -> (n, m, …)
    see: flip flipud rot90
    >>> fliplr([[1, 2], [3, 4]])
    [[2, 1],
     [4, 3]]
    """
    return np.flip(m, 1)

def rot90(m: array, k: whole = 1, axes: axis = None):
    """The matrix turned by k quarters against the clock, in the plane of the first two axes or of
    those that axes=(i, j) names.
    shapes: m (n, m) -> (m, n)
    see: flip transpose
    >>> rot90([[1, 2], [3, 4]])
    [[2, 4],
     [1, 3]]
    """
    axes = np.ravel((0, 1) if axes is None else axes)
    if m.ndim < 2 or axes.size != 2 or axes[0] % m.ndim == axes[1] % m.ndim:
        raise ValueError("rot90 turns in the plane of two axes")
    for _ in np.range(k % 4):
        m = np.swapaxes(np.flip(m, axes[1]), axes[0], axes[1])
    return m

def diagonal(a: array, offset: whole = 0, axis1: whole = 0, axis2: whole = 1):
    """The diagonal of a matrix, or of each in a stack, as the last axis. offset=1 is the one above
    it.
    shapes: a (n, m) -> (min(n, m),)
    see: diag trace
    >>> diagonal([[1, 2], [3, 4]])
    [1, 4]
    """
    front = np.moveaxis(a, (axis1, axis2), (0, 1))
    rows, columns = front.shape[:2]
    i = np.arange(np.max([0, -offset]), np.min([rows, columns - offset]))
    return np.moveaxis(front[i, i + offset], 0, -1)

def trace(a: array, offset: whole = 0, axis1: whole = 0, axis2: whole = 1):
    """The sum of the elements on the diagonal of a matrix; of an array with further axes, for each
    place along those.
    shapes: (m, n) -> a number;  (m, n, …) -> (…)
    formula: Σᵢ aᵢᵢ
    see: diagonal det
    >>> trace([[1, 2], [3, 4]])
    5
    """
    if a.ndim < 2:
        raise shape(f"trace takes a matrix, but this is {a.shape}")
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1)

def resize(a: array, new_shape: shape):
    """An array of another shape, filled with the elements of a, again and again.
    shapes: a (…) -> new_shape
    see: reshape tile
    >>> resize([1, 2, 3], (2, 2))
    [[1, 2],
     [3, 1]]
    """
    result = np.zeros(new_shape)
    if a.size == 0:
        return result
    return np.reshape(np.ravel(a)[np.arange(result.size) % a.size], new_shape)

def pad(array: array, pad_width: array, mode: text = "constant", *, constant_values: array = 0):
    """The array with a border: pad_width places at each end of each axis, or a pair (before,
    after), or such a pair for each axis. mode="constant" fills it with constant_values, "edge"
    repeats the outermost element, "reflect" and "symmetric" mirror the array without and with it,
    "wrap" goes round, "maximum", "minimum", "mean" and "median" are those of the axis.
    shapes: array (n, m) -> (before + n + after, …)
    see: concatenate tile padding_mask
    >>> pad([1, 2], 1)
    [0, 1, 2, 0]
    >>> pad([1, 2, 3], (0, 2), "reflect")
    [1, 2, 3, 2, 1]
    >>> pad([[1, 2]], ((0, 1), (0, 0)))
    [[1, 2],
     [0, 0]]
    """
    if not np.all((pad_width >= 0) & (pad_width == np.floor(pad_width))):
        raise ValueError(f"pad_width is {pad_width}, which is no number of places")
    reductions = {"maximum": np.max, "minimum": np.min, "mean": np.mean, "median": np.median}
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap") and mode not in reductions:
        raise ValueError(f'pad has no mode "{mode}": known are constant, edge, reflect, symmetric, '
                         "wrap, maximum, minimum, mean and median")
    widths = np.broadcast_to(pad_width, (array.ndim, 2))
    if mode == "constant" and constant_values.ndim == 0:
        inside = [np.slice(before, before + n)
                  for (before, after), n in np.zip(widths, array.shape)]
        size = [before + n + after for (before, after), n in np.zip(widths, array.shape)]
        result = np.full(size, constant_values, array.dtype)
        result[np.tuple(inside)] = array
        return result
    numbers = np.broadcast_to(constant_values, (array.ndim, 2))
    for axis, (before, after) in np.enumerate(widths):
        n = array.shape[axis]
        if n == 0 and mode != "constant" and before + after > 0:
            raise ValueError(f"axis {axis} has no elements to fill a border with")
        if mode == "constant" or mode in reductions:
            borders = []
            for width, number in ((before, numbers[axis, 0]), (after, numbers[axis, 1])):
                if mode != "constant":
                    number = reductions[mode](array, axis=axis, keepdims=True)
                size = np.list(array.shape)
                size[axis] = width
                borders.append(np.full(size, number, array.dtype))
            array = np.concatenate([borders[0], array, borders[1]], axis)
            continue
        i = np.arange(-before, n + after)
        if mode == "edge":
            i = np.clip(i, 0, n - 1)
        elif mode == "wrap":
            i = i % n
        elif mode == "symmetric":
            i = i % (2 * n)
            i = np.minimum(i, 2 * n - 1 - i)
        else:
            i = i % np.max([2 * n - 2, 1])
            i = np.minimum(i, 2 * n - 2 - i) if n > 1 else i
        array = np.take(array, i, axis)
    return array

def vstack(tup: list):
    """Puts arrays one below the other; vectors are rows. [A; B] does the same, and [A, B; C, D]
    puts four together.
    shapes: (n,), (n,) -> (2, n);  (k, n), (m, n) -> (k + m, n)
    see: hstack column_stack concatenate stack
    >>> vstack([[1, 2], [3, 4]])
    [[1, 2],
     [3, 4]]
    """
    return np.concatenate([np.atleast_2d(part) for part in tup])

def row_stack(tup: list):
    """Puts arrays one below the other: another name of vstack.
    shapes: (n,), (n,) -> (2, n)
    see: vstack
    >>> row_stack([[1, 2], [3, 4]])
    [[1, 2],
     [3, 4]]
    """
    return np.vstack(tup)

def hstack(tup: list):
    """Puts matrices side by side, and vectors end to end.
    shapes: (n,), (m,) -> (n + m,);  (k, n), (k, m) -> (k, n + m)
    see: vstack column_stack concatenate
    >>> hstack(([1, 2], [3]))
    [1, 2, 3]
    >>> hstack([eye(2), ones((2, 1))])
    [[1, 0, 1],
     [0, 1, 1]]
    """
    parts = [np.atleast_1d(part) for part in tup]
    return np.concatenate(parts, 1 if parts and parts[0].ndim > 1 else 0)

def column_stack(tup: list):
    """Puts vectors side by side as the columns of a matrix.
    shapes: (n,), (n,) -> (n, 2)
    see: vstack hstack stack
    >>> column_stack([[1, 2], [3, 4]])
    [[1, 3],
     [2, 4]]
    """
    return np.concatenate([part if np.ndim(part) > 1 else np.reshape(part, (-1, 1))
                           for part in tup], 1)

def dstack(tup: list):
    """Joins matrices along a third axis, as the layers of a picture.
    shapes: (n, m), (n, m) -> (n, m, 2)
    see: stack hstack
    >>> dstack([[1, 2], [3, 4]]).shape
    (1, 2, 2)
    """
    return np.concatenate([np.atleast_3d(part) for part in tup], 2)

def split(ary: array, indices_or_sections: any, axis: whole = 0):
    """Cuts an array into a list of parts: a number says how many equal ones, a list says before
    which indices to cut.
    shapes: ary (n, …) -> list of (n/k, …)
    see: concatenate stack array_split
    >>> a, b = split([1, 2, 3, 4], 2)
    >>> b
    [3, 4]
    >>> len(split(arange(7), [2, 5]))
    3
    """
    parts = np.array_split(ary, indices_or_sections, axis)
    by_number = np.isinstance(indices_or_sections, (np.int, np.float))
    if by_number and parts[0].shape != parts[-1].shape:
        n = np.sum([part.shape[axis] for part in parts])
        raise ValueError(f"{n} cannot be split into {indices_or_sections} equal parts: a list says "
                         "where to cut, as split(A, [2, 5]) does before 2 and before 5")
    return parts

def array_split(ary: array, indices_or_sections: any, axis: whole = 0):
    """Cuts an array into a number of parts, of which the first may be longer by one.
    shapes: ary (n, …) -> list of (n/k, …)
    see: split
    >>> a, b = array_split([1, 2, 3], 2)
    >>> a
    [1, 2]
    """
    if not -ary.ndim <= axis < ary.ndim:
        raise ValueError(f"there is no axis {axis}: {ary.shape} has {ary.ndim}")
    n, cuts = ary.shape[axis], indices_or_sections
    if np.isinstance(cuts, (np.int, np.float)):
        parts = cuts
        if parts < 1 or parts != np.floor(parts):
            raise ValueError(f"cannot split into {parts} parts")
        cuts = [n // parts * i + np.min([i, n % parts]) for i in np.range(1, parts)]
    before = (np.slice(None),) * (axis % ary.ndim)
    return [ary[before + (np.slice(begin, end),)]
            for begin, end in np.zip([0, *cuts], [*cuts, None])]

def vsplit(ary: array, indices_or_sections: any):
    """Cuts an array into parts one below the other: split along axis 0.
    shapes: ary (n, …) -> list of (n/k, …)
    see: split hsplit
    >>> a, b = vsplit([[1, 2], [3, 4]], 2)
    >>> b
    [[3, 4]]
    """
    return np.split(ary, indices_or_sections, 0)

def hsplit(ary: array, indices_or_sections: any):
    """Cuts an array into parts side by side: split along axis 1, of a vector axis 0.
    shapes: ary (n, m) -> list of (n, m/k)
    see: split vsplit
    >>> a, b = hsplit([[1, 2], [3, 4]], 2)
    >>> b
    [[2],
     [4]]
    """
    return np.split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)

def ndenumerate(arr: array):
    """The elements of an array, each as a tuple of its index and itself.
    see: enumerate ndindex
    >>> for place, x in ndenumerate([[1, 2]]): print(place, x)
    (0, 0) 1
    (0, 1) 2
    """
    return np.list(np.zip(np.ndindex(arr.shape), np.ravel(arr)))

def ndindex(shape: shape | None = None, *more: whole):
    """The indices of all elements of an array of this shape, as tuples.
    see: ndenumerate
    >>> ndindex(1, 2)
    [(0, 0), (0, 1)]
    """
    places = [()]
    for n in (() if shape is None else shape) + more:
        if n < 0:
            raise ValueError(f"a size of {n}: sizes cannot be negative")
        places = [(*place, i) for place in places for i in np.range(n)]
    return places

def triu_indices(n: whole, k: number = 0, m: whole | None = None):
    """The indices of the upper triangle of a matrix: a tuple of rows and columns.
    shapes: -> (count,), (count,)
    see: tril_indices triu
    >>> triu_indices(2)
    ([0, 0, 1], [0, 1, 1])
    """
    return np.nonzero(np.triu(np.ones((n, n if m is None else m)), k))

def tril_indices(n: whole, k: number = 0, m: whole | None = None):
    """The indices of the lower triangle of a matrix: a tuple of rows and columns.
    shapes: -> (count,), (count,)
    see: triu_indices tril
    >>> tril_indices(2)
    ([0, 1, 1], [0, 0, 1])
    """
    return np.nonzero(np.tril(np.ones((n, n if m is None else m)), k))

def diag_indices(n: whole, ndim: whole = 2):
    """The indices of the diagonal of an n×n matrix: a tuple of rows and columns.
    shapes: -> (n,), (n,)
    see: diagonal diag
    >>> A = zeros((2, 2))
    >>> A[diag_indices(2)] = 1
    >>> A
    [[1, 0],
     [0, 1]]
    """
    return (np.arange(n),) * ndim

def ix_(*args: array):
    """Indices that pick whole rows and columns: A[ix_(rows, columns)] has every one of these rows
    at every one of these columns.
    shapes: (n,), (m,) -> (n, 1), (1, m)
    see: take meshgrid
    >>> A = arange(9).reshape(3, 3)
    >>> A[ix_([0, 2], [1, 2])]
    [[1, 2],
     [7, 8]]
    """
    indices = []
    for i, x in np.enumerate(args):
        if x.ndim != 1:
            raise shape(f"the indices of an axis are a vector, not {x.shape}")
        size = [1] * np.len(args)
        size[i] = -1
        indices.append(np.reshape(np.nonzero(x)[0] if x.dtype == "bool" else x, size))
    return np.tuple(indices)

def flatnonzero(a: array):
    """The indices of the elements that are not 0, counted row by row.
    shapes: a (…) -> (count,)
    see: nonzero argwhere
    >>> flatnonzero([[0, 7], [8, 0]])
    [1, 2]
    """
    return np.nonzero(np.ravel(a))[0]

def lexsort(keys: list):
    """The order by the last of several keys, where that is equal by the one before it, and so on.
    shapes: k times (n,) -> (n,)
    see: argsort
    >>> lexsort(([2, 1, 0], [5, 4, 4]))
    [2, 1, 0]
    """
    keys = [np.asarray(key) for key in keys]
    if not keys:
        raise ValueError("lexsort needs at least one key")
    order = np.arange(keys[0].size)
    for key in keys:
        if key.ndim != 1 or key.size != order.size:
            raise shape("keys are vectors of one size, but these are "
                        f"{keys[0].shape} and {key.shape}")
        order = order[np.argsort(key[order])]
    return order

def apply_along_axis(func1d: function, axis: whole, arr: array):
    """What a function makes of each vector along an axis: axis=1 of each row.
    shapes: arr (n, m) -> (n, …) with axis=1
    see: map vectorize
    >>> apply_along_axis(lambda row: row.max() - row.min(), 1, [[1, 5], [2, 3]])
    [4, 1]
    """
    front = np.moveaxis(arr, axis, -1)
    rows = np.reshape(front, (np.int(np.prod(front.shape[:-1])), front.shape[-1]))
    if np.len(rows) == 0:
        raise ValueError(f"the array has no slice along axis {axis}")
    results = [func1d(row) for row in rows]
    size = np.shape(results[0])
    for other in {np.shape(result) for result in results}:
        if other != size:
            raise shape(f"the function gives {size} for one item and {other} for another")
    whole = np.reshape(np.array(results), front.shape[:-1] + size)
    own = np.len(size)
    axis = axis % arr.ndim
    return np.moveaxis(whole, np.tuple(np.range(arr.ndim - 1, arr.ndim - 1 + own)),
                       np.tuple(np.range(axis, axis + own)))

def fromfunction(function: function, shape: shape, dtype: any = None):
    """What a function makes of the indices of all elements, given as arrays.
    shapes: -> shape
    see: meshgrid
    >>> fromfunction(lambda i, j: i + 10 * j, (2, 2))
    [[0, 10],
     [1, 11]]
    """
    return np.asarray(function(*np.indices(shape)))

def reduce(function: any, array: array, axis: axis = 0, keepdims: bool = False):
    """A function of two numbers over the items of an axis, from the first to the last:
    np.add.reduce adds them up.
    shapes: array (n, …) -> (…)
    receiver: function
    see: sum accumulate
    >>> np.maximum.reduce([3, 9, 2])
    9
    """
    if np.isinstance(axis, np.tuple):
        raise TypeError("reduce works along one axis")
    known = ((np.add, np.sum), (np.multiply, np.prod), (np.maximum, np.max), (np.minimum, np.min))
    for operator, reduction in known:
        if function == operator:
            return reduction(array, axis=axis, keepdims=keepdims)
    front = np.ravel(array) if axis is None else np.moveaxis(array, axis, 0)
    if np.len(front) == 0:
        raise ValueError("reduce of nothing: the axis has no items")
    result = front[0]
    for item in front[1:]:
        result = function(result, item)
    if not keepdims:
        return result
    return np.expand_dims(result, np.tuple(np.range(array.ndim)) if axis is None else axis)

def accumulate(function: any, array: array, axis: axis = 0):
    """What reduce has after each item of the axis: np.maximum.accumulate is the largest so far.
    shapes: array (n, …) -> (n, …)
    receiver: function
    see: cumsum reduce
    >>> np.maximum.accumulate([3, 1, 4, 2])
    [3, 3, 4, 4]
    """
    if np.isinstance(axis, np.tuple):
        raise TypeError("accumulate works along one axis")
    if function == np.add:
        return np.cumsum(array, axis)
    front = np.ravel(array) if axis is None else np.moveaxis(array, axis, 0)
    if np.len(front) == 0:
        raise ValueError("accumulate of nothing: the axis has no items")
    steps = [front[0]]
    for item in front[1:]:
        steps.append(function(steps[-1], item))
    return np.moveaxis(np.stack(steps), 0, 0 if axis is None else axis)

def outer(function: any, A: array, B: array):
    """A function of two numbers for every element of A with every element of B.
    shapes: (n,), (m,) -> (n, m)
    receiver: function
    see: reduce accumulate
    >>> np.add.outer([0, 10], [1, 2])
    [[1, 2],
     [11, 12]]
    """
    return function(np.reshape(A, A.shape + (1,) * B.ndim), B)



# ---- elementwise ----

def bitwise_and(x1: array, x2: array):
    """x1 & x2: the bits that both whole numbers have; of booleans, logical_and.
    shapes: x1, x2 broadcast
    see: bitwise_or bitwise_xor logical_and
    >>> bitwise_and(6, [3, 5])
    [2, 4]
    """
    return x1 & x2

def bitwise_or(x1: array, x2: array):
    """x1 | x2: the bits that one of both whole numbers has; of booleans, logical_or.
    shapes: x1, x2 broadcast
    see: bitwise_and bitwise_xor logical_or
    >>> bitwise_or(6, [3, 5])
    [7, 7]
    """
    return x1 | x2

def bitwise_xor(x1: array, x2: array):
    """The bits that only one of both whole numbers has: Python's x1 ^ x2, which a file that ends in
    .py may write.
    shapes: x1, x2 broadcast
    see: bitwise_and bitwise_or logical_xor
    >>> bitwise_xor(6, [3, 5])
    [5, 3]
    """
    return x1 ^ x2

def left_shift(x1: array, x2: array):
    """x1 << x2: the bits of x1 moved up by x2, which is x1 times 2 ** x2.
    shapes: x1, x2 broadcast
    see: right_shift bitwise_and
    >>> left_shift(3, [1, 4])
    [6, 48]
    """
    return x1 << x2

def right_shift(x1: array, x2: array):
    """x1 >> x2: the bits of x1 moved down by x2, which is x1 divided by 2 ** x2 and rounded down.
    shapes: x1, x2 broadcast
    see: left_shift bitwise_and
    >>> right_shift(48, [1, 4])
    [24, 3]
    """
    return x1 >> x2

def invert(x: array):
    """~x: of a whole number all bits turned round, -x - 1; of booleans, logical_not.
    see: bitwise_xor logical_not
    >>> invert([5, -1])
    [-6, 0]
    """
    return ~x

def bitwise_not(x: array):
    """Another name of invert.
    see: invert
    >>> bitwise_not(5)
    -6
    """
    return ~x

def divmod(x1: any, x2: any):
    """Quotient and rest at once: x1 // x2 and x1 % x2.
    shapes: x1, x2 broadcast
    see: floor_divide mod
    >>> divmod(17, 5)
    (3, 2)
    """
    return x1 // x2, x1 % x2

def modf(x: array):
    """What is behind the point, and the whole part, both with the sign of x.
    see: trunc
    >>> modf([3.25, -1.5])
    ([0.25, -0.5], [3, -1])
    """
    whole = np.trunc(x)
    return np.copysign(np.where(whole == x, 0, x - whole), x), whole

def float_power(x1: array, x2: array):
    """x1 ** x2: another name of power.
    shapes: x1, x2 broadcast
    see: power
    >>> float_power(2, 3)
    8
    """
    return x1 ** x2

def positive(x: array):
    """+x: each element as it is.
    see: negative abs
    >>> positive([1, -2])
    [1, -2]
    """
    return +x

def signbit(x: array):
    """Where the sign is minus; also that of -0.
    see: sign copysign
    >>> signbit([-1, 0, 2])
    [True, False, False]
    """
    return np.copysign(1, x) < 0

def isposinf(x: array):
    """Where x is inf, but not -inf.
    see: isinf isneginf
    >>> isposinf([inf, -inf, 1])
    [True, False, False]
    """
    return x == np.inf

def isneginf(x: array):
    """Where x is -inf, but not inf.
    see: isinf isposinf
    >>> isneginf([inf, -inf, 1])
    [False, True, False]
    """
    return x == -np.inf

def fmax(x1: array, x2: array):
    """The larger of two numbers, and the other one where one is nan.
    shapes: x1, x2 broadcast
    see: maximum fmin
    >>> fmax([1, nan], [2, 3])
    [2, 3]
    """
    return np.where(np.isnan(x1), x2, np.where(np.isnan(x2), x1, np.maximum(x1, x2)))

def fmin(x1: array, x2: array):
    """The smaller of two numbers, and the other one where one is nan.
    shapes: x1, x2 broadcast
    see: minimum fmax
    >>> fmin([1, nan], [2, 3])
    [1, 3]
    """
    return np.where(np.isnan(x1), x2, np.where(np.isnan(x2), x1, np.minimum(x1, x2)))

def ldexp(x1: array, x2: array):
    """Each x1 times 2 ** x2.
    shapes: x1, x2 broadcast
    see: left_shift
    >>> ldexp(3, [1, 2])
    [6, 12]
    """
    return x1 * 2 ** x2

def logaddexp(x1: array, x2: array):
    """The logarithm of the sum of exponentials of two numbers, where these would overflow.
    shapes: x1, x2 broadcast
    formula: ln(eˣ¹ + eˣ²)
    see: logsumexp
    >>> logaddexp(1000, [1000, 0])
    [1001, 1000]
    """
    apart = np.where(x1 == x2, 0, x1 - x2)
    return np.maximum(x1, x2) + np.log1p(np.exp(-np.abs(apart)))

def sinc(x: array):
    """The sine of πx over πx; 1 at 0.
    see: sin
    >>> sinc([0, 0.5])
    [1, 0.6366]
    """
    y = np.pi * np.where(x == 0, 1e-20, x)
    return np.sin(y) / y

def real(val: array):
    """The real part, which is all there is: numbers here are real.
    see: imag
    >>> real([1, 2])
    [1, 2]
    """
    return val

def imag(val: array):
    """The imaginary part, which is 0: numbers here are real.
    see: real
    >>> imag([1, 2])
    [0, 0]
    """
    return val * 0

def conj(x: array):
    """The conjugate, which is x: numbers here are real.
    see: real
    >>> conj([1, 2])
    [1, 2]
    """
    return x

def isreal(x: array):
    """True for each element: numbers here are real.
    see: real
    >>> isreal([1, 2])
    [True, True]
    """
    return x == x if not np.any(np.isnan(x)) else np.ones_like(x) == 1

def iscomplex(x: array):
    """False for each element: numbers here are real.
    see: isreal
    >>> iscomplex([1, 2])
    [False, False]
    """
    return x != x if not np.any(np.isnan(x)) else np.ones_like(x) == 0

def array_equiv(a1: array, a2: array):
    """True if both hold the same numbers once they are broadcast.
    see: array_equal allclose
    >>> array_equiv([1, 2], [[1, 2], [1, 2]])
    True
    """
    try:
        return np.bool(np.all(a1 == a2))
    except ValueError:
        return False

def choose(a: array, choices: list):
    """Each element from the array of the list that a names at its place.
    see: take select where
    >>> choose([0, 1], [[1, 2], [30, 40]])
    [1, 40]
    """
    whole = [np.broadcast_to(choice, np.shape(a)) for choice in choices]
    return np.take_along_axis(np.stack(whole), np.expand_dims(a, 0), 0)[0]

def select(condlist: list, choicelist: list, default: array = 0):
    """Each element from the first choice whose condition is true there, and else the default.
    see: where piecewise
    >>> select([array([1, 2, 3]) < 2, array([1, 2, 3]) > 2], [10, 30])
    [10, 0, 30]
    """
    result = default
    for condition, choice in np.reversed(np.list(np.zip(condlist, choicelist))):
        result = np.where(condition, choice, result)
    return result

def piecewise(x: array, condlist: list, funclist: list):
    """Each element from the function, or number, whose condition is true there; one more function
    is for the rest.
    see: select where
    >>> piecewise([-1, 2], [array([-1, 2]) < 0], [0, lambda x: x * 10])
    [0, 20]
    """
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

def is_integer(x: array):
    """Where a number is whole.
    see: floor int
    >>> (2.0).is_integer(), is_integer([1, 2.5])
    (True, [True, False])
    """
    return (x == np.floor(x)) & np.isfinite(x)

def bit_count(x: array):
    """How many bits of the absolute value of whole numbers are 1.
    see: bit_length bin
    >>> (10).bit_count()
    2
    """
    rest = np.abs(x)
    count = 0 * rest
    while np.any(rest):
        count = count + rest % 2
        rest = rest // 2
    return count

def as_integer_ratio(x: array):
    """Two whole numbers, a fraction in lowest terms, whose ratio is exactly x.
    see: is_integer
    >>> (0.75).as_integer_ratio()
    (3, 4)
    """
    if not np.isfinite(x):
        raise ValueError(f"{x} is no ratio of two whole numbers")
    below = 1
    while x % 1 != 0:
        x = 2 * x
        below = 2 * below
    return (x, below)

def bit_length(x: array):
    """How many binary digits a whole number has, without its sign.
    see: bin log2
    >>> (10).bit_length()
    4
    """
    return np.where(x == 0, 0, np.frompyfunc(lambda n: np.len(f"{np.abs(n):b}"), 1, 1)(x))

def frexp(x: array):
    """The mantissas, from 0.5 up to 1, and the whole exponents of numbers: x is m · 2ᵉ.
    shapes: x (…) -> (…), (…)
    see: log2 exp2
    >>> frexp([8, -0.75])
    ([0.5, -0.75], [4, 0])
    """
    sizes = np.abs(np.where(np.isfinite(x), x, 0))
    exponents = np.where(sizes > 0, np.floor(np.log2(np.where(sizes > 0, sizes, 1))) + 1, 0)
    exponents = exponents - ((sizes > 0) & (sizes < 2 ** (exponents - 1))) # log2 had rounded up
    return x / 2 ** exponents, exponents


# ---- reduce ----

def unwrap(p: array):
    """Angles without jumps: whole turns are added where neighbours differ by more than π.
    shapes: p (n,) -> (n,)
    see: diff cumsum
    >>> unwrap([0, 6.5])
    [0, 0.2168]
    """
    steps = np.diff(p)
    turns = (steps + np.pi) % (2 * np.pi) - np.pi
    turns = np.where((turns == -np.pi) & (steps > 0), np.pi, turns)
    turns = np.where(np.abs(steps) < np.pi, 0, turns - steps)
    return np.concatenate([p[:1], p[1:] + np.cumsum(turns)])

def nanmedian(a: array, axis: whole | None = None):
    """The median of the numbers that are not nan.
    see: median nanmean
    >>> nanmedian([1, nan, 3])
    2
    """
    def along(line):
        kept = line[~np.isnan(line)]
        return np.median(kept) if kept.size > 0 else np.nan
    return along(np.ravel(a)) if axis is None else np.apply_along_axis(along, axis, a)

def nanquantile(a: array, q: array, axis: whole | None = None):
    """The quantile of the numbers that are not nan.
    see: quantile nanmedian
    >>> nanquantile([1, nan, 3], 0.5)
    2
    """
    def along(line):
        kept = line[~np.isnan(line)]
        return np.quantile(kept, q) if kept.size > 0 else q * np.nan
    return along(np.ravel(a)) if axis is None else np.apply_along_axis(along, axis, a)

def nanpercentile(a: array, q: array, axis: whole | None = None):
    """The percentile of the numbers that are not nan.
    see: percentile nanmedian
    >>> nanpercentile([1, nan, 3], 50)
    2
    """
    return np.nanquantile(a, q / 100, axis)

def nancumsum(a: array, axis: whole | None = None):
    """The running sum, in which nan counts as 0.
    see: cumsum nansum
    >>> nancumsum([1, nan, 3])
    [1, 1, 4]
    """
    return np.cumsum(np.where(np.isnan(a), 0, a), axis)

def nancumprod(a: array, axis: whole | None = None):
    """The running product, in which nan counts as 1.
    see: cumprod nanprod
    >>> nancumprod([2, nan, 3])
    [2, 2, 6]
    """
    return np.cumprod(np.where(np.isnan(a), 1, a), axis)

def setxor1d(ar1: array, ar2: array, assume_unique: bool = False):
    """The sorted numbers that only one of both arrays holds.
    see: union1d intersect1d setdiff1d
    >>> setxor1d([1, 2, 3], [3, 4])
    [1, 2, 4]
    """
    return np.union1d(np.setdiff1d(ar1, ar2), np.setdiff1d(ar2, ar1))

def apply_over_axes(func: function, a: array, axes: shape):
    """A reduction along several axes, one after the other, all of which stay with size 1.
    see: apply_along_axis sum
    >>> apply_over_axes(sum, ones((2, 3)), [0, 1])
    [[6]]
    """
    for axis in axes:
        result = func(a, axis=axis)
        a = result if result.ndim == a.ndim else np.expand_dims(result, axis)
    return a

def poly(seq_of_zeros: array):
    """The coefficients of the polynomial with these zeros; of a matrix, with its eigenvalues.
    shapes: (n,) -> (n + 1,)
    see: roots polyval
    >>> poly([1, 2])
    [1, -3, 2]
    """
    zeros = np.atleast_1d(seq_of_zeros)
    if zeros.ndim == 2:
        zeros = np.linalg.eigvals(zeros)
    result = np.ones(1)
    for zero in zeros:
        result = np.polymul(result, np.array([1, -zero]))
    return result

def roots(p: array):
    """The zeros of the polynomial with these coefficients, the highest power first.
    shapes: p (n + 1,) -> (n,)
    see: poly polyval polyfit
    >>> roots([1, -3, 2])
    [2, 1]
    """
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

def polyadd(a1: array, a2: array):
    """The sum of two polynomials.
    see: polysub polymul polyval
    >>> polyadd([1, 2], [1, 0, 0])
    [1, 1, 2]
    """
    n = np.max([np.len(a1), np.len(a2)])
    return np.pad(a1, (n - np.len(a1), 0)) + np.pad(a2, (n - np.len(a2), 0))

def polysub(a1: array, a2: array):
    """The difference of two polynomials.
    see: polyadd polymul
    >>> polysub([1, 2], [1, 0, 0])
    [-1, 1, 2]
    """
    return np.polyadd(a1, -a2)

def polymul(a1: array, a2: array):
    """The product of two polynomials.
    see: polyadd convolve
    >>> polymul([1, 2], [1, 3])
    [1, 5, 6]
    """
    return np.convolve(a1, a2)

def polyder(p: array, m: whole = 1):
    """The derivative of a polynomial, taken m times.
    see: polyint polyval
    >>> polyder([1, 2, 3])
    [2, 2]
    """
    for _ in np.range(m):
        p = p[:-1] * np.arange(np.len(p) - 1, 0, -1)
    return p

def polyint(p: array, m: whole = 1, k: number = 0):
    """The integral of a polynomial, taken m times; k is what it begins with.
    see: polyder polyval
    >>> polyint([2, 2])
    [1, 2, 0]
    """
    for _ in np.range(m):
        p = np.append(p / np.arange(np.len(p), 0, -1), k)
    return p

def histogram_bin_edges(a: array, bins: any = 10, range: any = None):
    """The edges of the bins of a histogram.
    see: histogram
    >>> histogram_bin_edges([1, 2, 5], 2)
    [1, 3, 5]
    """
    return np.histogram(a, bins, range)[1]

def fsum(seq: list):
    """The sum of numbers as if it were rounded once, at its end.
    see: sum
    >>> fsum(array([0.1] * 10)) == 1, sum(array([1e16, 1, -1e16]))
    (True, 0)
    """
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

def histogram2d(x: array, y: array, bins: any = 10):
    """How many points fall into each cell of a grid, and the edges along both axes.
    see: histogram
    >>> histogram2d([1, 2, 1], [1, 2, 2], 2)[0]
    [[1, 1],
     [0, 1]]
    """
    two = np.isinstance(bins, (np.list, np.tuple)) and np.len(bins) == 2
    edges_x = np.histogram(x, bins[0] if two else bins)[1]
    edges_y = np.histogram(y, bins[1] if two else bins)[1]
    last = edges_x[-1]
    row_of = np.where(x == last, np.len(edges_x) - 1, np.searchsorted(edges_x, x, "right")) - 1
    rows = [np.histogram(y[row_of == i], edges_y)[0] for i in np.range(np.len(edges_x) - 1)]
    return np.array(rows), edges_x, edges_y

def percentile(a: array, q: array, axis: axis = None, *, method: text = "linear",
               keepdims: bool = False):
    """The number below which q percent of the elements lie, or several such numbers: 50 is the
    median. Between two elements it lies on the line between them, unless method= says lower,
    higher, midpoint or nearest.
    shapes: a (…), q (k,) -> (k, the axes that are left)
    see: quantile median sort
    >>> percentile([1, 2, 3, 4], 50)
    2.5
    >>> percentile([0, 10], [10, 90])
    [1, 9]
    """
    if not np.all((q >= 0) & (q <= 100)):
        raise ValueError(f"q is {q}, but it goes from 0 to 100")
    return np.quantile(a, q / 100, axis, method=method, keepdims=keepdims)

def quantile(a: array, q: array, axis: axis = None, *, method: text = "linear",
             keepdims: bool = False):
    """The number below which the share q of the elements lies, or several such numbers: 0.5 is the
    median.
    shapes: a (…), q (k,) -> (k, the axes that are left)
    see: percentile median
    >>> quantile([1, 2, 3, 4], 0.25)
    1.75
    """
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError(f"q is {q}, but it goes from 0 to 1")
    if axis is None:
        rest, front = (), np.ravel(a)
    else:
        axes = axis if np.isinstance(axis, np.tuple) else (axis,)
        front = np.moveaxis(a, axes, np.tuple(np.range(np.len(axes))))
        rest = front.shape[np.len(axes):]
        front = np.reshape(front, (-1, *rest))
    n = np.len(front)
    if n == 0:
        raise ValueError("an array that has no elements has no quantiles")
    front = np.sort(front, axis=0)
    place = q * (n - 1)
    lower = np.floor(place)
    share = place - lower
    if method == "lower":
        share = 0
    elif method == "higher":
        share = share > 0
    elif method == "midpoint":
        share = (share > 0) / 2
    elif method == "nearest":
        share = np.round(place) > lower
    elif method != "linear":
        raise ValueError(f'no method is called "{method}": known are linear, lower, higher, '
                         "midpoint and nearest")
    if rest:
        share = np.reshape(share, q.shape + (1,) * np.len(rest))
    below = front[lower]
    part = share * (front[np.minimum(lower + 1, n - 1)] - below)
    result = np.where(np.isnan(front[-1]), np.nan, below + np.where(share == 0, 0, part))
    if keepdims:
        axes = np.range(a.ndim) if axis is None else [i % a.ndim for i in axes]
        kept = [1 if i in axes else n for i, n in np.enumerate(a.shape)]
        result = np.reshape(result, (*q.shape, *kept))
    return result

def cov(m: array, y: array | None = None, rowvar: bool = True, bias: bool = False,
        ddof: number | None = None):
    """The covariances of variables with each other, divided by n − 1 (bias=True: by n; ddof: by n −
    ddof). Each row is a variable and each column an observation, or the other way round with
    rowvar=False.
    shapes: m (variables, n) -> (variables, variables)
    formula: cᵢⱼ = 1/(n−1) · Σₖ (mᵢₖ − meanᵢ)(mⱼₖ − meanⱼ)
    see: corrcoef var
    >>> cov([[1, 2, 3], [3, 2, 1]])
    [[1, -1],
     [-1, 1]]
    """
    if m.ndim > 2:
        raise shape(f"a variable is a row of numbers, but this is {m.shape}")
    x = np.atleast_2d(m)
    if not rowvar and np.len(x) != 1:
        x = x.T
    if y is not None:
        other = np.atleast_2d(y)
        x = np.vstack([x, other if rowvar or np.len(other) == 1 else other.T])
    if ddof is None:
        ddof = 0 if bias else 1
    centred = x - np.mean(x, axis=1, keepdims=True)
    return np.squeeze(centred @ centred.T / np.maximum(x.shape[1] - ddof, 0))

def corrcoef(x: array, y: array | None = None, rowvar: bool = True):
    """The correlations of variables with each other: covariances divided by both standard
    deviations, from −1 to 1.
    shapes: x (variables, n) -> (variables, variables)
    see: cov
    >>> corrcoef([1, 2, 3], [1, 2, 4])[0, 1]
    0.982
    """
    c = np.cov(x, y, rowvar)
    if c.ndim == 0:
        return np.divide(c, c)
    deviations = np.sqrt(np.diag(c))
    return np.clip(c / deviations[:, None] / deviations, -1, 1)

def interp(x: array, xp: array, fp: array, left: array | None = None, right: array | None = None,
           period: number | None = None):
    """The value at x of the line through the points (xp, fp), with xp rising. Beyond the ends it is
    left and right, or the first and the last value; with a period the line goes round.
    shapes: x (…), xp (n,), fp (n,) -> (…)
    see: linspace
    >>> interp([0.5, 9], [0, 1, 2], [0, 10, 40])
    [5, 40]
    """
    if xp.ndim != 1 or xp.shape != fp.shape or xp.size == 0:
        raise shape(f"xp is {xp.shape} and fp is {fp.shape}; both must hold as many numbers")
    if period is not None:
        if period == 0:
            raise ValueError("period is 0")
        period = np.abs(period)
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = np.concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = np.concatenate([fp[-1:], fp, fp[:1]])
    if np.len(xp) == 1:
        y = fp[0] + 0 * x
    else:
        before = np.searchsorted(xp[1:-1], x, "right")
        slopes = np.diff(fp) / np.diff(xp)
        y = fp[before] + slopes[before] * (x - xp[before])
    y = np.where(x == xp[-1], fp[-1], y)
    y = np.where(x < xp[0], fp[0] if left is None else left, y)
    return np.where(x > xp[-1], fp[-1] if right is None else right, y)

def trapz(y: array, x: array | None = None, dx: array = 1, axis: whole = -1):
    """The area below the points y, joined by lines; they are dx apart, or at x.
    shapes: y (…, n) -> (…)
    formula: Σᵢ dx · (yᵢ + yᵢ₊₁) / 2
    see: sum cumsum
    >>> trapz([1, 2, 3])
    4
    >>> trapz([1, 2], [0, 10])
    15
    """
    y = np.moveaxis(y, axis, -1)
    if x is not None:
        dx = np.diff(x if x.ndim == 1 else np.moveaxis(x, axis, -1))
    return np.sum(dx * (y[..., 1:] + y[..., :-1]) * 0.5, axis=-1)

def ediff1d(ary: array, to_end: array | None = None, to_begin: array | None = None):
    """The differences of neighbours in an array that is read row by row, with numbers put before or
    behind them.
    shapes: (n,) -> (n − 1,)
    see: diff
    >>> ediff1d([1, 4, 9], to_begin=0)
    [0, 3, 5]
    """
    parts = [to_begin, np.diff(np.ravel(ary)), to_end]
    return np.concatenate([np.ravel(part) for part in parts if part is not None])

def gradient(f: array, *varargs: any, axis: axis = None, edge_order: whole = 1):
    """The slopes of samples, as NumPy has them: half the difference of both neighbours, at the ends
    that to the only one. A number says how far apart samples lie, a vector where; of several axes a
    list. grad(f, x) is the derivative of a function.
    shapes: (n,) -> (n,);  (n, m) -> list of two (n, m)
    see: diff grad trapz
    >>> gradient([1, 2, 4, 7])
    [1, 1.5, 2.5, 3]
    """
    if edge_order != 1 and edge_order != 2:
        raise ValueError(f"edge_order is 1 or 2, not {edge_order}")
    axes = np.range(f.ndim) if axis is None else [axis] if np.isinstance(axis, np.int) else axis
    if np.len(axes) == 0:
        raise shape("a single number has no slope")
    if np.len(varargs) > 1 and np.len(varargs) != np.len(axes):
        raise TypeError(f"{np.len(varargs)} spacings for {np.len(axes)} axes")
    slopes = []
    for k, i in np.enumerate(axes):
        if not -f.ndim <= i < f.ndim:
            raise ValueError(f"there is no axis {i}: {f.shape} has {f.ndim}")
        i = i % f.ndim
        n = f.shape[i]
        part = lambda begin, end: f[(np.slice(None),) * i + (np.slice(begin, end),)]
        if n <= edge_order:
            raise shape(f"axis {i} has {n} samples, but {edge_order + 1} are needed")
        spacing = 1 if not varargs else varargs[0] if np.len(varargs) == 1 else varargs[k]
        if np.ndim(spacing) == 0:
            w = [spacing] * 4
        elif np.shape(spacing) == (n,):
            w = np.diff(spacing)
        else:
            raise shape(f"the spacing is {np.shape(spacing)} for {n} samples")
        if np.ndim(spacing) == 0 or np.all(w == w[0]):
            between = (part(2, None) - part(0, -2)) / (2 * w[0])
        else:
            u, v = [np.reshape(x, (-1,) + (1,) * (f.ndim - 1 - i)) for x in (w[:-1], w[1:])]
            between = u / (v * (u + v)) * part(2, None) - v / (u * (u + v)) * part(0, -2)
            between = between + (v - u) / (u * v) * part(1, -1)
        first = (part(1, 2) - part(0, 1)) / w[0]
        last = (part(n - 1, n) - part(n - 2, n - 1)) / w[-1]
        if edge_order == 2:
            second = (part(2, 3) - part(1, 2)) / w[1]
            before = (part(n - 2, n - 1) - part(n - 3, n - 2)) / w[-2]
            first = first + (first - second) * w[0] / (w[0] + w[1])
            last = last + (last - before) * w[-1] / (w[-1] + w[-2])
        slopes.append(np.concatenate([first, between, last], i))
    return slopes[0] if np.len(slopes) == 1 else slopes

def digitize(x: array, bins: array, right: bool = False):
    """The number of the bin in which each element lies: 0 before the first edge, len(bins) behind
    the last. An edge belongs to the bin that it begins, with right=True to the one that it ends.
    shapes: x (…), bins (n,) -> (…)
    see: histogram searchsorted
    >>> digitize([0.2, 1, 6.4], [0, 1, 5])
    [1, 2, 3]
    """
    if bins.ndim != 1:
        raise shape(f"bins has to be a vector, but it is {bins.shape}")
    side = "left" if right else "right"
    steps = np.diff(bins)
    if np.all(steps >= 0):
        return np.searchsorted(bins, x, side)
    if not np.all(steps <= 0):
        raise ValueError("the edges of bins rise or fall, but these do neither")
    return bins.size - np.searchsorted(bins[::-1], x, side)

def bincount(x: array, weights: array | None = None, minlength: whole = 0):
    """How often each whole number from 0 on occurs; with weights=, the sum of those that belong to
    it.
    shapes: x (n,) -> (max(x) + 1,)
    see: unique histogram
    >>> bincount([0, 1, 1, 3])
    [1, 2, 0, 1]
    >>> bincount([0, 1, 1], weights=[0.5, 1, 2])
    [0.5, 3]
    """
    if x.ndim != 1:
        raise shape(f"x has to be a vector, but it is {x.shape}")
    if minlength < 0:
        raise ValueError(f"minlength is {minlength}, but it cannot be negative")
    countable = x - np.abs(np.floor(x)) == 0
    if not np.all(countable):
        wrong = x[~countable][0]
        raise ValueError(f"{wrong} cannot be counted: whole numbers from 0 on can")
    if weights is not None and weights.shape != x.shape:
        raise shape(f"the weights are {weights.shape}, but the array is {x.shape}")
    counts = np.zeros(np.max([np.max(x) + 1 if x.size > 0 else 0, minlength]))
    np.add.at(counts, x, 1 if weights is None else weights)
    return counts

def histogram(a: array, bins: any = 10, range: array | None = None, density: bool = False,
              weights: array | None = None):
    """How many elements lie in each bin, and the edges of the bins, as a tuple. bins is a number of
    bins of one width, from the least element to the largest or over range=(low, high), or the
    edges. density=True gives areas that add up to 1.
    shapes: a (…) -> (bins,), (bins + 1,)
    see: digitize bincount
    >>> counts, edges = histogram([1, 2, 1, 4], bins=3)
    >>> counts
    [2, 1, 1]
    >>> edges
    [1, 2, 3, 4]
    """
    if np.isinstance(bins, np.str):
        raise ValueError(f'bins is a number or the edges, not "{bins}"')
    a, edges = np.ravel(a), np.asarray(bins)
    if edges.ndim > 0:
        if edges.ndim > 1 or edges.size < 2 or not np.all(np.diff(edges) >= 0):
            raise ValueError("the edges of bins are two rising numbers or more")
    else:
        if bins != np.floor(bins):
            raise TypeError(f"the number of bins must be a whole number, not {bins}")
        if bins < 1:
            raise ValueError("at least one bin is needed")
        low, high = (np.min(a), np.max(a)) if a.size > 0 else (0, 1)
        if range is not None:
            if range.shape != (2,):
                raise shape(f"range is (low, high), not {range.shape}")
            low, high = range
        if not (-np.inf < low <= high < np.inf):
            raise ValueError(f"bins cannot go from {low} to {high}")
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = np.linspace(low, high, bins + 1)
    n = edges.size - 1
    # What lies in no bin is counted in one more.
    place = np.minimum(np.searchsorted(edges, a, "right"), n) - 1
    place = np.where((a >= edges[0]) & (a <= edges[-1]), place, n)
    counts = np.bincount(place, None if weights is None else np.ravel(weights), n + 1)[:n]
    if density:
        counts = counts / np.diff(edges) / np.sum(counts)
    return counts, edges

def isin(element: array, test_elements: array, assume_unique: bool = False, invert: bool = False):
    """True where an element is one of the others; with invert=True where it is none.
    shapes: element (…) -> (…)
    see: unique intersect1d
    >>> isin([1, 2, 3], [3, 1])
    [True, False, True]
    """
    others = np.sort(np.ravel(test_elements))
    if others.size == 0:
        return np.zeros(element.shape) != invert
    place = np.minimum(np.searchsorted(others, element), others.size - 1)
    return (others[place] == element) != invert

def in1d(ar1: array, ar2: array, assume_unique: bool = False, invert: bool = False):
    """Another name of isin, for vectors.
    shapes: ar1 (n,) -> (n,)
    see: isin
    >>> in1d([1, 2], [2])
    [False, True]
    """
    return np.isin(ar1, ar2, invert=invert)

def union1d(ar1: array, ar2: array):
    """The different numbers of two arrays, in rising order.
    shapes: (…), (…) -> (found,)
    see: unique intersect1d setdiff1d
    >>> union1d([3, 1], [1, 2])
    [1, 2, 3]
    """
    return np.unique(np.concatenate([np.ravel(ar1), np.ravel(ar2)]))

def intersect1d(ar1: array, ar2: array, assume_unique: bool = False):
    """The numbers that are in both arrays, in rising order.
    shapes: (…), (…) -> (found,)
    see: union1d setdiff1d isin
    >>> intersect1d([3, 1, 2], [2, 3])
    [2, 3]
    """
    own = np.unique(ar1)
    return own[np.isin(own, ar2)]

def setdiff1d(ar1: array, ar2: array, assume_unique: bool = False):
    """The numbers of the first array that are not in the second, in rising order.
    shapes: (…), (…) -> (found,)
    see: union1d intersect1d isin
    >>> setdiff1d([3, 1, 2], [2])
    [1, 3]
    """
    own = np.unique(ar1)
    return own[np.isin(own, ar2, invert=True)]

def argwhere(a: array):
    """The indices of the elements that are not 0, or not False, one in each row.
    shapes: a (…) -> (count, axes)
    see: nonzero where
    >>> argwhere(eye(2) == 0)
    [[0, 1],
     [1, 0]]
    """
    if a.ndim == 0:
        return np.zeros((np.int(a != 0), 0))
    return np.stack(np.nonzero(a), axis=1)

def unravel_index(indices: array, shape: shape):
    """The index in each axis of elements that are counted row by row, as argmax counts them without
    axis=.
    shapes: (…) -> tuple of (…), one for each axis
    see: argmax argwhere
    >>> unravel_index(5, (2, 3))
    (1, 2)
    >>> A = [[1, 9], [2, 3]]
    >>> A[unravel_index(argmax(A), A.shape)]
    9
    """
    count = np.int(np.prod(shape))
    if not np.all((indices >= 0) & (indices < count) & (indices == np.floor(indices))):
        raise ValueError(f"{indices} is no place among the {count} of an array of {shape}")
    columns = []
    for n in np.reversed(shape):
        columns.append(indices % n)
        indices = indices // n
    return np.tuple(np.reversed(columns))

def take_along_axis(arr: array, indices: array, axis: axis):
    """One element, or several, from each row, by an index for each: what belongs to argmax and
    argsort along an axis.
    shapes: arr (n, m), indices (n, k) -> (n, k) with axis=1
    see: take argsort argmax
    >>> A = [[10, 30, 20], [60, 40, 50]]
    >>> take_along_axis(A, argsort(A, axis=1), axis=1)
    [[10, 20, 30],
     [40, 50, 60]]
    """
    if axis is None:
        arr, axis = np.ravel(arr), 0
    wanted = np.list(arr.shape)
    if indices.ndim == arr.ndim:
        wanted[axis] = indices.shape[axis]
    i, a = indices.shape, arr.shape
    if np.tuple(wanted) != i:
        raise shape(f"the indices are {i} and the array is {a}: they may differ along axis "
                    f"{axis} alone")
    places = [np.reshape(np.arange(n), (n,) + (1,) * (arr.ndim - 1 - i))
              for i, n in np.enumerate(arr.shape)]
    places[axis] = indices
    return arr[np.tuple(places)]

def count_nonzero(a: array, axis: axis = None, *, keepdims: bool = False):
    """How many elements are not 0, or not False, in all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    see: nonzero sum any
    >>> count_nonzero([0, 3, 4])
    2
    """
    return np.sum(a != 0, axis, keepdims=keepdims)

def average(a: array, axis: axis = None, weights: array | None = None, *, keepdims: bool = False):
    """The mean in which elements count by their weights; without weights the mean.
    shapes: a (…) -> the axes that are left; a number without axis
    formula: Σᵢ wᵢ aᵢ / Σᵢ wᵢ
    see: mean
    >>> average([1, 4], weights=[2, 1])
    2
    """
    if weights is None:
        return np.mean(a, axis, keepdims=keepdims)
    if weights.shape != a.shape:
        if weights.ndim != 1 or not np.isinstance(axis, np.int):
            raise shape(f"the weights are {weights.shape}, but the array is {a.shape}")
        weights = np.moveaxis(np.broadcast_to(weights, np.moveaxis(a, axis, -1).shape), -1, axis)
    total = np.sum(weights, axis, keepdims=keepdims)
    if not np.all(total):
        raise ValueError("the weights sum to 0, so there is no average")
    return np.sum(a * weights, axis, keepdims=keepdims) / total

def unique(ar: array, return_index: bool = False, return_inverse: bool = False,
           return_counts: bool = False, axis: axis = None):
    """The different elements, in rising order; with axis=0 the different rows. On request it also
    gives where each is first, which of them each element is, and how often each occurs, as a
    tuple.
    shapes: ar (…) -> (found,)
    see: sort nonzero
    >>> unique([3, 1, 3])
    [1, 3]
    >>> values, counts = unique([3, 1, 3], return_counts=True)
    >>> counts
    [1, 2]
    """
    if axis is None:
        order = np.argsort(ar, axis=None)
        values = np.ravel(ar)[order]
        new = values[1:] != values[:-1]
        # nan comes last, and is equal to nan where single numbers are compared.
        new = new & ~np.isnan(values[:-1])
    else:
        front = np.moveaxis(ar, axis, 0)
        rows = np.reshape(front, (np.len(front), -1))
        order = np.lexsort(rows.T[::-1])
        rows, values = rows[order], front[order]
        new = np.any(rows[1:] != rows[:-1], axis=1)
    first = np.concatenate([[True], new]) if np.len(order) > 0 else order == 0
    values = values[first]
    results = [values if axis is None else np.moveaxis(values, 0, axis)]
    if return_index:
        results.append(order[first])
    if return_inverse:
        which = np.zeros(np.len(order))
        which[order] = np.cumsum(first) - 1
        results.append(which)
    if return_counts:
        results.append(np.diff(np.append(np.nonzero(first)[0], np.len(order))))
    return np.tuple(results) if np.len(results) > 1 else results[0]

def ptp(a: array, axis: axis = None, *, keepdims: bool = False):
    """How far the largest element is from the smallest, in all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    formula: max a − min a
    see: max min std
    >>> ptp([4, 9, 2])
    7
    """
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)

def nansum(a: array, axis: axis = None, *, keepdims: bool = False):
    """The sum of the elements that are not nan, of all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    see: sum nanmean
    >>> nansum([1, nan, 2])
    3
    """
    return np.sum(np.where(np.isnan(a), 0, a), axis, keepdims=keepdims)

def nanprod(a: array, axis: axis = None, *, keepdims: bool = False):
    """The product of the elements that are not nan, of all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    see: prod nansum
    >>> nanprod([2, nan, 3])
    6
    """
    return np.prod(np.where(np.isnan(a), 1, a), axis, keepdims=keepdims)

def nanmean(a: array, axis: axis = None, *, keepdims: bool = False):
    """The mean of the elements that are not nan, of all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    see: mean nansum nanstd
    >>> nanmean([1, nan, 2])
    1.5
    """
    return np.divide(np.nansum(a, axis, keepdims=keepdims),
                     np.sum(~np.isnan(a), axis, keepdims=keepdims))

def nanmax(a: array, axis: axis = None, *, keepdims: bool = False):
    """The largest of the elements that are not nan, of all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    see: max nanmin nanargmax
    >>> nanmax([1, nan, 2])
    2
    """
    most = np.max(np.where(np.isnan(a), -np.inf, a), axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis, keepdims=keepdims), np.nan, most)

def nanmin(a: array, axis: axis = None, *, keepdims: bool = False):
    """The smallest of the elements that are not nan, of all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    see: min nanmax nanargmin
    >>> nanmin([1, nan, 2])
    1
    """
    least = np.min(np.where(np.isnan(a), np.inf, a), axis, keepdims=keepdims)
    return np.where(np.all(np.isnan(a), axis, keepdims=keepdims), np.nan, least)

def nanargmax(a: array, axis: axis = None, *, keepdims: bool = False):
    """The index of the largest element; nan does not count.
    shapes: a (…) -> the axes that are left; a number without axis
    see: argmax nanmax
    >>> nanargmax([1, nan, 2])
    2
    """
    if np.any(np.all(np.isnan(a), axis)):
        raise ValueError("nanargmax: there is nothing but nan")
    return np.argmax(np.where(np.isnan(a), -np.inf, a), axis, keepdims=keepdims)

def nanargmin(a: array, axis: axis = None, *, keepdims: bool = False):
    """The index of the smallest element; nan does not count.
    shapes: a (…) -> the axes that are left; a number without axis
    see: argmin nanmin
    >>> nanargmin([nan, 3, 2])
    2
    """
    if np.any(np.all(np.isnan(a), axis)):
        raise ValueError("nanargmin: there is nothing but nan")
    return np.argmin(np.where(np.isnan(a), np.inf, a), axis, keepdims=keepdims)

def nanvar(a: array, axis: axis = None, *, ddof: number = 0, keepdims: bool = False):
    """The variance of the elements that are not nan, of all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    see: var nanstd
    >>> nanvar([1, nan, 3])
    1
    """
    there = ~np.isnan(a)
    squares = np.where(there, (a - np.nanmean(a, axis, keepdims=True)) ** 2, 0)
    count = np.sum(there, axis, keepdims=keepdims) - ddof
    return np.divide(np.where(count > 0, np.sum(squares, axis, keepdims=keepdims), np.nan), count)

def nanstd(a: array, axis: axis = None, *, ddof: number = 0, keepdims: bool = False):
    """The standard deviation of the elements that are not nan, of all or along an axis.
    shapes: a (…) -> the axes that are left; a number without axis
    see: std nanvar
    >>> nanstd([1, nan, 3])
    1
    """
    return np.sqrt(np.nanvar(a, axis, ddof=ddof, keepdims=keepdims))

# ---- linear algebra ----

def slogdet(a: array):
    """Sign and logarithm of the size of a determinant.
    shapes: a (…, n, n)
    see: det
    >>> slogdet([[2, 0], [0, -3]])
    (-1, 1.792)
    """
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise shape(f"slogdet takes square matrices, but a is {a.shape}")
    if a.ndim > 2:
        each = [np.linalg.slogdet(matrix) for matrix in a]
        return np.stack([sign for sign, log in each]), np.stack([log for sign, log in each])
    sign, log = 1, 0
    while a.size > 0:
        row = np.argmax(np.abs(a[:, 0]))
        if row > 0:
            a[[0, row]] = a[[row, 0]]
            sign = -sign
        pivot = a[0, 0]
        sign, log = sign * np.sign(pivot), log + np.log(np.abs(pivot))
        if pivot == 0:
            return 0, log
        a = a[1:, 1:] - np.outer(a[1:, 0] / pivot, a[0, 1:])
    return sign, log

def cond(x: array, p: any = None):
    """How much solving with a matrix can enlarge an error: its norm times that of its inverse.
    Without p, the largest singular value over the smallest.
    shapes: x (n, n)
    see: norm svd inv
    >>> cond([[2, 0], [0, 1]])
    2
    """
    if p is None or p == 2 or p == -2:
        s = np.linalg.svd(x)[1]
        ratio = np.divide(s[-1], s[0]) if p == -2 else np.divide(s[0], s[-1])
        return np.inf if np.isnan(ratio) and not np.any(np.isnan(x)) else ratio
    return np.linalg.norm(x, p) * np.linalg.norm(np.linalg.inv(x), p)

def multi_dot(arrays: list):
    """The product of several matrices.
    see: matmul dot
    >>> multi_dot([eye(2), ones((2, 3)), ones(3)])
    [3, 3]
    """
    product = arrays[0]
    for array in arrays[1:]:
        product = product @ array
    return product

def tensordot(a: array, b: array, axes: any = 2):
    """The product of two arrays, summed over the last axes of a and the first of b, or over those
    that two lists name.
    see: einsum matmul dot
    >>> tensordot(ones((2, 3)), ones((3, 2)), axes=1)
    [[3, 3],
     [3, 3]]
    """
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
    kept_a, kept_b = [a.shape[i] for i in rest_a], [b.shape[i] for i in rest_b]
    left = np.reshape(np.transpose(a, rest_a + of_a), (np.int(np.prod(kept_a)), inner))
    right = np.reshape(np.transpose(b, of_b + rest_b), (inner, np.int(np.prod(kept_b))))
    return np.reshape(left @ right, kept_a + kept_b)

def qr(a: array, mode: text = "reduced"):
    """A matrix as the product of one with orthonormal columns and an upper triangle, with LAPACK's
    signs.
    shapes: a (m, n) -> (m, k), (k, n)
    see: svd eig solve
    >>> q, r = qr([[3, 1], [4, 2]]); r
    [[-5, -2.2],
     [0, 0.4]]
    """
    m, n = a.shape
    q, r = np.eye(m), np.copy(a)
    for j in np.range(np.min([m - 1, n])):
        v = r[j:, j]
        if np.all(v[1:] == 0):
            continue
        v = v / np.max(np.abs(v))
        length = np.linalg.norm(v)
        v[0] = v[0] + (length if v[0] >= 0 else -length)
        v = v / np.linalg.norm(v)
        r[j:] = r[j:] - 2 * np.outer(v, v @ r[j:])
        q[:, j:] = q[:, j:] - 2 * np.outer(q[:, j:] @ v, v)
    r = np.triu(r)
    if mode == "r":
        return r[:np.min([m, n])]
    return (q, r) if mode == "complete" else (q[:, :np.min([m, n])], r[:np.min([m, n])])

def pinv(a: array, rcond: number | None = None):
    """The pseudo-inverse: pinv(a) @ b is the x that lstsq finds. Of an invertible matrix it is the
    inverse. Singular values up to rcond times the largest are left out.
    shapes: (…, m, n) -> (…, n, m)
    formula: v · diag(1/s) · uᵀ
    see: inv lstsq svd
    >>> pinv([[2, 0], [0, 0]])
    [[0.5, 0],
     [0, 0]]
    """
    if a.size == 0:
        return np.zeros(np.swapaxes(a, -2, -1).shape)
    u, s, vt = np.linalg.svd(a, False)
    cutoff = np.max(a.shape[-2:]) * 2 ** -52 if rcond is None or rcond < 0 else rcond
    counts = s > cutoff * np.max(s, axis=-1, keepdims=True)
    inverse = np.where(counts, 1, 0) / np.where(counts, s, 1)
    return (np.swapaxes(vt, -2, -1) * np.expand_dims(inverse, -2)) @ np.swapaxes(u, -2, -1)

def lstsq(a: array, b: array, rcond: number | None = None):
    """The x for which a @ x comes nearest to b: the sum of the squares of what is left is least. As
    in NumPy a tuple: x, that sum for each column of b (nothing where a has no more rows than
    unknowns), the rank of a, its singular values.
    shapes: (m, n), (m,) -> (n,);  (m, n), (m, k) -> (n, k)
    formula: min ‖a x − b‖²
    see: solve pinv
    >>> x, left, rank, s = lstsq([[1, 0], [1, 1], [1, 2]], [1, 3, 5])
    >>> x
    [1, 2]
    """
    if a.ndim != 2:
        raise shape(f"lstsq takes a matrix, but a is {a.shape}")
    m, n = a.shape
    u, s, vt = np.linalg.svd(a, False)
    cutoff = np.max([m, n]) * 2 ** -52 if rcond is None or rcond < 0 else rcond
    counts = s > cutoff * np.max(s)
    inverse = np.where(counts, 1, 0) / np.where(counts, s, 1)
    x = (vt.T * inverse) @ (u.T @ b)
    rank = np.sum(counts)
    left = np.zeros(0)
    if m > n and rank == n:
        left = np.sum(np.reshape(b - a @ x, (m, -1)) ** 2, axis=0)
    return x, left, rank, s

def polyval(p: array, x: array):
    """The values of a polynomial, whose coefficients are given from the highest power to the
    constant.
    shapes: p (n,), x (…) -> (…)
    formula: p₀ xⁿ⁻¹ + … + pₙ₋₁
    see: polyfit vander
    >>> polyval([3, 0, 1], 5)
    76
    """
    p = np.atleast_1d(p)
    if p.ndim > 1:
        raise shape(f"the coefficients are a vector, not {p.shape}")
    result = np.zeros(x.shape)
    for i in np.range(p.size):
        result = result * x + p[i]
    return result

def vander(x: array, N: whole | None = None, increasing: bool = False):
    """The powers of each number as a row, falling unless increasing=True.
    shapes: (n,) -> (n, N)
    see: polyval polyfit
    >>> vander([2, 3], 3)
    [[4, 2, 1],
     [9, 3, 1]]
    """
    if x.ndim != 1:
        raise shape(f"vander takes a vector, but this is {x.shape}")
    count = x.size if N is None else N
    if count < 0:
        raise ValueError(f"N is {count}, but it cannot be negative")
    powers = np.arange(count) if increasing else np.arange(count - 1, -1, -1)
    return np.expand_dims(x, 1) ** powers

def polyfit(x: array, y: array, deg: whole, rcond: number | None = None):
    """The polynomial of a degree that comes nearest to points: its coefficients, from the highest
    power to the constant.
    shapes: (n,), (n,) -> (deg + 1,)
    formula: min Σᵢ (p(xᵢ) − yᵢ)²
    see: polyval lstsq
    >>> polyfit([0, 1, 2], [1, 3, 5], 1)
    [2, 1]
    """
    if deg < 0:
        raise ValueError(f"the degree is {deg}, but it cannot be negative")
    if x.ndim != 1 or y.ndim < 1 or y.ndim > 2 or np.len(y) != x.size or x.size == 0:
        raise shape(f"x is {x.shape} and y is {y.shape}; both must hold as many points")
    powers = np.vander(x, deg + 1)
    # Columns of powers get one length first, so that none counts as 0 but for rounding.
    lengths = np.sqrt(np.sum(powers ** 2, axis=0))
    found = np.linalg.pinv(powers / lengths, x.size * 2 ** -52 if rcond is None else rcond) @ y
    return found / (lengths if y.ndim == 1 else np.expand_dims(lengths, 1))

def vdot(a: array, b: array):
    """The dot product of all elements of two arrays, read row by row.
    shapes: any two of one size -> a number
    see: dot inner
    >>> vdot([[1, 2], [3, 4]], [[1, 0], [0, 1]])
    5
    """
    return np.ravel(a) @ np.ravel(b)

def inner(a: array, b: array):
    """The dot products of the rows of a with the rows of b: of matrices, a @ b.T.
    shapes: (m, n), (k, n) -> (m, k);  (n,), (n,) -> a number
    see: dot matmul outer
    >>> inner([[1, 2], [3, 4]], [1, 10])
    [21, 43]
    """
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    n, m = a.shape[-1], b.shape[-1]
    if n != m:
        raise shape(f"inner of {a.shape} and {b.shape}: the last sizes {n} and {m} differ")
    return np.tensordot(a, b, (-1, -1)) if b.ndim > 2 else a @ b.T

def outer(a: array, b: array):
    """Every element of a times every element of b.
    shapes: (m,), (n,) -> (m, n)
    formula: outᵢⱼ = aᵢ bⱼ
    see: dot
    >>> outer([1, 2], [3, 4])
    [[3, 4],
     [6, 8]]
    """
    return np.reshape(a, (-1, 1)) * np.ravel(b)

def kron(a: array, b: array):
    """The Kronecker product: every element of a times the whole of b, as blocks.
    shapes: (m, n), (k, l) -> (m·k, n·l)
    see: outer
    >>> kron([[1, 10]], [[1], [2]])
    [[1, 10],
     [2, 20]]
    """
    a = np.reshape(a, (1,) * (b.ndim - a.ndim) + a.shape)
    b = np.reshape(b, (1,) * (a.ndim - b.ndim) + b.shape)
    tiles = np.tile(b, a.shape)
    for axis, n in np.enumerate(b.shape):
        a = np.repeat(a, n, axis)
    return a * tiles

def matrix_power(a: array, n: whole):
    """The matrix times itself, n factors; of a negative n that of the inverse.
    shapes: (…, m, m) -> (…, m, m)
    see: matmul inv
    >>> matrix_power([[1, 1], [0, 1]], 5)
    [[1, 5],
     [0, 1]]
    """
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise shape(f"the matrix must be square, but it is {a.shape}")
    if n == 0:
        return np.broadcast_to(np.eye(a.shape[-1]), a.shape)
    if n < 0:
        a, n = np.linalg.inv(a), -n
    half = np.matrix_power(a @ a, n // 2) if n > 1 else None
    return a if half is None else half @ a if n % 2 == 1 else half

def spectral_norm(a: array):
    """The largest singular value: how much the matrix can stretch a vector.
    shapes: (m, n) -> a number
    formula: max ‖a x‖ / ‖x‖
    see: svd norm
    >>> spectral_norm([[3, 0], [0, 4]])
    4
    """
    if a.ndim != 2:
        raise shape(f"the spectral norm is that of a matrix, but this is {a.shape}")
    if a.size == 0:
        raise ValueError("a matrix without elements has no singular values")
    return np.max(np.linalg.svd(a, compute_uv=False))

def matrix_rank(A: array, tol: number | None = None):
    """How many rows are independent of each other: the number of singular values that are not 0 but
    for rounding.
    shapes: (m, n) -> a number
    see: svd det
    >>> matrix_rank([[1, 2], [2, 4]])
    1
    """
    if A.ndim < 2:
        return np.any(A) * 1
    s = np.linalg.svd(A, compute_uv=False)
    if tol is None:
        most = np.max(s, axis=-1, keepdims=True) if s.shape[-1] > 0 else 0
        tol = most * np.max(A.shape[-2:]) * np.finfo(A.dtype).eps
    return np.sum(s > tol, axis=-1)

def cross(a: array, b: array):
    """The cross product of vectors of three numbers: at a right angle to both. Of two vectors in the
    plane it is a number.
    shapes: (…, 3), (…, 3) -> (…, 3)
    formula: a × b
    see: dot outer
    >>> cross([1, 0, 0], [0, 1, 0])
    [0, 0, 1]
    """
    in_space = []
    for x in (a, b):
        size = x.shape[-1] if x.ndim > 0 else 0
        if size not in (2, 3):
            words = "×".join([np.str(n) for n in x.shape]) if x.ndim > 0 else "a single number"
            raise shape(f"cross takes vectors of 2 or 3 numbers, but this is {words}")
        in_space.append(x if size == 3 else np.concatenate([x, np.zeros((*x.shape[:-1], 1))], -1))
    p, q = in_space
    product = p[..., [1, 2, 0]] * q[..., [2, 0, 1]] - p[..., [2, 0, 1]] * q[..., [1, 2, 0]]
    return product[..., 2] if a.shape[-1] == 2 and b.shape[-1] == 2 else product

# ---- plain ----

def array2string(a: array):
    """An array as print shows it, as a string.
    see: str
    >>> array2string([1, 2])
    '[1, 2]'
    """
    return np.str(a)

def array_str(a: array):
    """Another name of array2string.
    see: array2string
    >>> array_str([1, 2])
    '[1, 2]'
    """
    return np.str(a)

def assert_allclose(actual: array, desired: array, rtol: number = 1e-7, atol: number = 0,
                    equal_nan: bool = True, err_msg: text = "", verbose: bool = True):
    """A check error, with the place and the numbers, unless each |actual − desired| is at most atol
    + rtol · |desired|.
    see: assert_almost_equal
    >>> assert_allclose([0.1 + 0.2], [0.3])
    """
    if actual.ndim > 0 and desired.ndim > 0 and actual.shape != desired.shape:
        raise check(f"the shapes {actual.shape} and {desired.shape} differ")
    a, b = np.broadcast_arrays(actual, desired)
    excess = np.abs(a - b) - (atol + rtol * np.abs(b))
    excess = np.where(np.isnan(excess) | np.isinf(b), np.inf, excess)
    excess = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0, excess)
    count = np.sum(excess > 0)
    if count > 0:
        worst = np.unravel_index(np.argmax(excess), excess.shape)
        said = "the numbers differ"
        if worst:
            said = f"{count} of {a.size} elements differ, most at {np.list(worst)}"
        said = f"{err_msg}: {said}" if err_msg else said
        raise check(f"{said}: {a[worst]:.10g} and {b[worst]:.10g}")

def assert_almost_equal(actual: array, desired: array, decimal: number = 7, err_msg: text = "",
                        verbose: bool = True):
    """A check error unless the numbers agree to so many places behind the point: their differences
    are below 1.5 · 10^−decimal.
    see: assert_allclose
    >>> assert_almost_equal(1 / 3, 0.33333333)
    """
    np.assert_allclose(actual, desired, 0, 1.5 * 10 ** -decimal, err_msg=err_msg)

def assert_array_almost_equal(actual: array, desired: array, decimal: number = 6,
                              err_msg: text = "", verbose: bool = True):
    """The same as assert_almost_equal, with 6 places.
    see: assert_almost_equal
    >>> assert_array_almost_equal([1 / 3, 2 / 3], [0.3333333, 0.6666667])
    """
    np.assert_allclose(actual, desired, 0, 1.5 * 10 ** -decimal, err_msg=err_msg)

def assert_array_equal(actual: array, desired: array, err_msg: text = "", verbose: bool = True):
    """A check error unless all numbers are the same; nan is the same as nan.
    see: assert_allclose assert_equal
    >>> assert_array_equal([1, 2] + 1, [2, 3])
    """
    np.assert_allclose(actual, desired, 0, 0, err_msg=err_msg)

def assert_equal(actual: any, desired: any, err_msg: text = "", verbose: bool = True):
    """A check error unless the two values are equal.
    see: assert_array_equal
    >>> assert_equal([1, 2].shape, (2,))
    """
    if {0: actual} != {0: desired}:
        said = f"{err_msg}: " if err_msg else ""
        raise check(f"{said}the value {actual!r} is not {desired!r}")



# ---- files ----

def open(file: any, mode: text = "r", buffering: whole = -1, encoding: text | None = None,
         errors: any = None, newline: any = None):
    r"""Opens a text file, in UTF-8: "r" reads it (read, readline, readlines, or line by line in a
    loop), "w" writes it anew, "a" adds to its end. What was written is kept until close, or the end
    of with or of the entry, and then goes to the file at once. With --safe nothing is written, and
    only files beside the script are read. undo takes back variables, not files.
    see: read_text write_text input load
    >>> with open("example.txt", "w") as f: f.write("one\ntwo\n")
    >>> with open("example.txt") as f: print([line.strip() for line in f])
    ['one', 'two']
    """
    import io
    return io.TextIOWrapper(file, mode, encoding)


# ---- classes ----

def asdict(x: any):
    """The fields of an object of a dataclass, as a record.
    see: dataclass
    >>> @dataclass
    >>> class P:
    >>>     x: float
    >>> asdict(P(1))
    {'x': 1}
    """
    def plain(value):
        if np.hasattr(value, "__dataclass_fields__"):
            return {name: plain(np.getattr(value, name)) for name in value.__dataclass_fields__}
        if np.isinstance(value, np.list):
            return [plain(item) for item in value]
        if np.isinstance(value, np.tuple):
            return np.tuple([plain(item) for item in value])
        return value
    if not np.hasattr(x, "__dataclass_fields__"):
        raise TypeError(f"asdict takes an object of a dataclass, not {x!r}")
    return plain(x)

def errstate(**options: any):
    """As in NumPy: with np.errstate(divide="ignore"): ... Nothing warns here, since 1/0 is inf, so
    it changes nothing.
    see: no_grad
    >>> with np.errstate(divide="ignore"): x = 1 / 0
    >>> x
    inf
    """
    class Context:
        def __enter__(self):
            return self
        def __exit__(self, *error):
            return False
        def __call__(self, function):
            return function
        def __repr__(self):
            return "<context>"
    return Context()

def no_grad():
    """As in PyTorch: with torch.no_grad(): ... or @torch.no_grad() above a function. Derivatives
    are taken by grad(f, x) alone, so it changes nothing.
    see: grad errstate
    >>> with torch.no_grad(): y = 2 * 3
    >>> y
    6
    """
    return np.errstate()


# ---- probability ----

def kl_divergence(p: array, q: array, axis: axis = -1):
    """How far q is from p, in nats: 0 when they are the same, inf when q rules out what p allows. It
    is not symmetric.
    shapes: p, q (…, n) -> (…)
    formula: KL(p‖q) = Σᵢ pᵢ ln(pᵢ / qᵢ)
    see: entropy cross_entropy
    >>> kl_divergence([0.5, 0.5], [0.9, 0.1])
    0.5108
    """
    none = p == 0  # there the ratio is 1, so that the derivative is finite, also where q is 0
    ratio = np.where(none, 1, p) / np.where(none, 1, q)
    return np.sum(p * np.log(ratio), axis)


# ---- attention ----

def hierarchical_attention(X: array, ids: array, word_query: array, sentence_query: array):
    """Attention on two levels, as for a document: within each segment the tokens are weighed by
    word_query and become one vector; the segments are then weighed by sentence_query. ids holds the
    segment number of each token. The result is a record of output, word_weights, sentence_weights,
    sentences (the vectors), and by_sentence, the word weights with a row for each segment. plot r
    draws the weights of the words, a row for each segment, and those of the segments beside them.
    shapes: X (T, d), ids (T,), queries (d,) -> output (d,), word_weights (T,), sentence_weights
        (S,), sentences (S, d), by_sentence (S, T)
    formula: within segment s: softmax(X word_query / √d);  over segments: softmax(sentences
        sentence_query / √d)
    see: attention segment_mask
    >>> r = hierarchical_attention(eye(3), [0, 0, 1], [0, 0, 0], [0, 0, 0])
    >>> r.word_weights
    [0.5, 0.5, 1]
    >>> r.output
    [0.25, 0.25, 0.5]
    """
    if X.ndim != 2:
        raise shape(f"X has a row for each token, but it is {X.shape}")
    tokens, width = X.shape
    if ids.shape != (tokens,):
        raise shape(f"ids is {ids.shape} for {tokens} tokens: it holds one segment number for each "
                    "token, such as [0, 0, 1]")
    if word_query.shape != (width,) or sentence_query.shape != (width,):
        raise shape(f"the queries are {word_query.shape} and {sentence_query.shape}, but the "
                    f"tokens are {width} wide")
    if tokens == 0:
        raise shape("there are no tokens")
    # The segments are in the order of their first token.
    first = np.sort(np.unique(ids, return_index=True)[1])
    member = np.expand_dims(ids[first], 1) == ids
    queries = np.broadcast_to(word_query, (first.size, width))
    by_word = np.attention(queries, X, X, mask=member)
    sentences = by_word.output
    by_sentence = np.attention(np.expand_dims(sentence_query, 0), sentences, sentences)
    return np.record(output=np.ravel(by_sentence.output),
                     word_weights=np.sum(by_word.weights, axis=0),
                     sentence_weights=np.ravel(by_sentence.weights), sentences=sentences,
                     by_sentence=by_word.weights)


# ---- blocks ----

def ffn(x: array, W1: array, b1: array, W2: array, b2: array, activation: text = "relu"):
    """The feed-forward part of a Transformer layer: each row by itself goes through a wider layer,
    an activation, and back.
    shapes: x (…, d), W1 (d, f), b1 (f,), W2 (f, d), b2 (d,) -> (…, d)
    formula: activation(x W1 + b1) W2 + b2
    see: relu gelu silu
    >>> ffn([1, -1], eye(2), 0, eye(2), 0)
    [1, 0]
    """
    activations = {"relu": np.relu, "gelu": np.gelu, "silu": np.silu, "tanh": np.tanh}
    if activation not in activations:
        raise ValueError(f'there is no activation "{activation}": it is "relu", "gelu", "silu" or '
                         '"tanh"')
    return activations[activation](x @ W1 + b1) @ W2 + b2

def rnn(x: array, Wx: array, Wh: array, b: array | None = None, h0: array | None = None):
    """A recurrent network: it reads one row after the other and keeps all it knows in one state.
    Gives the states of all steps.
    shapes: x (T, d), Wx (d, h), Wh (h, h) -> (T, h)
    formula: hₜ = tanh(xₜ Wx + hₜ₋₁ Wh + b)
    see: attention tanh
    >>> rnn([[1], [0]], [[1]], [[1]])
    [[0.7616],
     [0.642]]
    """
    if x.ndim != 2 or Wx.ndim != 2 or x.shape[1] != Wx.shape[0]:
        raise shape(f"x is {x.shape} and Wx is {Wx.shape}; x must be steps × d and Wx d × h")
    width = Wx.shape[1]
    if Wh.shape != (width, width):
        raise shape(f"Wh is {Wh.shape}; for {width} hidden numbers it must be {width}×{width}")
    if h0 is not None and h0.size != width:
        raise shape(f"h0 is {h0.shape}; it must hold {width} numbers")
    inputs = x @ Wx if b is None else x @ Wx + b
    state = np.zeros(width) if h0 is None else np.ravel(h0)
    states = []
    for row in inputs:
        state = np.tanh(row + state @ Wh)
        states.append(state)
    return np.stack(states) if states else inputs


# ---- models ----

def composition(m: any, by: text, first: any = None, second: any = None):
    """How much of what one head adds is read by a later one, from their weights alone: by its
    queries "q", its keys "k" or its values "v". A head is (layer, head). With W_OV = W_V W_O of the
    first and W_QK = W_Q W_K^T, or W_OV, of the second, rows times matrices, it is |W_OV W_QK| /
    (|W_OV| |W_QK|), of W_QK^T for "k" (Elhage et al. 2021). Weights that have learned nothing give
    about 1 / sqrt(d_model): compare with those of transformer(...) of the same sizes. Without heads
    it is that of all pairs, an array (layers, heads, layers, heads) of the first head and the
    second, 0 where that is not later; composition m k at the prompt shows the largest. m.W_E W_pos
    W_U W_Q W_K W_V W_O W_in W_out and b_U b_Q b_K b_V b_O b_in b_out are the weights of a model of
    one stack, in the shapes of TransformerLens.
    shapes: m.W_Q (layers, heads, d_model, w); m.W_O (layers, heads, w, d_model)
    formula: |W_OV W_QK| / (|W_OV| |W_QK|)
    see: activations transformer
    >>> m = transformer("decoder", vocab=5, d_model=8, heads=2, layers=2, d_ff=8)
    >>> composition(m, "k", (0, 1), (1, 0)) > 0
    True
    >>> m.W_Q.shape
    (2, 2, 8, 4)
    >>> composition(m, "k").shape
    (2, 2, 2, 2)
    """
    if not np.hasattr(m, "W_Q"):
        raise TypeError(f"the first argument is a model, not {m!r}")
    if by not in ("q", "k", "v"):
        raise ValueError(f'heads compose by "q", "k" or "v", not "{by}"')
    layers, heads = m.W_Q.shape[:2]
    W_Q, W_K, W_V, W_O = [W.astype(np.float64) for W in (m.W_Q, m.W_K, m.W_V, m.W_O)]
    moved = W_V @ W_O
    if by == "v":
        read = moved
    elif by == "q":
        read = W_Q @ W_K.transpose(0, 1, 3, 2)
    else:
        read = W_K @ W_Q.transpose(0, 1, 3, 2)
    share = lambda a, b: np.divide(np.norm(a @ b), np.norm(a) * np.norm(b))
    if first is None:
        pairs = np.zeros((layers, heads, layers, heads))
        for i in np.range(layers):
            for j in np.range(i + 1, layers):
                for g in np.range(heads):
                    for h in np.range(heads):
                        pairs[i, g, j, h] = share(moved[i, g], read[j, h])
        return pairs
    for head in (first, second):
        pair = np.isinstance(head, (np.tuple, np.list)) and np.len(head) == 2
        if not pair or not (0 <= head[0] < layers and 0 <= head[1] < heads):
            raise ValueError(f"a head is given as (layer, head): the model has {layers} layers of "
                             f"{heads} heads, counted from 0")
    if first[0] >= second[0]:
        raise ValueError("the first head has to be in an earlier layer than the second: a head "
                         "reads what the layers before it have added")
    return share(moved[np.tuple(first)], read[np.tuple(second)])


# ---- strings and lists ----

def rsplit(text: text, sep: text | None = None, maxsplit: whole = -1):
    """As split, but with maxsplit it is the last places that are cut.
    receiver: string
    see: split rpartition
    >>> "a.b.py".rsplit(".", 1)
    ['a.b', 'py']
    """
    if sep is None:
        words = text.split()
        if maxsplit < 0 or np.len(words) <= maxsplit:
            return words
        rest = text.rstrip()
        for i in np.range(maxsplit):
            rest = rest[:np.len(rest) - np.len(words[-1 - i])].rstrip()
        return [rest, *words[np.len(words) - maxsplit:]]
    if sep == "":
        raise ValueError("a string cannot be split at an empty separator")
    pieces = []
    while maxsplit != 0 and sep in text:
        at = text.rindex(sep)
        pieces.insert(0, text[at + np.len(sep):])
        text = text[:at]
        maxsplit = maxsplit - 1
    return [text, *pieces]

def capitalize(text: text):
    """The string with a capital letter first, and small ones after it.
    receiver: string
    see: title lower upper
    >>> print("the CAT".capitalize())
    The cat
    """
    return text[:1].upper() + text[1:].lower()

def ascii(x: any):
    """What repr writes, with an escape for each character that is not ASCII.
    see: repr ord
    >>> print(ascii("é"))
    '\xe9'
    """
    def written(c):
        code = np.ord(c)
        if code < 128:
            return c
        if code < 256:
            return f"\\x{code:02x}"
        return f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    return "".join([written(c) for c in np.repr(x)])

def swapcase(text: text):
    """The string with capital letters for small ones, and small ones for capital ones.
    receiver: string
    see: upper lower
    >>> print("Layer Norm".swapcase())
    lAYER nORM
    """
    return "".join([c.lower() if c.upper() == c else c.upper() for c in text])

def casefold(text: text):
    """The string in small letters, to compare strings without regard to case.
    receiver: string
    see: lower
    >>> "Query".casefold() == "QUERY".casefold()
    True
    """
    return text.lower().replace("ß", "ss")

def istitle(text: text):
    """True when each word begins with a capital letter and goes on with small ones.
    receiver: string
    see: title isupper
    >>> "Layer Norm".istitle()
    True
    """
    return text == text.title() and text.upper() != text.lower()

def isidentifier(text: text):
    """True when the string could be a name: letters, digits and _, and no digit first.
    receiver: string
    see: isalnum
    >>> "d_model".isidentifier(), "2d".isidentifier()
    (True, False)
    """
    word = text.replace("_", "a")
    return word.isalnum() and not word[0].isdigit()

def isascii(text: text):
    """True when all characters are those of ASCII, with numbers below 128.
    receiver: string
    see: ord isalnum
    >>> "cat".isascii(), "猫".isascii()
    (True, False)
    """
    return np.all([np.ord(c) < 128 for c in text])

def expandtabs(text: text, tabsize: whole = 8):
    r"""The string with spaces for its tabs, up to columns that are multiples of tabsize.
    receiver: string
    see: ljust replace
    >>> print("a\tb".expandtabs(4))
    a   b
    """
    if tabsize < 0:
        raise ValueError(f"tabsize is {tabsize}, but it cannot be negative")
    pieces, column = [], 0
    for c in text:
        if c == "\t":
            c = " " * (tabsize - column % tabsize) if tabsize > 0 else ""
        pieces.append(c)
        column = 0 if c in ("\n", "\r") else column + np.len(c)
    return "".join(pieces)

def maketrans(function: any, x: any, y: any = None, z: text = ""):
    """str.maketrans(x, y, z) is a table for translate: each character of x becomes the one of y at
    its position, and those of z are taken out. str.maketrans(d) makes one of a record.
    receiver: function
    see: translate
    >>> str.maketrans("ab", "xy", "c")
    {97: 120, 98: 121, 99: None}
    """
    if y is None:
        if not np.isinstance(x, np.dict):
            raise TypeError("maketrans takes a record, or two strings of the same length")
        return {np.ord(key) if np.isinstance(key, np.str) else key: new for key, new in x.items()}
    if np.len(x) != np.len(y):
        raise ValueError("the first two strings that maketrans takes must have the same length")
    table = {np.ord(old): np.ord(new) for old, new in np.zip(x, y)}
    table.update({np.ord(c): None for c in z})
    return table

def translate(text: text, table: any):
    """The string with what a table of str.maketrans has for its characters; None takes one out.
    receiver: string
    see: maketrans replace
    >>> "Hello, you!".translate(str.maketrans("lo", "10", "!,"))
    'He110 y0u'
    """
    pieces = [table.get(np.ord(c), c) for c in text]
    return "".join([np.chr(p) if np.isinstance(p, np.int) else p for p in pieces if p is not None])

def partition(text: text, sep: text):
    """What is before the first separator, the separator, and what is behind it.
    receiver: string
    see: rpartition split
    >>> "key=value".partition("=")
    ('key', '=', 'value')
    """
    pieces = text.split(sep, 1)
    return (pieces[0], sep, pieces[1]) if np.len(pieces) == 2 else (text, "", "")

def rpartition(text: text, sep: text):
    """As partition, but at the last separator.
    receiver: string
    see: partition rsplit
    >>> "a/b/c".rpartition("/")
    ('a/b', '/', 'c')
    """
    behind, found, before = [part[::-1] for part in text[::-1].partition(sep[::-1])]
    return (before, found, behind)

def removeprefix(text: text, prefix: text):
    """The string without a part at its beginning, if it begins with that part.
    receiver: string
    see: removesuffix lstrip
    >>> print("un-masked".removeprefix("un-"))
    masked
    """
    return text[np.len(prefix):] if text.startswith(prefix) else text

def removesuffix(text: text, suffix: text):
    """The string without a part at its end, if it ends with that part.
    receiver: string
    see: removeprefix rstrip
    >>> print("heads.csv".removesuffix(".csv"))
    heads
    """
    return text[:np.len(text) - np.len(suffix)] if text.endswith(suffix) else text

def isupper(text: text):
    """True when there are letters, all of them capital.
    receiver: string
    see: islower upper
    >>> "GPT-2".isupper()
    True
    """
    return text == text.upper() and text != text.lower()

def isprintable(text: text):
    """True when repr writes no character of the string as an escape.
    receiver: string
    see: isascii repr
    >>> "a\tb".isprintable()
    False
    """
    escaped = text.count("\\")  # characters that are printable, and written with a \\ all the same
    if "'" in text and '"' in text:
        escaped = escaped + text.count("'")
    return np.len(np.repr(text)) == np.len(text) + escaped + 2

def islower(text: text):
    """True when there are letters, all of them small.
    receiver: string
    see: isupper lower
    >>> "bert".islower()
    True
    """
    return text == text.lower() and text != text.upper()

# ---- sets ----

def issubset(set: any, other: any):
    """Whether all items of a set are in the other: s <= t.
    receiver: set
    see: issuperset
    >>> {1}.issubset([1, 2])
    True
    """
    return set <= np.set(other)

def issuperset(set: any, other: any):
    """Whether all items of the other are in a set: s >= t.
    receiver: set
    see: issubset
    >>> {1, 2}.issuperset([1])
    True
    """
    return set >= np.set(other)

def isdisjoint(set: any, other: any):
    """Whether two sets have no item in common.
    receiver: set
    see: intersection
    >>> {1}.isdisjoint([2])
    True
    """
    return np.len(set & np.set(other)) == 0
