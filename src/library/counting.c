/* Counts numbers by where they fall, and treats arrays as sets. All of it searches in sorted
 * numbers, of which nan is the last. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

enum { POLL_EVERY = 1 << 14 };

/* ---- searching ---- */

static bool comes_before(double a, double b) { return a < b || (isnan(b) && !isnan(a)); }

/* The number of sorted numbers that come before x, or, with `after`, before or with it. */
static size_t place_among(const double *sorted, size_t count, double x, bool after) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (after ? !comes_before(x, sorted[middle]) : comes_before(sorted[middle], x))
            low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Finds the place of each number of x, in its shape. */
static Tensor *places_among(const Tensor *sorted, const Tensor *x, bool after, Error *err) {
    Tensor *places = tensor_new(DTYPE_DOUBLE, &x->shape, err);
    for (size_t i = 0; places && i < x->count; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return tensor_if(false, places);
        tensor_doubles(places)[i] =
            (double)place_among(tensor_doubles(sorted), sorted->count, tensor_get(x, i), after);
    }
    return places;
}

/* An argument as a vector of doubles; ERR_SHAPE if it has other axes than one. */
static Tensor *vector_at(const Call *call, int i, const char *what, Error *err) {
    const Tensor *x = tensor_at(call, i);
    if (x->shape.axes == 1) return tensor_cast(tensor_at(call, i), DTYPE_DOUBLE, err);
    error_set(err, ERR_SHAPE, "%s has to be a vector, but it is %s", what, shape_words(&x->shape));
    return NULL;
}

static bool searchsorted(const Call *call, Value *out, Error *err) {
    const char *side = string_at(call, 2)->data;
    LocalTensor *a = vector_at(call, 0, "a", err);
    if (!a) return false;
    if (strcmp(side, "left") != 0 && strcmp(side, "right") != 0)
        return error_set(err, ERR_VALUE, "side is \"left\" or \"right\", not \"%s\"", side);
    if (given_at(call, 3)) {
        a = compute_pick(a, 0, array_ref(call, 3), err);
        if (!a) return false;
    }
    return give(places_among(a, tensor_at(call, 1), strcmp(side, "right") == 0, err), out);
}

/* 1 if the numbers rise, equal ones included, -1 if they fall, else 0. */
static int direction_of(const Tensor *x) {
    const double *number = tensor_doubles(x);
    bool rises = true, falls = true;
    for (size_t i = 1; i < x->count; i++) {
        rises = rises && number[i] >= number[i - 1];
        falls = falls && number[i] <= number[i - 1];
    }
    return rises ? 1 : falls ? -1 : 0;
}

/* Among bins that fall, counted from the other end. */
static bool digitize(const Call *call, Value *out, Error *err) {
    bool right = bool_at(call, 2);
    LocalTensor *bins = vector_at(call, 1, "bins", err);
    int direction = bins ? direction_of(bins) : 0;
    if (bins && direction == 0)
        return error_set(err, ERR_VALUE, "the edges of bins rise or fall, but these do neither");
    if (direction > 0) return give(places_among(bins, tensor_at(call, 0), !right, err), out);
    bins = compute_reversed(bins, 0, err);
    Tensor *places = bins ? places_among(bins, tensor_at(call, 0), !right, err) : NULL;
    double count = bins ? (double)bins->count : 0;
    return give(compute_number_binary(OP_SUBTRACT, count, places, err), out);
}

/* ---- counting ---- */

/* Adds each of `weights`, or without them 1, to the one of `count` numbers that `places` names.
 * Takes the weights over. */
static Tensor *counted_at(Tensor *places, Tensor *weights, size_t count, Error *err) {
    IndexItem item = {.kind = INDEX_ARRAY, .array = places};
    const OpAttributes into = {.items = &item, .item_count = 1, .shape = shape_1d(count)};
    if (!weights) weights = tensor_full(DTYPE_DOUBLE, &places->shape, 1, err);
    return compute(OP_SCATTER, weights, &into, err);
}

