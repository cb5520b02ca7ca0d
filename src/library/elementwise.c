/* Functions of each element. Functions that an operator does alone share one call function through
 * the row's `op`. */
#include "base/host.h"
#include "base/interrupt.h"
#include "base/number.h"
#include "engine/tensor/recording.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* maximum(x, bound) or minimum(x, bound). Takes x over. On the tape an x that equals the bound has
 * the whole gradient, as in PyTorch's clamp; in maximum each has half of it. */
static Tensor *bounded(Op op, Tensor *x, Tensor *bound, Error *err) {
    if (!x || !tape_tracks((Tensor *[]){x, bound}, 2))
        return compute_binary(op, x, tensor_ref(bound), err);
    Tensor *y = op_binary(op, x, bound, err);
    Tensor *changed = compute_binary(OP_NOT_EQUAL, y, tensor_ref(x), err);
    Tensor *is_nan = op_unary(OP_ISNAN, x, err);
    changed = compute_binary(OP_AND, changed, compute_unary(OP_NOT, is_nan, err), err);
    return compute_where(changed, tensor_ref(bound), x, err);
}

static bool clip(const Call *call, Value *out, Error *err) {
    Tensor *x = array_ref(call, 0);
    if (given_at(call, 1)) x = bounded(OP_MAXIMUM, x, tensor_at(call, 1), err);
    if (given_at(call, 2)) x = bounded(OP_MINIMUM, x, tensor_at(call, 2), err);
    return give(x, out);
}

/* ---- round ---- */

/* Python's round of a number is right in decimal: it reads the digits. decimals: 1 to 17. */
static bool round_decimal(double x, int decimals, Value *out, Error *err) {
    LocalText text = TEXT_EMPTY;
    double rounded = 0;
    number_write_fixed(&text, fabs(x), decimals);
    bool ok = text_ok(&text, err);
    if (ok) number_read(text.data, text.length, &rounded);
    *out = value_number(copysign(rounded, x));
    return ok;
}

static bool round_value(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    const bool python = call->builtin->numpys != NULL;
    long long decimals = given_at(call, 1) ? whole_at(call, 1) : 0;
    if (python && given_at(call, 2)) decimals = whole_at(call, 2);
    if (decimals < -300 || decimals > 300)
        return error_set(err, ERR_VALUE, "round to %lld decimals: at most 300 make sense",
                         decimals);
    if (decimals == 0) return give(op_unary(OP_ROUND, x, err), out);
    if (python && x->shape.axes == 0 && !x->node && decimals > 0) {
        const double number = tensor_get(x, 0), whole_from = 0x1p52;
        if (!(fabs(number) < whole_from)) return give(tensor_ref(x), out);
        if (decimals <= 17) return round_decimal(number, (int)decimals, out, err);
    }
    /* NumPy multiplies, rounds and divides; for negative decimals the other way round. */
    double power = pow(10, (double)llabs(decimals));
    Op up = decimals > 0 ? OP_MULTIPLY : OP_DIVIDE, down = decimals > 0 ? OP_DIVIDE : OP_MULTIPLY;
    Tensor *scaled = compute_binary_number(up, tensor_ref(x), power, err);
    Tensor *whole = compute_unary(OP_ROUND, scaled, err);
    return give(compute_binary_number(down, whole, power, err), out);
}

static bool isinf_values(const Call *call, Value *out, Error *err) {
    Tensor *size = op_unary(OP_ABS, tensor_at(call, 0), err);
    return give(compute_binary_number(OP_EQUAL, size, INFINITY, err), out);
}

static bool exp2_values(const Call *call, Value *out, Error *err) {
    return give(compute_number_binary(OP_POWER, 2, array_ref(call, 0), err), out);
}

/* Replaces the elements that are equal to `what` by `value`. Takes x over. */
static Tensor *replaced(Tensor *x, double what, double value, Error *err) {
    Tensor *there = compute_binary_number(OP_EQUAL, tensor_ref(x), what, err);
    return compute_where(there, tensor_scalar(value, err), x, err);
}

