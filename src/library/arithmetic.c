/* The operators of the language as functions, under NumPy's names: add(a, b) is a + b. */
#include "library/arguments.h"

static bool square(const Call *call, Value *out, Error *err) {
    return give(compute_square(array_ref(call, 0), err), out);
}

static bool reciprocal(const Call *call, Value *out, Error *err) {
    return give(compute_number_binary(OP_DIVIDE, 1, array_ref(call, 0), err), out);
}

static bool truncate(const Call *call, Value *out, Error *err) {
    return give(truncated(array_ref(call, 0), err), out);
}

/* ---- and, or, not: a number counts as true when it is not 0 ---- */

static Tensor *truth_at(const Call *call, int i, Error *err) {
    return compute_binary_number(OP_NOT_EQUAL, array_ref(call, i), 0, err);
}

/* The row's constant names the operator: `op` is for what an operator does alone. */
static bool logical(const Call *call, Value *out, Error *err) {
    Op op = (Op)call->builtin->constant;
    return give(compute_binary(op, truth_at(call, 0, err), truth_at(call, 1, err), err), out);
}

static bool logical_not(const Call *call, Value *out, Error *err) {
    return give(compute_unary(OP_NOT, truth_at(call, 0, err), err), out);
}

/* ---- differences ---- */

static bool diff(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    size_t times;
    int axis;
    if (!size_at(call, 1, "n", &times, err) ||
        !shape_axis(&x->shape, (long)number_at(call, 2), &axis, err))
        return false;
    tensor_ref(x);
    for (size_t i = 0; x && i < times && x->shape.size[axis] > 0; i++) {
        Tensor *later = all_but_first(tensor_ref(x), axis, err);
        x = compute_subtract(later, all_but_last(x, axis, err), err);
    }
    return give(x, out);
}

#define GROUP "elementwise"
#define OF_ONE .parameters = "x:array", .shapes = "x (…) -> (…)"
#define OF_TWO .parameters = "x1:array x2:array", .shapes = "x1, x2 broadcast"
#define OPERATOR_OF_TWO(NAME, OPERATOR) BUILTIN(NAME, call_binary), .op = OPERATOR, OF_TWO
#define LOGICAL(NAME, OPERATOR) BUILTIN(NAME, logical), .constant = OPERATOR, OF_TWO

