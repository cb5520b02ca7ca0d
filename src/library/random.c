/* Random arrays. Each function draws from the session's generator, or with
 * seed= from one of its own. */
#include "base/interrupt.h"
#include "lang/interp.h"
#include "library/arguments.h"

/* The generator to draw from: with seed= it is *own, which is begun. */
static bool generator_at(const Call *call, int i, Random *own, Random **out, Error *err) {
    *out = &call->interp->random;
    if (!given_at(call, i)) return true;
    long long seed;
    if (!whole_at(call, i, "seed", &seed, err)) return false;
    random_seed(own, (uint64_t)seed);
    *out = own;
    return true;
}

/* Draws numbers by a function of the generator or, without one, whole ones from [low, low + span).
 */
static Tensor *draw_numbers(Random *random, double (*next)(Random *), long long low, uint64_t span,
                            const Shape *shape, Error *err) {
    enum { POLL_EVERY = 1 << 16 };
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, shape, err);
    for (size_t i = 0; tensor && i < tensor->count; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return tensor_if(false, tensor);
        tensor_doubles(tensor)[i] =
            next ? next(random) : (double)(low + (long long)random_below(random, span));
    }
    return tensor;
}

static bool draw_shape(const Call *call, double (*next)(Random *), Value *out, Error *err) {
    Shape shape;
    Random own, *random;
    return shape_at(call, 0, &shape, err) && generator_at(call, 2, &own, &random, err) &&
           give(draw_numbers(random, next, 0, 0, &shape, err), out);
}

static bool rand_uniform(const Call *call, Value *out, Error *err) {
    return draw_shape(call, random_uniform, out, err);
}

static bool rand_normal(const Call *call, Value *out, Error *err) {
    return draw_shape(call, random_normal, out, err);
}

static bool randint(const Call *call, Value *out, Error *err) {
    long long low = 0, high;
    Shape shape = shape_scalar();
    Random own, *random;
    bool two = given_at(call, 1);
    if ((two && !whole_at(call, 0, "low", &low, err)) ||
        !whole_at(call, two ? 1 : 0, two ? "high" : "low", &high, err))
        return false;
    if (low >= high) {
        error_set(err, ERR_VALUE, "no whole number is at least %lld and below %lld", low, high);
        return error_hint(err, "The upper end is not included: randint(0, 2) is 0 or 1.");
    }
    if ((given_at(call, 2) && !shape_at(call, 2, &shape, err)) ||
        !generator_at(call, 3, &own, &random, err))
        return false;
    uint64_t span = (uint64_t)high - (uint64_t)low;
    return give(draw_numbers(random, NULL, low, span, &shape, err), out);
}

static bool permutation(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    bool is_list = x->kind == VALUE_LIST || x->kind == VALUE_TUPLE;
    Random own, *random;
    size_t count;
    if (!generator_at(call, 1, &own, &random, err)) return false;
    if (is_list) count = x->list->count;
    else if (value_is_array(x)) count = x->tensor->shape.size[0];
    else if (!size_at(call, 0, "the number of elements", &count, err)) return false;

    Tensor *order = vector_new(count, err);
    bool ok = order && random_permutation(random, tensor_doubles(order), count, err);
    if (ok && value_is_array(x))
        return give(compute_pick(tensor_ref(x->tensor), 0, order, err), out);
    if (ok && !is_list) return give(order, out);
    ok = ok && value_list_new(out, VALUE_LIST, count, err);
    for (size_t i = 0; ok && i < count; i++)
        out->list->items[out->list->count++] =
            value_ref(x->list->items[(size_t)tensor_doubles(order)[i]]);
    tensor_unref(order);
    return ok;
}

static bool seed(const Call *call, Value *out, Error *err) {
    long long number;
    if (!whole_at(call, 0, "seed", &number, err)) return false;
    call->interp->seed = (uint64_t)number;
    random_seed(&call->interp->random, (uint64_t)number);
    *out = VALUE_NOTHING;
    return true;
}

#define GROUP "make"

const BuiltinDef random_table[] = {
    {BUILTIN("rand", rand_uniform), .parameters = "shape:shape?=None *more:whole seed:whole?=None",
     .summary = "Random numbers, evenly spread from 0 up to 1. seed= gives the same numbers each "
                "time and leaves the session's generator alone.",
     .shapes = "-> shape; a number without a shape",
     .example = "x = rand(2, 3)\nall(x >= 0) and all(x < 1)\n# -> True",
     .see = "randn randint seed"},
    {BUILTIN("randn", rand_normal), .parameters = "shape:shape?=None *more:whole seed:whole?=None",
     .summary = "Random numbers from the standard normal distribution: mean 0, variance 1. seed= "
                "gives the same numbers each time.",
     .shapes = "-> shape; a number without a shape",
     .example = "all(randn(2, 3, seed=1) == randn((2, 3), seed=1))\n# -> True\n"
                "abs(mean(randn(10000))) < 0.1\n# -> True",
     .see = "rand seed"},
    {BUILTIN("randint", randint),
     .parameters = "low:whole high:whole?=None size:shape?=None seed:whole?=None",
     .summary = "Random whole numbers from low up to, but not including, high. With one bound they "
                "start at 0.",
     .shapes = "-> size; a number without a size",
     .example = "x = randint(1, 7, size=100)\nmin(x) >= 1 and max(x) <= 6\n# -> True",
     .see = "rand permutation seed"},
    {BUILTIN("permutation", permutation), .parameters = "x:any seed:whole?=None",
     .summary = "A number n gives 0 … n−1 in random order; an array or list gives its rows or "
                "items in random order.",
     .shapes = "n -> (n,);  x (n, …) -> (n, …)",
     .example = "sort(permutation(4))\n# -> [0, 1, 2, 3]", .see = "randint sort"},
    {BUILTIN("seed", seed), .parameters = "n:whole",
     .summary = "Restarts the session's random generator, so that what follows draws the same "
                "numbers again. A session starts with seed 0.",
     .example = "seed(3); a = randn(4)\nseed(3); b = randn(4)\nall(a == b)\n# -> True",
     .see = "rand randn"},
    {0},
};
