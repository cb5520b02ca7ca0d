/* The convolution of vectors. */
#include "base/interrupt.h"
#include "library/arguments.h"

#include <string.h>

/* Σⱼ a[i - j] v[j] for every i at which a and v meet: the sum of copies of a, each moved by j and
 * multiplied by v[j]. Borrows both; v is the shorter. */
static Tensor *convolved(Tensor *a, Tensor *v, Error *err) {
    Tensor *sum = NULL;
    for (size_t j = 0; j < v->count; j++) {
        Shape before = shape_1d(j), after = shape_1d(v->count - 1 - j);
        if (interrupted(err)) return tensor_if(false, sum);
        Tensor *scaled = compute_multiply(tensor_ref(a), compute_row(v, j, err), err);
        Tensor *parts[] = {tensor_zeros(DTYPE_DOUBLE, &before, err), scaled,
                           tensor_zeros(DTYPE_DOUBLE, &after, err)};
        Tensor *moved = join_parts(parts, 3, 0, err);
        sum = j == 0 ? moved : compute_add(sum, moved, err);
        if (!sum) return NULL;
    }
    return sum;
}

/* convolve, and correlate, whose constant is true and which turns v round. */
static bool convolve(const Call *call, Value *out, Error *err) {
    const char *mode = string_at(call, 2)->data;
    bool correlates = call->builtin->constant != 0, full = strcmp(mode, "full") == 0,
         same = strcmp(mode, "same") == 0;
    if (!full && !same && strcmp(mode, "valid") != 0)
        return error_set(err, ERR_VALUE, "mode is \"full\", \"same\" or \"valid\", not \"%s\"",
                         mode);
    LocalTensor *a = with_axes(array_ref(call, 0), 1, err),
                *v = a ? with_axes(array_ref(call, 1), 1, err) : NULL;
    if (!v) return false;
    if (a->shape.axes > 1 || v->shape.axes > 1)
        return error_set(err, ERR_SHAPE, "%s takes vectors, but these are %s and %s",
                         call->builtin->name, shape_words(&a->shape), shape_words(&v->shape));
    if (a->count == 0 || v->count == 0)
        return error_set(err, ERR_VALUE, "%s of nothing: a vector has no elements",
                         call->builtin->name);
    if (correlates && !tensor_replace(&v, compute_reversed(tensor_ref(v), 0, err))) return false;
    bool swap = v->count > a->count;
    Tensor *sum = convolved(swap ? v : a, swap ? a : v, err);
    size_t longer = swap ? v->count : a->count, shorter = swap ? a->count : v->count;
    /* NumPy turns the result of correlate round where it exchanges the vectors. */
    size_t first = shorter - 1, same_first = first / 2;
    if (correlates && swap) same_first = first - same_first;
    if (same) sum = compute_range(sum, 0, same_first, longer, err);
    else if (!full) sum = compute_range(sum, 0, first, longer - first, err);
    return give(sum, out);
}

#define GROUP "reduce"
#define CONVOLVE(MODE) .parameters = "a:array v:array mode:text=\"" MODE "\""

const BuiltinDef series_table[] = {
    {BUILTIN("convolve", convolve), CONVOLVE("full"),
     .summary = "The convolution of two vectors: the sums of products of a with v turned round, at "
                "every place where both meet; with mode=\"same\" as many as the longer has, with "
                "\"valid\" only where they meet whole.",
     .shapes = "(n,), (m,) -> (n + m − 1,)", .formula = "outᵢ = Σⱼ a[i − j] v[j]",
     .example = "convolve([1, 2, 3], [0, 1, 0.5])\n# -> [0, 1, 2.5, 4, 1.5]",
     .see = "correlate polyval"},
    {BUILTIN("correlate", convolve), .constant = true, CONVOLVE("valid"),
     .summary = "The sums of products of a with v moved along it, where both meet whole, or by "
                "mode= as in convolve.",
     .shapes = "(n,), (m,) -> (n − m + 1,)", .formula = "outᵢ = Σⱼ a[i + j] v[j]",
     .example = "correlate([1, 2, 3], [0, 1])\n# -> [2, 3]", .see = "convolve"},
    {0},
};
