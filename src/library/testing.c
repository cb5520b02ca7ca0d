/* Asserts that arrays agree, as numpy.testing does: a check error says where they differ most. */
#include "base/number.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <math.h>

/* The most that two numbers may differ: absolute + relative · |desired|. */
typedef struct Tolerance {
    double absolute, relative;
} Tolerance;

/* The excess of a difference over what is allowed; 0 or less: the numbers agree. nan agrees with
 * nan. */
static double excess_of(double actual, double desired, Tolerance tolerance) {
    if (actual == desired || (isnan(actual) && isnan(desired))) return 0;
    double excess =
        fabs(actual - desired) - (tolerance.absolute + tolerance.relative * fabs(desired));
    return isnan(excess) || isinf(desired) ? INFINITY : excess;
}

static bool report(const String *said, const Tensor *actual, const Tensor *desired, size_t worst,
                   size_t count, Error *err) {
    Text text = TEXT_EMPTY;
    if (said->length > 0) text_format(&text, "%s: ", said->data);
    if (actual->shape.axes == 0) {
        text_string(&text, "the numbers differ: ");
    } else {
        text_format(&text, "%zu of %zu elements differ, most at ", count, actual->count);
        write_place(&text, &actual->shape, worst);
        text_string(&text, ": ");
    }
    number_write(&text, tensor_get(actual, worst), 10);
    text_string(&text, " and ");
    number_write(&text, tensor_get(desired, worst), 10);
    return check_failed(&text, err);
}

static bool compare_tensors(const String *said, const Tensor *actual, const Tensor *desired,
                            Tolerance tolerance, Error *err) {
    size_t worst = 0, count = 0;
    double most = 0;
    for (size_t i = 0; i < actual->count; i++) {
        double excess = excess_of(tensor_get(actual, i), tensor_get(desired, i), tolerance);
        count += excess > 0;
        if (excess > most) most = excess, worst = i;
    }
    return count == 0 || report(said, actual, desired, worst, count, err);
}

/* Argument `said` is what the person wants to read before the rest. A number agrees with an array
 * that is this number everywhere; other shapes must be equal. */
static bool agree(const Call *call, Tolerance tolerance, int said, Value *out, Error *err) {
    const Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    if (a->shape.axes && b->shape.axes && !shape_equal(&a->shape, &b->shape))
        return error_set(err, ERR_CHECK, "the shapes %s and %s differ", shape_words(&a->shape),
                         shape_words(&b->shape));
    const Shape *shape = a->shape.axes ? &a->shape : &b->shape;
    LocalTensor *actual = compute_broadcast(array_ref(call, 0), shape, err);
    LocalTensor *desired = actual ? compute_broadcast(array_ref(call, 1), shape, err) : NULL;
    *out = VALUE_NOTHING;
    return desired && compare_tensors(string_at(call, said), actual, desired, tolerance, err);
}

static bool assert_allclose(const Call *call, Value *out, Error *err) {
    return agree(call, (Tolerance){number_at(call, 3), number_at(call, 2)}, 5, out, err);
}

static bool assert_almost_equal(const Call *call, Value *out, Error *err) {
    return agree(call, (Tolerance){1.5 * pow(10, -number_at(call, 2)), 0}, 3, out, err);
}

static bool assert_array_equal(const Call *call, Value *out, Error *err) {
    return agree(call, (Tolerance){0, 0}, 2, out, err);
}

static bool assert_equal(const Call *call, Value *out, Error *err) {
    const Value *actual = &call->arguments[0], *desired = &call->arguments[1];
    *out = VALUE_NOTHING;
    if (value_equal(actual, desired)) return true;
    Text text = TEXT_EMPTY;
    const String *said = string_at(call, 2);
    if (said->length > 0) text_format(&text, "%s: ", said->data);
    value_write(&text, actual, call->interp->digits, true);
    text_string(&text, " is not ");
    value_write(&text, desired, call->interp->digits, true);
    return check_failed(&text, err);
}

#define GROUP "plain"
#define ALMOST(NAME, DECIMAL) \
    BUILTIN(NAME, assert_almost_equal), .parameters = \
                                            "actual:array desired:array decimal:number=" DECIMAL \
                                            " err_msg:text=\"\" verbose:bool=True"

const BuiltinDef testing_table[] = {
    {BUILTIN("assert_allclose", assert_allclose),
     .parameters = "actual:array desired:array rtol:number=1e-7 atol:number=0 equal_nan:bool=True "
                   "err_msg:text=\"\" verbose:bool=True",
     .summary = "A check error, with the place and the numbers, unless each |actual − desired| is "
                "at most atol + rtol · |desired|.",
     .example = "assert_allclose([0.1 + 0.2], [0.3])", .see = "assert_almost_equal"},
    {ALMOST("assert_almost_equal", "7"),
     .summary = "A check error unless the numbers agree to so many places behind the point: their "
                "differences are below 1.5 · 10^−decimal.",
     .example = "assert_almost_equal(1 / 3, 0.33333333)", .see = "assert_allclose"},
    {ALMOST("assert_array_almost_equal", "6"),
     .summary = "The same as assert_almost_equal, with 6 places.",
     .example = "assert_array_almost_equal([1 / 3, 2 / 3], [0.3333333, 0.6666667])",
     .see = "assert_almost_equal"},
    {BUILTIN("assert_array_equal", assert_array_equal),
     .parameters = "actual:array desired:array err_msg:text=\"\" verbose:bool=True",
     .summary = "A check error unless all numbers are the same; nan is the same as nan.",
     .example = "assert_array_equal([1, 2] + 1, [2, 3])", .see = "assert_allclose assert_equal"},
    {BUILTIN("assert_equal", assert_equal),
     .parameters = "actual:any desired:any err_msg:text=\"\" verbose:bool=True",
     .summary = "A check error unless the two values are equal.",
     .example = "assert_equal([1, 2].shape, (2,))", .see = "assert_array_equal"},
    {0},
};