/* The weights of an argument, or NULL where it is not given. */
static bool weights_at(const Call *call, int i, const Tensor *x, Tensor **out, Error *err) {
    *out = given_at(call, i) ? array_ref(call, i) : NULL;
    if (!*out || shape_equal(&(*out)->shape, &x->shape)) return true;
    error_set(err, ERR_SHAPE, "the weights are %s, but the array is %s",
              shape_words(&(*out)->shape), shape_words(&x->shape));
    tensor_unref(*out);
    return false;
}

static bool bincount(const Call *call, Value *out, Error *err) {
    size_t count, least;
    Tensor *weights;
    LocalTensor *x = vector_at(call, 0, "x", err);
    if (!x || !untracked_at(call, 0, "x", err) || !size_at(call, 2, "minlength", &least, err))
        return false;
    double most = -1;
    for (size_t i = 0; i < x->count; i++) {
        double number = tensor_doubles(x)[i];
        if (!(number >= 0) || number != floor(number))
            return error_set(err, ERR_VALUE, "%.15g cannot be counted: whole numbers from 0 on can",
                             number);
        most = fmax(most, number);
    }
    if (!size_from(most + 1, &count, err) || !weights_at(call, 1, x, &weights, err)) return false;
    return give(counted_at(x, weights, count > least ? count : least, err), out);
}

/* `count` bins of one width from low to high, as their edges. */
static Tensor *even_edges(double low, double high, double count, Error *err) {
    if (!isfinite(low) || !isfinite(high) || high < low) {
        error_set(err, ERR_VALUE, "bins cannot go from %g to %g", low, high);
        return NULL;
    }
    if (low == high) { /* as NumPy has it */
        low -= 0.5;
        high += 0.5;
    }
    Tensor *edges = sequence(0, 1, count + 1, err);
    edges = compute_scale(edges, (high - low) / count, err);
    edges = compute_binary_number(OP_ADD, edges, low, err);
    if (edges) tensor_doubles(edges)[edges->count - 1] = high;
    return edges;
}

/* The edges that bins= and range= ask for: a number of bins between the least and the largest
 * element, or the edges themselves. */
static Tensor *edges_at(const Call *call, const Tensor *a, Error *err) {
    enum { BINS = 1, RANGE };
    const Value *bins = &call->arguments[BINS];
    size_t count;
    double low = INFINITY, high = -INFINITY;
    if (bins->kind == VALUE_STRING) {
        error_set(err, ERR_VALUE, "bins is a number or the edges, not \"%s\"", bins->string->data);
        return NULL;
    }
    LocalTensor *given = value_as_tensor(bins, "bins", err);
    if (!given) return NULL;
    if (given->shape.axes > 0) {
        Tensor *edges = tensor_cast(given, DTYPE_DOUBLE, err);
        if (!edges || (edges->shape.axes == 1 && edges->count > 1 && direction_of(edges) > 0))
            return edges;
        error_set(err, ERR_VALUE, "the edges of bins are two rising numbers or more");
        return tensor_if(false, edges);
    }
    if (!value_size(bins, "the number of bins", &count, err)) return NULL;
    if (count == 0) {
        error_set(err, ERR_VALUE, "at least one bin is needed");
        return NULL;
    }
    if (given_at(call, RANGE)) {
        const Tensor *range = tensor_at(call, RANGE);
        if (range->count != 2) {
            error_set(err, ERR_SHAPE, "range is (low, high), not %s", shape_words(&range->shape));
            return NULL;
        }
        low = tensor_get(range, 0);
        high = tensor_get(range, 1);
    } else if (a->count == 0) {
        low = 0;
        high = 1;
    }
    for (size_t i = 0; !given_at(call, RANGE) && i < a->count; i++) {
        double x = tensor_get(a, i);
        low = isnan(x) ? x : fmin(low, x);
        high = isnan(x) ? x : fmax(high, x);
        if (isnan(x)) break;
    }
    return even_edges(low, high, (double)count, err);
}

/* A number lies in the bin whose left edge is the last that is not above it; the last bin has its
 * right edge, too. */