static bool nan_to_num(const Call *call, Value *out, Error *err) {
    Tensor *x = array_ref(call, 0);
    double most = x->dtype == DTYPE_FLOAT ? FLT_MAX : DBL_MAX;
    if (!bool_at(call, 1) && call->interp->notes &&
        interp_first_in_session(call->interp, "nan_to_num"))
        host_note(call->interp->host,
                  "(nan_to_num gives a new array also with copy=False: write x = nan_to_num(x))");
    double above = given_at(call, 3) ? number_at(call, 3) : most,
           below = given_at(call, 4) ? number_at(call, 4) : -most;
    Tensor *is_nan = op_unary(OP_ISNAN, x, err);
    x = compute_where(is_nan, tensor_scalar(number_at(call, 2), err), x, err);
    return give(replaced(replaced(x, INFINITY, above, err), -INFINITY, below, err), out);
}

static bool gelu(const Call *call, Value *out, Error *err) {
    const char *approximate = string_at(call, 1)->data;
    bool with_tanh = strcmp(approximate, "tanh") == 0;
    if (!with_tanh && strcmp(approximate, "none") != 0)
        return error_set(err, ERR_VALUE, "approximate is \"none\" or \"tanh\", not \"%s\"",
                         approximate);
    return give(op_unary(with_tanh ? OP_GELU_TANH : OP_GELU, tensor_at(call, 0), err), out);
}

#define GROUP "elementwise"
static const BuiltinDef numpys_round = {BUILTIN("round", round_value),
                                        .parameters = "a:array decimals:whole=0"};