const BuiltinDef arithmetic_table[] = {
    {OPERATOR_OF_TWO("add", OP_ADD), .summary = "The sum of each two elements: x1 + x2.",
     .example = "add([1, 2], 10)\n# -> [11, 12]", .see = "subtract sum"},
    {OPERATOR_OF_TWO("subtract", OP_SUBTRACT),
     .summary = "The difference of each two elements: x1 - x2.",
     .example = "subtract([5, 6], [1, 2])\n# -> [4, 4]", .see = "add diff"},
    {OPERATOR_OF_TWO("multiply", OP_MULTIPLY),
     .summary = "The product of each two elements: x1 * x2.",
     .example = "multiply([1, 2], [3, 4])\n# -> [3, 8]", .see = "divide prod"},
    {OPERATOR_OF_TWO("divide", OP_DIVIDE), .summary = "The quotient of each two elements: x1 / x2.",
     .example = "divide([1, 2], 4)\n# -> [0.25, 0.5]", .see = "multiply floor_divide"},
    {OPERATOR_OF_TWO("true_divide", OP_DIVIDE), .summary = "x1 / x2: another name of divide.",
     .example = "true_divide(1, 4)\n# -> 0.25", .see = "divide"},
    {OPERATOR_OF_TWO("floor_divide", OP_FLOOR_DIVIDE), .summary = "x1 // x2: rounded down.",
     .example = "floor_divide([7, -7], 2)\n# -> [3, -4]", .see = "mod divide"},
    {OPERATOR_OF_TWO("mod", OP_MODULO),
     .summary = "x1 % x2: what floor_divide leaves, with the sign of x2.",
     .example = "mod([7, -7], 3)\n# -> [1, 2]", .see = "remainder floor_divide"},
    {OPERATOR_OF_TWO("remainder", OP_MODULO), .summary = "x1 % x2: another name of mod.",
     .example = "remainder(7, 3)\n# -> 1", .see = "mod"},
    {BUILTIN("negative", call_unary), .op = OP_NEGATIVE, OF_ONE,
     .summary = "Each element with the other sign: -x.",
     .example = "negative([1, -2])\n# -> [-1, 2]", .see = "abs sign"},
    {BUILTIN("absolute", call_unary), .op = OP_ABS, OF_ONE,
     .summary = "Sizes without signs: another name of abs.",
     .example = "absolute([1, -2])\n# -> [1, 2]", .see = "abs"},
    {BUILTIN("fabs", call_unary), .op = OP_ABS, OF_ONE,
     .summary = "Sizes without signs: another name of abs.", .example = "fabs(-2)\n# -> 2",
     .see = "abs"},
    {BUILTIN("rint", call_unary), .op = OP_ROUND, OF_ONE,
     .summary = "The nearest whole number; halves go to the even one, as in round.",
     .example = "rint([0.4, 1.5, 2.5])\n# -> [0, 2, 2]", .see = "round trunc"},
    {BUILTIN("trunc", truncate), OF_ONE,
     .summary = "The whole number towards 0: what stands behind the point is cut off.",
     .example = "trunc([1.7, -1.7])\n# -> [1, -1]", .see = "floor round"},
    {BUILTIN("square", square), OF_ONE, .summary = "Each element times itself: x * x.",
     .example = "square([1, -3])\n# -> [1, 9]", .see = "sqrt"},
    {BUILTIN("reciprocal", reciprocal), OF_ONE, .summary = "One divided by each element: 1 / x.",
     .example = "reciprocal([2, 4])\n# -> [0.5, 0.25]", .see = "divide"},
    {OPERATOR_OF_TWO("equal", OP_EQUAL), .summary = "Where x1 == x2, element by element.",
     .example = "equal([1, 2], [1, 3])\n# -> [True, False]", .see = "not_equal"},
    {OPERATOR_OF_TWO("not_equal", OP_NOT_EQUAL), .summary = "Where x1 != x2, element by element.",
     .example = "not_equal([1, 2], [1, 3])\n# -> [False, True]", .see = "equal"},
    {OPERATOR_OF_TWO("less", OP_LESS), .summary = "Where x1 < x2, element by element.",
     .example = "less([1, 3], 2)\n# -> [True, False]", .see = "less_equal greater"},
    {OPERATOR_OF_TWO("less_equal", OP_LESS_EQUAL), .summary = "Where x1 <= x2, element by element.",
     .example = "less_equal([1, 3], 1)\n# -> [True, False]", .see = "less greater_equal"},
    {OPERATOR_OF_TWO("greater", OP_GREATER), .summary = "Where x1 > x2, element by element.",
     .example = "greater([1, 3], 2)\n# -> [False, True]", .see = "greater_equal less"},
    {OPERATOR_OF_TWO("greater_equal", OP_GREATER_EQUAL),
     .summary = "Where x1 >= x2, element by element.",
     .example = "greater_equal([1, 3], 3)\n# -> [False, True]", .see = "greater less_equal"},
    {LOGICAL("logical_and", OP_AND),
     .summary = "True where both are true. Numbers count as true when they are not 0.",
     .example = "logical_and([1, 0], [2, 3])\n# -> [True, False]", .see = "logical_or all"},
    {LOGICAL("logical_or", OP_OR),
     .summary = "True where one of both is true. Numbers count as true when they are not 0.",
     .example = "logical_or([1, 0], [0, 0])\n# -> [True, False]", .see = "logical_and any"},
    {BUILTIN("logical_not", logical_not), OF_ONE, .summary = "True where x is 0 or False.",
     .example = "logical_not([1, 0])\n# -> [False, True]", .see = "logical_and"},
    {BUILTIN("diff", diff), .parameters = "a:array n:whole=1 axis:whole=-1",
     .summary = "The differences of neighbours along an axis, a[1:] - a[:-1], taken n times.",
     .shapes = "a (…, m) -> (…, m − n)", .formula = "aᵢ₊₁ − aᵢ",
     .example = "diff([1, 4, 9, 16])\n# -> [3, 5, 7]", .see = "cumsum subtract"},
    {0},
};