static bool histogram(const Call *call, Value *out, Error *err) {
    enum { DENSITY = 3, WEIGHTS };
    Tensor *a = tensor_at(call, 0), *weights;
    LocalTensor *edges = edges_at(call, a, err);
    if (!edges || !weights_at(call, WEIGHTS, a, &weights, err)) return false;
    size_t bins = edges->count - 1;
    double last = tensor_doubles(edges)[bins];
    /* Numbers outside of the range are counted in one bin more. */
    LocalTensor *places = places_among(edges, a, true, err);
    for (size_t i = 0; places && i < places->count; i++) {
        double *place = &tensor_doubles(places)[i], x = tensor_get(a, i);
        if (*place == 0 || !(x <= last)) *place = (double)bins;
        else *place = fmin(*place, (double)bins) - 1;
    }
    if (!places) return give(tensor_if(false, weights), out);
    Tensor *counts = compute_range(counted_at(places, weights, bins + 1, err), 0, 0, bins, err);
    if (bool_at(call, DENSITY) && counts) {
        Tensor *widths = compute_subtract(all_but_first(tensor_ref(edges), 0, err),
                                          all_but_last(tensor_ref(edges), 0, err), err);
        Tensor *sum = op_unary(OP_SUM, counts, err);
        counts = compute_divide(compute_divide(counts, widths, err), sum, err);
    }
    Value parts[] = {value_tensor(counts), value_tensor(tensor_ref(edges))};
    return give_items(out, VALUE_TUPLE, parts, 2, err);
}

/* ---- sets ---- */

/* The different numbers of x, rising. Takes x over. */
static Tensor *different_numbers(Tensor *x, Error *err) {
    x = compute_cast(compute_axis(OP_SORT, compute_flat(x, err), 0, false, err), DTYPE_DOUBLE, err);
    Tensor *found = x ? vector_new(x->count, err) : NULL;
    size_t count = 0;
    for (size_t i = 0; found && i < x->count; i++) {
        const double *number = tensor_doubles(x) + i;
        bool same = i > 0 && (*number == number[-1] || (isnan(*number) && isnan(number[-1])));
        if (!same) tensor_doubles(found)[count++] = *number;
    }
    tensor_unref(x);
    return compute_range(found, 0, 0, count, err);
}

/* Booleans in the shape of x: whether its numbers are among the sorted ones. nan never is. */
static Tensor *membership(const Tensor *x, const Tensor *sorted, bool invert, Error *err) {
    Tensor *is = tensor_new(DTYPE_BOOL, &x->shape, err);
    for (size_t i = 0; is && i < x->count; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return tensor_if(false, is);
        double number = tensor_get(x, i);
        size_t place = place_among(tensor_doubles(sorted), sorted->count, number, false);
        bool there = place < sorted->count && tensor_doubles(sorted)[place] == number;
        tensor_bools(is)[i] = there != invert;
    }
    return is;
}

static bool isin(const Call *call, Value *out, Error *err) {
    LocalTensor *sorted = different_numbers(array_ref(call, 1), err);
    return sorted && give(membership(tensor_at(call, 0), sorted, bool_at(call, 3), err), out);
}

static bool union1d(const Call *call, Value *out, Error *err) {
    Tensor *parts[] = {compute_flat(array_ref(call, 0), err),
                       compute_flat(array_ref(call, 1), err)};
    return give(different_numbers(join_parts(parts, 2, 0, err), err), out);
}

/* intersect1d and setdiff1d, whose constant is true. */
static bool chosen_by_others(const Call *call, Value *out, Error *err) {
    bool others = call->builtin->constant != 0;
    LocalTensor *own = different_numbers(array_ref(call, 0), err);
    LocalTensor *sorted = own ? different_numbers(array_ref(call, 1), err) : NULL;
    Tensor *chosen = sorted ? membership(own, sorted, others, err) : NULL;
    return chosen && give(compute_pick(tensor_ref(own), 0, chosen, err), out);
}

#define GROUP "reduce"