const BuiltinDef elementwise_table[] = {
    {ELEMENTWISE("exp", OP_EXP), .pythons = &exp_of_math,
     .summary = "e to the power of each element. It turns sums into products, and is the first "
                "step of softmax.",
     .formula = "eˣ", .example = "exp([0, 1])\n# -> [1, 2.718]", .see = "log softmax expm1"},
    {ELEMENTWISE("expm1", OP_EXPM1), .pythons = &expm1_of_math,
     .summary = "exp(x) − 1, without losing the digits of a small x.", .formula = "eˣ − 1",
     .example = "expm1(1e-9)\n# -> 1e-09", .see = "exp log1p"},
    {ELEMENTWISE("log", OP_LOG), .pythons = &log_of_math,
     .summary = "The natural logarithm. log(0) is -inf, and a negative number gives nan. "
                "math.log(x, base) is that to a base.",
     .formula = "ln x", .example = "log([1, e, 0])\n# -> [0, 1, -inf]",
     .see = "exp log2 log10 log1p"},
    {ELEMENTWISE("log1p", OP_LOG1P), .pythons = &log1p_of_math,
     .summary = "log(1 + x), without losing the digits of a small x.", .formula = "ln(1 + x)",
     .example = "log1p(1e-9)\n# -> 1e-09", .see = "log expm1"},
    {ELEMENTWISE("log2", OP_LOG2), .pythons = &log2_of_math,
     .summary = "The logarithm to base 2: entropies in bits.", .formula = "log₂ x",
     .example = "log2([1, 2, 8])\n# -> [0, 1, 3]", .see = "log log10"},
    {ELEMENTWISE("log10", OP_LOG10), .pythons = &log10_of_math,
     .summary = "The logarithm to base 10.", .formula = "log₁₀ x",
     .example = "log10([1, 1000])\n# -> [0, 3]", .see = "log log2"},
    {ELEMENTWISE("sqrt", OP_SQRT), .pythons = &sqrt_of_math,
     .summary = "The square root. A negative number gives nan.", .formula = "√x",
     .example = "sqrt([0, 4, 2])\n# -> [0, 2, 1.414]", .see = "norm"},
    {ELEMENTWISE("abs", OP_ABS), .summary = "The size of a number without its sign.",
     .formula = "|x|", .example = "abs([-3, 2])\n# -> [3, 2]\nabs(-3)\n# -> 3", .see = "sign norm"},
    {ELEMENTWISE("sign", OP_SIGN), .summary = "−1, 0 or 1: the sign of each element.",
     .example = "sign([-3, 0, 2])\n# -> [-1, 0, 1]", .see = "abs"},
    {ELEMENTWISE("sin", OP_SIN), .summary = "The sine of an angle in radians.",
     .example = "sin([0, pi / 2])\n# -> [0, 1]", .see = "cos tan sinusoidal"},
    {ELEMENTWISE("cos", OP_COS), .summary = "The cosine of an angle in radians.",
     .example = "cos([0, pi])\n# -> [1, -1]", .see = "sin tan"},
    {ELEMENTWISE("tan", OP_TAN), .summary = "The tangent of an angle in radians.",
     .example = "tan(pi / 4)\n# -> 1", .see = "sin cos"},
    {ELEMENTWISE("tanh", OP_TANH), .summary = "The hyperbolic tangent: a smooth step from −1 to 1.",
     .formula = "(eˣ − e⁻ˣ) / (eˣ + e⁻ˣ)", .example = "tanh([0, 1, 100])\n# -> [0, 0.7616, 1]",
     .see = "sigmoid rnn"},
    {ELEMENTWISE("sigmoid", OP_SIGMOID),
     .summary = "A smooth step from 0 to 1, often read as a probability.",
     .formula = "1 / (1 + e⁻ˣ)", .example = "sigmoid([-100, 0, 1])\n# -> [3.72e-44, 0.5, 0.7311]",
     .see = "tanh silu"},
    {ELEMENTWISE("relu", OP_RELU), .summary = "Negative numbers become 0, the others stay.",
     .formula = "max(x, 0)", .example = "relu([-1, 2])\n# -> [0, 2]", .see = "gelu silu ffn"},
    {BUILTIN("gelu", gelu), .parameters = "x:array approximate:text=\"none\"",
     .summary = "x times the probability that a standard normal number is below x: a smooth relu. "
                "approximate=\"tanh\" is the formula with tanh, which GPT-2 uses.",
     .shapes = "x (…) -> (…)", .formula = "x · Φ(x) = x/2 · (1 + erf(x/√2))",
     .example = "gelu([-1, 0, 1])\n# -> [-0.1587, 0, 0.8413]\n"
                "gelu(1, approximate=\"tanh\")\n# -> 0.8412",
     .see = "relu silu ffn"},
    {ELEMENTWISE("silu", OP_SILU), .summary = "x · sigmoid(x), also called swish: a smooth relu.",
     .formula = "x / (1 + e⁻ˣ)", .example = "silu([-1, 0, 1])\n# -> [-0.2689, 0, 0.7311]",
     .see = "relu gelu sigmoid"},
    {ELEMENTWISE("floor", OP_FLOOR), .summary = "The next whole number below.", .formula = "⌊x⌋",
     .example = "floor([1.7, -1.2])\n# -> [1, -2]", .see = "ceil round int"},
    {ELEMENTWISE("ceil", OP_CEIL), .summary = "The next whole number above.", .formula = "⌈x⌉",
     .example = "ceil([1.2, -1.7])\n# -> [2, -1]", .see = "floor round"},
    {BUILTIN("round", round_value), .numpys = &numpys_round,
     .parameters = "a:array decimals:whole?=None ndigits:whole?=None",
     .summary = "The nearest number with so many decimals; halves go to the even one. decimals=-1 "
                "rounds to tens. A single number is rounded by its exact digits, as in Python; "
                "np.round multiplies first, as it does for arrays.",
     .shapes = "a (…) -> (…)",
     .example = "round([0.5, 1.5, 2.6])\n# -> [0, 2, 3]\nround(pi, 2)\n# -> 3.14",
     .see = "floor ceil int"},
    {BUILTIN("around", round_value), .parameters = "a:array decimals:whole=0",
     .summary = "Another name of np.round, which multiplies, rounds and divides.",
     .shapes = "a (…) -> (…)", .example = "around([1.25, 3.75], 1)\n# -> [1.2, 3.8]",
     .see = "round"},
    {ELEMENTWISE("isnan", OP_ISNAN),
     .summary = "True where an element is nan (not a number, such as 0/0).",
     .example = "isnan([1, 0 / 0])\n# -> [False, True]", .see = "isfinite"},
    {ELEMENTWISE("isfinite", OP_ISFINITE),
     .summary = "True where an element is an ordinary number: not nan, inf or -inf.",
     .example = "isfinite([1, inf, nan])\n# -> [True, False, False]", .see = "isnan"},
    {BUILTIN("isinf", isinf_values), OF_ONE, .summary = "True where an element is inf or -inf.",
     .example = "isinf([1, -inf, nan])\n# -> [False, True, False]", .see = "isnan isfinite"},
    {BUILTIN("exp2", exp2_values), OF_ONE, .summary = "2 to the power of each element.",
     .formula = "2ˣ", .example = "exp2([0, 3])\n# -> [1, 8]", .see = "exp log2 power"},
    {BUILTIN("nan_to_num", nan_to_num),
     .parameters = "x:array copy:bool=True nan:number=0 posinf:number?=None neginf:number?=None",
     .summary = "Numbers in place of nan, inf and -inf: 0, and the largest and smallest that there "
                "are, unless others are given.",
     .shapes = "x (…) -> (…)", .example = "nan_to_num([nan, 2, inf], posinf=9)\n# -> [0, 2, 9]",
     .see = "isnan isinf where"},
    {OPERATOR_OF_TWO("power", OP_POWER),
     .summary = "x1 to the power of x2, element by element: what x1 ** x2 does.",
     .formula = "x1 ** x2", .example = "power([1, 2, 3], 2)\n# -> [1, 4, 9]", .see = "exp sqrt"},
    {OPERATOR_OF_TWO("maximum", OP_MAXIMUM),
     .summary = "The larger of two numbers, element by element. max looks for the largest element "
                "within one array.",
     .example = "maximum([1, 5], [3, 2])\n# -> [3, 5]", .see = "minimum max clip"},
    {OPERATOR_OF_TWO("minimum", OP_MINIMUM),
     .summary = "The smaller of two numbers, element by element.",
     .example = "minimum([1, 5], 3)\n# -> [1, 3]", .see = "maximum min clip"},
    {BUILTIN("clip", clip), .parameters = "a:array a_min:array? a_max:array?",
     .summary = "Keeps each element between two bounds: what lies outside becomes the bound. None "
                "leaves a side open.",
     .shapes = "a (…) -> (…)", .formula = "min(max(a, a_min), a_max)",
     .example = "clip([-2, 0.3, 5], 0, 1)\n# -> [0, 0.3, 1]", .see = "maximum minimum"},
    {0},
};

