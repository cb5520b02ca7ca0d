/* Compares arrays, exactly or but for rounding. */
#include "library/arguments.h"

/* True where both are nan. */
static Tensor *both_nan(Tensor *a, Tensor *b, Error *err) {
    return compute_binary(OP_AND, op_unary(OP_ISNAN, a, err), op_unary(OP_ISNAN, b, err), err);
}

/* |a - b| <= atol + rtol |b| where b is finite; elsewhere they have to be equal. The arguments
 * from 2 on are rtol, atol, equal_nan. */
static Tensor *closeness(const Call *call, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    Tensor *distance = compute_unary(OP_ABS, op_binary(OP_SUBTRACT, a, b, err), err);
    Tensor *allowed = compute_scale(op_unary(OP_ABS, b, err), number_at(call, 2), err);
    allowed = compute_binary_number(OP_ADD, allowed, number_at(call, 3), err);
    Tensor *near = compute_binary(OP_LESS_EQUAL, distance, allowed, err);
    near = compute_binary(OP_AND, near, op_unary(OP_ISFINITE, b, err), err);
    Tensor *close = compute_binary(OP_OR, near, op_binary(OP_EQUAL, a, b, err), err);
    if (!bool_at(call, 4)) return close;
    return compute_binary(OP_OR, close, both_nan(a, b, err), err);
}

static bool isclose(const Call *call, Value *out, Error *err) {
    return give(closeness(call, err), out);
}

static bool allclose(const Call *call, Value *out, Error *err) {
    return give(compute(OP_ALL, closeness(call, err), NULL, err), out);
}

static bool array_equal(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    *out = value_bool(false);
    if (!shape_equal(&a->shape, &b->shape)) return true;
    Tensor *equal = op_binary(OP_EQUAL, a, b, err);
    if (bool_at(call, 2)) equal = compute_binary(OP_OR, equal, both_nan(a, b, err), err);
    return give(compute(OP_ALL, equal, NULL, err), out);
}

#define GROUP "reduce"
#define CLOSE \
    .parameters = "a:array b:array rtol:number=1e-05 atol:number=1e-08 equal_nan:bool=False", \
    .formula = "|a − b| ≤ atol + rtol · |b|"

const BuiltinDef comparing_table[] = {
    {BUILTIN("isclose", isclose), CLOSE,
     .summary = "True where two numbers are equal but for rounding, element by element.",
     .shapes = "a, b broadcast", .example = "isclose([0.1 + 0.2, 1], [0.3, 2])\n# -> [True, False]",
     .see = "allclose array_equal"},
    {BUILTIN("allclose", allclose), CLOSE,
     .summary = "True when two arrays are equal but for rounding, everywhere.",
     .example = "allclose(softmax([1, 2]).sum(), 1)\n# -> True", .see = "isclose array_equal"},
    {BUILTIN("array_equal", array_equal), .parameters = "a1:array a2:array equal_nan:bool=False",
     .summary = "True when two arrays have the same shape and exactly the same elements.",
     .example = "array_equal([1, 2], [1, 2])\n# -> True\narray_equal([1, 2], [1, 2, 3])\n"
                "# -> False",
     .see = "allclose"},
    {0},
};