const BuiltinDef counting_table[] = {
    {BUILTIN("searchsorted", searchsorted),
     .parameters = "a:array v:array side:text=\"left\" sorter:array?=None",
     .summary = "Where numbers belong in a sorted vector, so that it stays sorted: before those "
                "that are equal, or with side=\"right\" behind them. sorter=argsort(a) is for an a "
                "that is not sorted.",
     .shapes = "a (n,), v (…) -> (…)", .example = "searchsorted([1, 2, 3], [2, 9])\n# -> [1, 3]",
     .see = "digitize sort"},
    {BUILTIN("digitize", digitize), .parameters = "x:array bins:array right:bool=False",
     .summary = "The number of the bin in which each element lies: 0 before the first edge, "
                "len(bins) behind the last. An edge belongs to the bin that it begins, with "
                "right=True to the one that it ends.",
     .shapes = "x (…), bins (n,) -> (…)",
     .example = "digitize([0.2, 1, 6.4], [0, 1, 5])\n# -> [1, 2, 3]",
     .see = "histogram searchsorted"},
    {BUILTIN("bincount", bincount), .parameters = "x:array weights:array?=None minlength:whole=0",
     .summary = "How often each whole number from 0 on occurs; with weights=, the sum of those "
                "that belong to it.",
     .shapes = "x (n,) -> (max(x) + 1,)",
     .example = "bincount([0, 1, 1, 3])\n# -> [1, 2, 0, 1]\n"
                "bincount([0, 1, 1], weights=[0.5, 1, 2])\n# -> [0.5, 3]",
     .see = "unique histogram"},
    {BUILTIN("histogram", histogram),
     .parameters = "a:array bins:any=10 range:array?=None density:bool=False weights:array?=None",
     .summary = "How many elements lie in each bin, and the edges of the bins, as a tuple. bins is "
                "a number of bins of one width, from the least element to the largest or over "
                "range=(low, high), or the edges. density=True gives areas that add up to 1.",
     .shapes = "a (…) -> (bins,), (bins + 1,)",
     .example = "counts, edges = histogram([1, 2, 1, 4], bins=3)\ncounts\n# -> [2, 1, 1]\n"
                "edges\n# -> [1, 2, 3, 4]",
     .see = "digitize bincount"},
    {BUILTIN("isin", isin),
     .parameters = "element:array test_elements:array assume_unique:bool=False invert:bool=False",
     .summary = "True where an element is one of the others; with invert=True where it is none.",
     .shapes = "element (…) -> (…)", .example = "isin([1, 2, 3], [3, 1])\n# -> [True, False, True]",
     .see = "unique intersect1d"},
    {BUILTIN("in1d", isin),
     .parameters = "ar1:array ar2:array assume_unique:bool=False invert:bool=False",
     .summary = "Another name of isin, for vectors.", .shapes = "ar1 (n,) -> (n,)",
     .example = "in1d([1, 2], [2])\n# -> [False, True]", .see = "isin"},
    {BUILTIN("union1d", union1d), .parameters = "ar1:array ar2:array",
     .summary = "The different numbers of two arrays, in rising order.",
     .shapes = "(…), (…) -> (found,)", .example = "union1d([3, 1], [1, 2])\n# -> [1, 2, 3]",
     .see = "unique intersect1d setdiff1d"},
    {BUILTIN("intersect1d", chosen_by_others),
     .parameters = "ar1:array ar2:array assume_unique:bool=False",
     .summary = "The numbers that are in both arrays, in rising order.",
     .shapes = "(…), (…) -> (found,)", .example = "intersect1d([3, 1, 2], [2, 3])\n# -> [2, 3]",
     .see = "union1d setdiff1d isin"},
    {BUILTIN("setdiff1d", chosen_by_others), .constant = true,
     .parameters = "ar1:array ar2:array assume_unique:bool=False",
     .summary = "The numbers of the first array that are not in the second, in rising order.",
     .shapes = "(…), (…) -> (found,)", .example = "setdiff1d([3, 1, 2], [2])\n# -> [1, 3]",
     .see = "union1d intersect1d isin"},
    {0},
};