/* ---- the operators of the language as functions, under NumPy's names: add(a, b) is a + b ---- */

static bool square(const Call *call, Value *out, Error *err) {
    return give(compute_square(array_ref(call, 0), err), out);
}

static bool reciprocal(const Call *call, Value *out, Error *err) {
    const Tensor *x = tensor_at(call, 0);
    Interp *interp = call->interp;
    bool whole = true, large = false; /* all of them are whole, and some have no whole reciprocal */
    for (size_t i = 0; whole && i < x->count; i++) {
        double number = tensor_get(x, i);
        whole = number == floor(number);
        large = large || fabs(number) > 1;
    }
    if (interp->notes && whole && large && interp_first_in_entry(interp, "reciprocal"))
        host_note(interp->host, "(whole numbers are float64 here: reciprocal gives 1 / x, and not "
                                "the 0 that NumPy gives for integers)");
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
        if (interrupted(err)) return give(tensor_if(false, x), out);
        Tensor *later = all_but_first(tensor_ref(x), axis, err);
        x = compute_subtract(later, all_but_last(x, axis, err), err);
    }
    return give(x, out);
}

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
    {OPERATOR_OF_TWO("remainder", OP_MODULO), .pythons = &remainder_of_math,
     .summary = "x1 % x2: another name of mod.", .example = "remainder(7, 3)\n# -> 1",
     .see = "mod"},
    {ELEMENTWISE("negative", OP_NEGATIVE), .summary = "Each element with the other sign: -x.",
     .example = "negative([1, -2])\n# -> [-1, 2]", .see = "abs sign"},
    {ELEMENTWISE("absolute", OP_ABS), .summary = "Sizes without signs: another name of abs.",
     .example = "absolute([1, -2])\n# -> [1, 2]", .see = "abs"},
    {ELEMENTWISE("fabs", OP_ABS), .summary = "Sizes without signs: another name of abs.",
     .example = "fabs(-2)\n# -> 2", .see = "abs"},
    {ELEMENTWISE("rint", OP_ROUND),
     .summary = "The nearest whole number; halves go to the even one, as in round.",
     .example = "rint([0.4, 1.5, 2.5])\n# -> [0, 2, 2]", .see = "round trunc"},
    {BUILTIN("trunc", truncate), OF_ONE,
     .summary = "The whole number towards 0: the digits behind the point are cut off.",
     .example = "trunc([1.7, -1.7])\n# -> [1, -1]", .see = "floor round"},
    {BUILTIN("square", square), OF_ONE, .summary = "Each element times itself: x * x.",
     .example = "square([1, -3])\n# -> [1, 9]", .see = "sqrt"},
    {BUILTIN("reciprocal", reciprocal), OF_ONE, .summary = "One divided by each element: 1 / x.",
     .example = "reciprocal([2, 4])\n# -> [0.5, 0.25]", .see = "divide"},
    {BUILTIN("fix", truncate), OF_ONE, .summary = "Another name of trunc.",
     .example = "fix([1.7, -1.7])\n# -> [1, -1]", .see = "trunc"},
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
    {LOGICAL("logical_xor", OP_NOT_EQUAL),
     .summary = "True where one of both is true, but not the other.",
     .example = "logical_xor([1, 0], [2, 3])\n# -> [False, True]", .see = "logical_or not_equal"},
    {BUILTIN("logical_not", logical_not), OF_ONE, .summary = "True where x is 0 or False.",
     .example = "logical_not([1, 0])\n# -> [False, True]", .see = "logical_and"},
    {BUILTIN("diff", diff), .parameters = "a:array n:whole=1 axis:whole=-1",
     .summary = "The differences of neighbours along an axis, a[1:] - a[:-1], taken n times.",
     .shapes = "a (…, m) -> (…, m − n)", .formula = "aᵢ₊₁ − aᵢ",
     .example = "diff([1, 4, 9, 16])\n# -> [3, 5, 7]", .see = "cumsum subtract"},
    {0},
};

