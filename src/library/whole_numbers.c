/* Functions of whole numbers, and of pairs of numbers that no operator serves: what Python's math
 * and NumPy have of them. None has a derivative. */
#include "base/interrupt.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* ---- two arrays, number by number ---- */

static double greatest_common_divisor(double a, double b) {
    a = fabs(a);
    b = fabs(b);
    while (b != 0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

static double least_common_multiple(double a, double b) {
    double divisor = greatest_common_divisor(a, b);
    return divisor == 0 ? 0 : fabs(a / divisor * b);
}

static double heaviside_step(double x, double at_0) { return isnan(x) ? x : x == 0 ? at_0 : x > 0; }

/* The row's constant is the index. */
enum { GCD, LCM, FMOD, COPYSIGN, HEAVISIDE };
static double (*const functions[])(double, double) = {
    greatest_common_divisor, least_common_multiple, fmod, copysign, heaviside_step};

static bool of_numbers(int function, double x, double y, double *out, Error *err) {
    bool whole = function > LCM || (x == floor(x) && y == floor(y) && isfinite(x + y));
    if (!whole)
        return error_set(err, ERR_VALUE, "%.15g and %.15g are not both whole numbers", x, y);
    *out = functions[function](x, y);
    return true;
}

static Tensor *each_pair(int function, Tensor *a, Tensor *b, Error *err) {
    enum { POLL_EVERY = 1 << 14 };
    Shape shape;
    if (!shape_broadcast(&a->shape, &b->shape, &shape, err)) return NULL;
    LocalTensor *first = compute_broadcast(tensor_ref(a), &shape, err),
                *second = first ? compute_broadcast(tensor_ref(b), &shape, err) : NULL;
    Tensor *out = second ? tensor_new(DTYPE_DOUBLE, &shape, err) : NULL;
    for (size_t i = 0; out && i < out->count; i++)
        if ((i % POLL_EVERY == 0 && interrupted(err)) ||
            !of_numbers(function, tensor_get(first, i), tensor_get(second, i),
                        &tensor_doubles(out)[i], err))
            return tensor_if(false, out);
    return out;
}

static bool of_pairs(const Call *call, Value *out, Error *err) {
    const int function = (int)call->builtin->constant;
    return untracked_at(call, 0, call->builtin->name, err) &&
           untracked_at(call, 1, call->builtin->name, err) &&
           give(each_pair(function, tensor_at(call, 0), tensor_at(call, 1), err), out);
}

/* gcd and lcm of Python's math: of any number of numbers, of none 0 and 1. */
static bool of_many(const Call *call, Value *out, Error *err) {
    int function = (int)call->builtin->constant;
    *out = value_number(function == LCM);
    for (size_t i = 0; i < call->rest_count; i++)
        if (!of_numbers(function, out->number, value_scalar(&call->rest[i]), &out->number, err))
            return false;
    return true;
}

/* ---- counting ---- */

static bool whole_from_0(const Call *call, int i, double *out, Error *err) {
    *out = number_at(call, i);
    if (*out >= 0) return true;
    const char *name = call->builtin->name;
    error_set(err, ERR_VALUE, "%s of %.15g: it takes whole numbers from 0 on", name, *out);
    if (strcmp(name, "factorial") == 0)
        return error_python(err, "factorial() not defined for negative values");
    return error_python(err, "%s must be a non-negative integer", i == 0 ? "n" : "k");
}

static bool factorial(const Call *call, Value *out, Error *err) {
    double n, product = 1;
    if (!whole_from_0(call, 0, &n, err)) return false;
    for (double i = 2; i <= n && product < INFINITY; i++) product *= i;
    if (n > 22) note_rounded(call->interp, product); /* 22! ends in zeros in base 2 */
    *out = value_number(product);
    return true;
}

/* comb, and perm, whose constant is true and which counts the orders, too. */
static bool count_choices(const Call *call, Value *out, Error *err) {
    bool orders = call->builtin->constant != 0;
    double n, k, product = 1;
    if (!whole_from_0(call, 0, &n, err)) return false;
    k = n;
    if (given_at(call, 1) && !whole_from_0(call, 1, &k, err)) return false;
    if (!orders && k > n / 2 && k <= n) k = n - k;
    if (k > n) product = 0;
    uint64_t exact = 1; /* product; 0 once it does not fit */
    for (double i = 0; i < k && product > 0 && product < INFINITY; i++) {
        /* Divided by i + 1 it is whole: it counts, too. */
        uint64_t factor = (uint64_t)(n - i), divisor = orders ? 1 : (uint64_t)i + 1;
        uint64_t quotient = exact / divisor, rest = exact % divisor;
        bool fits = quotient < UINT64_MAX / factor;
        exact = fits ? quotient * factor + rest * factor / divisor : 0;
        product = exact > 0 ? (double)exact : product * (double)factor / (double)divisor;
    }
    bool fits = exact > 0 && exact <= INT64_MAX;
    if (k <= n && !(fits && (uint64_t)product == exact)) note_rounded(call->interp, product);
    *out = value_number(product);
    return true;
}

static bool isqrt(const Call *call, Value *out, Error *err) {
    double n = number_at(call, 0), root = floor(sqrt(n));
    if (!(n >= 0 && n == floor(n) && n <= 0x1p106))
        return error_set(err, ERR_VALUE, "isqrt of %.15g: it takes whole numbers from 0 to 2**106",
                         n);
    root -= fma(root, root, -n) > 0;
    root += fma(root + 1, root + 1, -n) <= 0;
    *out = value_number(root);
    return true;
}

/* a b mod m, of numbers below m < 2^53, a bit at a time. */
static uint64_t multiply_modulo(uint64_t a, uint64_t b, uint64_t m) {
    uint64_t product = 0;
    for (; b > 0; b >>= 1) {
        if (b & 1) product = (product + a) % m;
        a = 2 * a % m;
    }
    return product;
}

/* The x for which a x = 1 mod m; 0 where there is none. */
static uint64_t inverse_modulo(uint64_t a, uint64_t m) {
    int64_t r = (int64_t)m, next = (int64_t)(a % m), x = 0, next_x = 1;
    while (next != 0) {
        int64_t quotient = r / next, rest = r - quotient * next, rest_x = x - quotient * next_x;
        r = next;
        next = rest;
        x = next_x;
        next_x = rest_x;
    }
    return r == 1 ? (uint64_t)(x < 0 ? x + (int64_t)m : x) : 0;
}

/* Python's pow: with mod, exact where the product would not be. */
static bool power_of_python(const Call *call, Value *out, Error *err) {
    if (!given_at(call, 2)) {
        if (!give(op_binary(OP_POWER, tensor_at(call, 0), tensor_at(call, 1), err), out))
            return false;
        bool divides = out->kind == VALUE_NUMBER && isinf(out->number) &&
                       value_scalar(&call->arguments[0]) == 0;
        if (!divides || !interp_runs_python(call->interp)) return true;
        error_set(err, ERR_VALUE, "0.0 cannot be raised to a negative power");
        return error_mark(err, "ZeroDivisionError");
    }
    const double exact_to = 9007199254740992.0;
    double numbers[3] = {NAN, NAN, number_at(call, 2)};
    for (int i = 0; i < 3; i++) {
        if (i < 2 && tensor_at(call, i)->count == 1) numbers[i] = tensor_get(tensor_at(call, i), 0);
        if (numbers[i] != floor(numbers[i]) || !(fabs(numbers[i]) <= exact_to))
            return error_set(err, ERR_TYPE, "pow with mod takes whole numbers up to 2**53");
    }
    double base = numbers[0], exponent = numbers[1], mod = fabs(numbers[2]);
    if (mod == 0) return error_set(err, ERR_VALUE, "pow: mod is 0");
    uint64_t m = (uint64_t)mod, result = 1 % m, a = (uint64_t)fmod(fmod(base, mod) + mod, mod);
    if (exponent < 0 && (a = inverse_modulo(a, m)) == 0 && m > 1)
        return error_set(err, ERR_VALUE, "%.15g has no inverse modulo %.15g", base, mod);
    for (uint64_t left = (uint64_t)fabs(exponent); left > 0; left >>= 1) {
        if (left & 1) result = multiply_modulo(result, a, m);
        a = multiply_modulo(a, a, m);
    }
    *out = value_number((double)result + (numbers[2] < 0 && result > 0 ? numbers[2] : 0));
    return true;
}

/* ---- what Python's math has otherwise ---- */

/* In a .py file a function of Python's math fails where its value would not be finite, although its
 * arguments are. */
static bool checked(const Call *call, Value *out, Error *err) {
    bool plain = out->kind == VALUE_NUMBER && !isfinite(out->number);
    for (int i = 0; plain && i < 2 && given_at(call, i); i++)
        plain = isfinite(value_scalar(&call->arguments[i]));
    if (!plain || !interp_runs_python(call->interp)) return true;
    Op op = (Op)call->builtin->op;
    bool range = op == OP_EXP || op == OP_EXPM1 || op == OP_SINH || op == OP_COSH;
    if (strcmp(call->builtin->name, "tgamma") == 0) range = value_scalar(&call->arguments[0]) > 1;
    if (op == OP_POWER) range = isinf(out->number) && value_scalar(&call->arguments[0]) != 0;
    error_set(err, ERR_VALUE, range ? "math range error" : "math domain error");
    return error_mark(err, range ? "OverflowError" : "ValueError");
}

/* The row's constant says that a value which is not finite is looked at here. */
static bool unary_of_python(const Call *call, Value *out, Error *err) {
    return call_unary(call, out, err) && checked(call, out, err);
}

/* Exact where the factorial is. */
static double gamma_of(double x) {
    if (!(x >= 1 && x <= 23 && x == floor(x))) return tgamma(x);
    double product = 1;
    for (double i = 2; i < x; i++) product *= i;
    return product;
}

/* The row's constant is the index. */
enum { LGAMMA, TGAMMA, ERFC };
static double (*const functions_of_one[])(double) = {lgamma, gamma_of, erfc};

static bool of_each(const Call *call, Value *out, Error *err) {
    enum { POLL_EVERY = 1 << 14 };
    const Tensor *x = tensor_at(call, 0);
    if (!untracked_at(call, 0, call->builtin->name, err)) return false;
    Tensor *result = tensor_new(DTYPE_DOUBLE, &x->shape, err);
    for (size_t i = 0; result && i < x->count; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return give(tensor_if(false, result), out);
        tensor_doubles(result)[i] =
            functions_of_one[(int)call->builtin->constant](tensor_get(x, i));
    }
    return give(result, out) && checked(call, out, err);
}

static bool log_of_python(const Call *call, Value *out, Error *err) {
    Tensor *log = op_unary(OP_LOG, tensor_at(call, 0), err);
    if (given_at(call, 1))
        log = compute_divide(log, op_unary(OP_LOG, tensor_at(call, 1), err), err);
    return give(log, out) && checked(call, out, err);
}

static bool two_of_python(const Call *call, Value *out, Error *err) {
    bool ok =
        call->builtin->op == OP_POWER ? call_binary(call, out, err) : of_pairs(call, out, err);
    return ok && checked(call, out, err);
}

static bool isclose_of_python(const Call *call, Value *out, Error *err) {
    double a = number_at(call, 0), b = number_at(call, 1), distance = fabs(a - b);
    bool finite = isfinite(a) && isfinite(b);
    (void)err;
    *out = value_bool(a == b ||
                      (finite && distance <= fmax(number_at(call, 2) * fmax(fabs(a), fabs(b)),
                                                  number_at(call, 3))));
    return true;
}

/* Python's math.remainder: x minus the multiple of y that is nearest to it (IEEE 754). */
static bool remainder_of_python(const Call *call, Value *out, Error *err) {
    double x = number_at(call, 0), y = number_at(call, 1);
    *out = value_number(remainder(x, y));
    return !isnan(out->number) || isnan(x) || isnan(y) || !interp_runs_python(call->interp) ||
           error_set(err, ERR_VALUE, "inf and a division by 0 leave no remainder") ||
           error_python(err, "math domain error");
}

static bool prod_of_python(const Call *call, Value *out, Error *err) {
    Tensor *product = op_unary(OP_PROD, tensor_at(call, 0), err);
    return give(compute_multiply(product, array_ref(call, 1), err), out);
}

/* The square root of the sum of the squares of the differences. */
static bool dist(const Call *call, Value *out, Error *err) {
    Tensor *difference = op_binary(OP_SUBTRACT, tensor_at(call, 0), tensor_at(call, 1), err);
    return give(compute_unary(OP_NORM, difference, err), out);
}

#define GROUP "elementwise"
#define PAIRS(NAME, WHICH) BUILTIN(NAME, of_pairs), .constant = WHICH, OF_TWO

static const BuiltinDef python_gcd = {BUILTIN("gcd", of_many), .constant = GCD,
                                      .parameters = "*integers:number"};
static const BuiltinDef python_lcm = {BUILTIN("lcm", of_many), .constant = LCM,
                                      .parameters = "*integers:number"};
#define OF_MATH(NAME, OPERATOR) \
    { BUILTIN(NAME, unary_of_python), .op = OPERATOR, .constant = 1, .parameters = "x:array" }
const BuiltinDef sqrt_of_math = OF_MATH("sqrt", OP_SQRT);
const BuiltinDef exp_of_math = OF_MATH("exp", OP_EXP);
const BuiltinDef log2_of_math = OF_MATH("log2", OP_LOG2);
const BuiltinDef log10_of_math = OF_MATH("log10", OP_LOG10);
const BuiltinDef log1p_of_math = OF_MATH("log1p", OP_LOG1P);
const BuiltinDef expm1_of_math = OF_MATH("expm1", OP_EXPM1);
const BuiltinDef asin_of_math = OF_MATH("asin", OP_ARCSIN);
const BuiltinDef acos_of_math = OF_MATH("acos", OP_ARCCOS);
const BuiltinDef sinh_of_math = OF_MATH("sinh", OP_SINH);
const BuiltinDef cosh_of_math = OF_MATH("cosh", OP_COSH);
static const BuiltinDef pow_of_math = {BUILTIN("pow", two_of_python), .op = OP_POWER, .constant = 1,
                                       .parameters = "x:array y:array"};
static const BuiltinDef fmod_of_math = {BUILTIN("fmod", two_of_python), .constant = FMOD,
                                        .parameters = "x:array y:array"};
const BuiltinDef log_of_math = {BUILTIN("log", log_of_python), .op = OP_LOG, .constant = 1,
                                .parameters = "x:array base:array?=None"};
const BuiltinDef remainder_of_math = {BUILTIN("remainder", remainder_of_python),
                                      .parameters = "x:number y:number"};
const BuiltinDef prod_of_math = {BUILTIN("prod", prod_of_python),
                                 .parameters = "iterable:array * start:array=1"};
const BuiltinDef isclose_of_math = {
    BUILTIN("isclose", isclose_of_python),
    .parameters = "a:number b:number * rel_tol:number=1e-09 abs_tol:number=0"};

const BuiltinDef whole_numbers_table[] = {
    {BUILTIN("tgamma", of_each), .constant = TGAMMA, OF_ONE,
     .summary =
         "The gamma function, which is (n − 1)! for whole numbers n above 0: Python has it as "
         "math.gamma.",
     .formula = "Γ(x) = ∫₀^∞ tˣ⁻¹ e⁻ᵗ dt", .example = "tgamma([1, 2, 5])\n# -> [1, 1, 24]",
     .see = "lgamma factorial"},
    {BUILTIN("lgamma", of_each), .constant = LGAMMA, OF_ONE,
     .summary = "The logarithm of the size of the gamma function.", .formula = "ln |Γ(x)|",
     .example = "lgamma([1, 2, 5])\n# -> [0, 0, 3.178]", .see = "tgamma factorial"},
    {BUILTIN("erfc", of_each), .constant = ERFC, OF_ONE,
     .summary = "1 − erf(x), exact also where erf is close to 1.",
     .example = "erfc([0, 10])\n# -> [1, 2.088e-45]", .see = "erf"},
    {PAIRS("gcd", GCD), .pythons = &python_gcd,
     .summary = "The greatest whole number that divides both; math.gcd takes any number of them.",
     .example = "gcd(12, [8, 9])\n# -> [4, 3]", .see = "lcm mod"},
    {PAIRS("lcm", LCM), .pythons = &python_lcm,
     .summary = "The least whole number that both divide; math.lcm takes any number of them.",
     .example = "lcm(4, [6, 5])\n# -> [12, 20]", .see = "gcd"},
    {PAIRS("fmod", FMOD), .pythons = &fmod_of_math,
     .summary = "What the division leaves, with the sign of x1; mod has that of x2.",
     .example = "fmod([7, -7], 3)\n# -> [1, -1]", .see = "mod trunc"},
    {PAIRS("copysign", COPYSIGN), .summary = "The size of x1 with the sign of x2.",
     .example = "copysign(3, [-1, 2])\n# -> [-3, 3]", .see = "sign abs"},
    {PAIRS("heaviside", HEAVISIDE),
     .summary = "A step: 0 for numbers below 0, 1 for those above, and x2 at 0.",
     .example = "heaviside([-2, 0, 3], 0.5)\n# -> [0, 0.5, 1]", .see = "sign relu"},
    {BUILTIN("factorial", factorial), .parameters = "n:whole",
     .summary = "The product of the whole numbers from 1 to n: the number of their orders. Above "
                "18 it is rounded, and above 170 inf.",
     .formula = "n! = 1 · 2 · … · n", .example = "factorial(5)\n# -> 120", .see = "comb perm prod"},
    {BUILTIN("comb", count_choices), .parameters = "n:whole k:whole",
     .summary = "In how many ways k things can be chosen from n, whatever their order.",
     .formula = "n! / (k! (n − k)!)", .example = "comb(5, 2)\n# -> 10", .see = "perm factorial"},
    {BUILTIN("perm", count_choices), .constant = true, .parameters = "n:whole k:whole?=None",
     .summary = "In how many ways k of n things can stand in a row.", .formula = "n! / (n − k)!",
     .example = "perm(5, 2)\n# -> 20", .see = "comb factorial"},
    {BUILTIN("pow", power_of_python), .pythons = &pow_of_math,
     .parameters = "base:array exp:array mod:whole?=None",
     .summary = "base ** exp; with mod, what a division by it leaves, exact for whole numbers up "
                "to 2**53. A negative exponent takes the inverse modulo mod.",
     .formula = "baseᵉˣᵖ mod m", .example = "pow(2, 10), pow(7, 100, 1000007)\n# -> (1024, 543799)",
     .see = "power mod"},
    {BUILTIN("isqrt", isqrt), .parameters = "n:number",
     .summary = "The whole part of the square root of a whole number.",
     .example = "isqrt(17)\n# -> 4", .see = "sqrt floor"},
    {BUILTIN("dist", dist), .parameters = "p:array q:array",
     .summary = "The distance of two points, which are given by their coordinates.",
     .formula = "√(Σᵢ (pᵢ − qᵢ)²)", .example = "dist([1, 2], [4, 6])\n# -> 5", .see = "norm hypot"},
    {0},
};