/* ---- comparing arrays, exactly or but for rounding ---- */

/* True where both are nan. */
static Tensor *both_nan(Tensor *a, Tensor *b, Error *err) {
    return compute_binary(OP_AND, op_unary(OP_ISNAN, a, err), op_unary(OP_ISNAN, b, err), err);
}

/* isclose, and allclose, whose constant is true: |a - b| <= atol + rtol |b| where b is finite;
 * elsewhere they have to be equal. The arguments from 2 on are rtol, atol, equal_nan. */
static bool isclose(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    Tensor *distance = compute_unary(OP_ABS, op_binary(OP_SUBTRACT, a, b, err), err);
    Tensor *allowed = compute_scale(op_unary(OP_ABS, b, err), number_at(call, 2), err);
    allowed = compute_binary_number(OP_ADD, allowed, number_at(call, 3), err);
    Tensor *near = compute_binary(OP_LESS_EQUAL, distance, allowed, err);
    near = compute_binary(OP_AND, near, op_unary(OP_ISFINITE, b, err), err);
    Tensor *close = compute_binary(OP_OR, near, op_binary(OP_EQUAL, a, b, err), err);
    if (bool_at(call, 4)) close = compute_binary(OP_OR, close, both_nan(a, b, err), err);
    return give(call->builtin->constant != 0 ? compute(OP_ALL, close, NULL, err) : close, out);
}

static bool array_equal(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    *out = value_bool(false);
    if (!shape_equal(&a->shape, &b->shape)) return true;
    Tensor *equal = op_binary(OP_EQUAL, a, b, err);
    if (bool_at(call, 2)) equal = compute_binary(OP_OR, equal, both_nan(a, b, err), err);
    return give(compute(OP_ALL, equal, NULL, err), out);
}

#undef GROUP
#define GROUP "reduce"
#define CLOSE \
    .parameters = "a:array b:array rtol:number=1e-05 atol:number=1e-08 equal_nan:bool=False", \
    .formula = "|a − b| ≤ atol + rtol · |b|"

const BuiltinDef comparing_table[] = {
    {BUILTIN("isclose", isclose), CLOSE, .pythons = &isclose_of_math,
     .summary = "True where two numbers are equal but for rounding, element by element. "
                "math.isclose(a, b, rel_tol=1e-9, abs_tol=0) is Python's.",
     .shapes = "a, b broadcast", .example = "isclose([0.1 + 0.2, 1], [0.3, 2])\n# -> [True, False]",
     .see = "allclose array_equal"},
    {BUILTIN("allclose", isclose), .constant = true, CLOSE,
     .summary = "True when two arrays are equal but for rounding, everywhere.",
     .example = "allclose(softmax([1, 2]).sum(), 1)\n# -> True", .see = "isclose array_equal"},
    {BUILTIN("array_equal", array_equal), .parameters = "a1:array a2:array equal_nan:bool=False",
     .summary = "True when two arrays have the same shape and exactly the same elements.",
     .example = "array_equal([1, 2], [1, 2])\n# -> True\narray_equal([1, 2], [1, 2, 3])\n"
                "# -> False",
     .see = "allclose"},
    {0},
};
