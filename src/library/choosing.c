/* Draws among given elements, and puts them in a random order. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/interp.h"
#include "library/draw.h"

#include <math.h>
#include <string.h>

/* ---- elements ---- */

/* A string as the list of its letters, which is then in *letters; else x. NULL after an error. */
static const Value *letters_or_self(const Value *x, Value *letters, Error *err) {
    if (x->kind != VALUE_STRING) return x;
    return elements_of(x, "the elements", letters, err) ? letters : NULL;
}

/* Counts the elements of x: a number says so itself. */
static bool count_elements(const Value *x, size_t *count, Error *err) {
    if (value_is_list(x)) *count = x->list->count;
    else if (value_is_array(x)) *count = x->tensor->shape.size[0];
    else return value_size(x, "the number of elements", count, err);
    return true;
}

/* Gives the elements at these indices, in their shape; of a number the indices themselves.
 * as_array: several elements of a list of numbers come as an array, as in NumPy. Takes the indices
 * over. */
static bool give_elements(const Value *x, Tensor *places, bool as_array, Value *out, Error *err) {
    LocalTensor *taken = places, *numbers = NULL;
    bool is_list = value_is_list(x), single = taken->shape.axes == 0;
    size_t first = single ? (size_t)tensor_get(taken, 0) : 0;
    if (!is_list && !value_is_array(x)) return give(tensor_ref(taken), out);
    if (!is_list) numbers = tensor_ref(x->tensor);
    else if (as_array && !single && x->kind == VALUE_LIST && value_holds_numbers(x)) {
        numbers = value_as_tensor(x, "the elements", err);
        if (!numbers) return false;
    }
    if (numbers && single) return give(compute_row(numbers, first, err), out);
    if (numbers) return give(compute_pick(tensor_ref(numbers), 0, tensor_ref(taken), err), out);
    if (single) {
        *out = value_ref(x->list->items[first]);
        return true;
    }
    if (taken->shape.axes > 1)
        return error_set(err, ERR_SHAPE, "a list has one axis; an array can have more");
    if (!value_list_new(out, VALUE_LIST, taken->count, err)) return false;
    for (size_t i = 0; i < taken->count; i++)
        out->list->items[out->list->count++] =
            value_ref(x->list->items[(size_t)tensor_doubles(taken)[i]]);
    return true;
}

/* 0 … count − 1 in random order. */
static Tensor *random_order(Random *random, size_t count, Error *err) {
    Tensor *order = vector_new(count, err);
    return tensor_if(order && random_permutation(random, tensor_doubles(order), count, err), order);
}

static bool draw_permutation(const Call *call, Value *out, Error *err) {
    DrawSource source;
    size_t count;
    if (!source_at(call, 1, &source, err)) return false;
    const Value *x = &call->arguments[source.first];
    if (!count_elements(x, &count, err)) return false;
    Tensor *order = random_order(source.random, count, err);
    return order && give_elements(x, order, true, out, err);
}

/* Probabilities to their sums so far, of `count` elements. */
static Tensor *summed_probabilities(const Tensor *p, size_t count, Error *err) {
    double sum = 0;
    if (p->shape.axes != 1 || p->count != count) {
        error_set(err, ERR_SHAPE, "p is %s, but there are %zu elements", shape_words(&p->shape),
                  count);
        return NULL;
    }
    Tensor *sums = vector_new(count, err);
    for (size_t i = 0; sums && i < count; i++) {
        double share = tensor_get(p, i);
        if (!(share >= 0)) {
            error_set(err, ERR_VALUE, "p holds %g; a probability is 0 or more", share);
            return tensor_if(false, sums);
        }
        tensor_doubles(sums)[i] = sum += share;
    }
    if (sums && fabs(sum - 1) > 1e-6) {
        error_set(err, ERR_VALUE, "the probabilities add up to %.15g, not to 1", sum);
        error_python(err, "probabilities do not sum to 1");
        error_hint(err, "Write p / p.sum().");
        return tensor_if(false, sums);
    }
    return sums;
}

/* The first index at which the sums so far are above x, but for indices without probability. */
static size_t place_of_sum(const double *sums, size_t count, double x) {
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > x) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Takes the probability of an index out of the sums, which keep rising in spite of rounding. */
static void remove_place(double *sums, size_t count, size_t place) {
    double before = place ? sums[place - 1] : 0, share = sums[place] - before;
    for (size_t i = place; i < count; i++) {
        sums[i] = i == place ? before : fmax(sums[i] - share, before);
        before = sums[i];
    }
}

/* Draws indices of `count` elements by their probabilities p, without `replace` each at most once.
 */
static Tensor *draw_places(Random *random, const Tensor *p, size_t count, bool replace,
                           const Shape *shape, Error *err) {
    size_t possible = 0, wanted;
    LocalTensor *sums = summed_probabilities(p, count, err);
    if (!sums || !shape_count(shape, &wanted, err)) return NULL;
    double *so_far = tensor_doubles(sums);
    for (size_t i = 0; i < count; i++) possible += so_far[i] > (i ? so_far[i - 1] : 0);
    if (!replace && wanted > possible) {
        error_set(err, ERR_VALUE,
                  "%zu cannot be drawn without replacement: only %zu have a "
                  "probability above 0",
                  wanted, possible);
        return NULL;
    }
    Tensor *places = tensor_new(DTYPE_DOUBLE, shape, err);
    for (size_t i = 0; places && i < wanted; i++) {
        if (interrupted(err)) return tensor_if(false, places);
        double x = random_uniform(random) * so_far[count - 1];
        size_t place = place_of_sum(so_far, count, x);
        tensor_doubles(places)[i] = (double)place;
        if (!replace) remove_place(so_far, count, place);
    }
    return places;
}

static bool draw_choice(const Call *call, Value *out, Error *err) {
    DrawSource source;
    Shape shape;
    size_t count, wanted;
    if (!source_at(call, 4, &source, err)) return false;
    int first = source.first;
    LocalValue letters = VALUE_MISSING;
    const Value *a = letters_or_self(&call->arguments[first], &letters, err);
    bool replace = bool_at(call, first + 2), weighted = given_at(call, first + 3);
    if (!a || !count_elements(a, &count, err) || !shape_at(call, first + 1, &shape, err) ||
        !shape_count(&shape, &wanted, err))
        return false;
    if (count == 0 && wanted > 0) {
        error_set(err, ERR_VALUE, "there is nothing to choose from");
        if (first > 0 || given_at(call, first + 1)) return false;
        error_mark(err, "IndexError"); /* of Python's random */
        return error_python(err, "Cannot choose from an empty sequence");
    }
    if (!replace && wanted > count) {
        error_set(err, ERR_VALUE, "%zu of %zu cannot be drawn without replacement", wanted, count);
        return error_python(err,
                            "Cannot take a larger sample than population when 'replace=False'");
    }

    Tensor *places;
    if (weighted) {
        if (!untracked_at(call, first + 3, "p", err)) return false;
        const Tensor *p = tensor_at(call, first + 3);
        places = draw_places(source.random, p, count, replace, &shape, err);
    } else if (replace) {
        places = draw_numbers(source.random, NULL, 0, count, &shape, err);
    } else { /* the beginning of a permutation */
        places = compute_range(random_order(source.random, count, err), 0, 0, wanted, err);
        places = compute_reshape(places, &shape, err);
    }
    return places && give_elements(a, places, true, out, err);
}

/* ---- shuffling ---- */

/* Puts the items of the variable in `place` in a random order, where they lie. */
static bool shuffle(Value *place, const Call *call, Value *out, Error *err) {
    DrawSource source;
    size_t count;
    *out = VALUE_NOTHING;
    if (place->kind != VALUE_LIST && !value_is_array(place))
        return error_set(err, ERR_TYPE, "shuffle changes a list or an array, not %s",
                         value_words(place));
    if (!source_at(call, 1, &source, err) || !count_elements(place, &count, err)) return false;
    LocalTensor *order = random_order(source.random, count, err);
    if (!order) return false;
    if (place->kind == VALUE_TENSOR) {
        Tensor *turned = compute_pick(tensor_ref(place->tensor), 0, tensor_ref(order), err);
        return tensor_replace(&place->tensor, turned);
    }
    LocalMemory Value *items = mem_alloc(count * sizeof *items, err);
    if (!items || !shared_keep(place->shared, err)) return false;
    if (count > 0) memcpy(items, place->list->items, count * sizeof *items);
    for (size_t i = 0; i < count; i++)
        place->list->items[i] = items[(size_t)tensor_doubles(order)[i]];
    return true;
}

/* ---- what Python's module random has besides, or otherwise ---- */

static bool python_randint(const Call *call, Value *out, Error *err) {
    long long low = whole_at(call, 0), high = whole_at(call, 1);
    if (low > high)
        return error_set(err, ERR_VALUE, "no whole number is at least %lld and at most %lld", low,
                         high);
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    *out = value_number((double)(low + (long long)random_below(&call->interp->random, span)));
    return true;
}

static bool randrange(const Call *call, Value *out, Error *err) {
    bool two = given_at(call, 1);
    long long low = two ? whole_at(call, 0) : 0, high = whole_at(call, two ? 1 : 0),
              step = whole_at(call, 2);
    if (step == 0) return error_set(err, ERR_VALUE, "the step is 0");
    double steps = ceil(((double)high - (double)low) / (double)step);
    if (!(steps > 0))
        return error_set(err, ERR_VALUE, "there is no number from %lld to %lld by %lld", low, high,
                         step);
    uint64_t place = random_below(&call->interp->random, (uint64_t)steps);
    *out = value_number((double)low + (double)place * (double)step);
    return true;
}

/* k elements, none of them twice: the beginning of a permutation. */
static bool python_sample(const Call *call, Value *out, Error *err) {
    LocalValue letters = VALUE_MISSING;
    const Value *population = letters_or_self(&call->arguments[0], &letters, err);
    size_t count, wanted;
    if (!population || !size_at(call, 1, "k", &wanted, err)) return false;
    if (value_is_scalar(population))
        return error_set(err, ERR_TYPE, "sample draws from a list or an array, not from %s",
                         value_words(population));
    if (!count_elements(population, &count, err)) return false;
    if (wanted > count) {
        error_set(err, ERR_VALUE, "%zu of %zu cannot be drawn without replacement", wanted, count);
        return error_python(err, "Sample larger than population or is negative");
    }
    Tensor *order = random_order(&call->interp->random, count, err);
    order = compute_range(order, 0, 0, wanted, err);
    return order && give_elements(population, order, false, out, err);
}

/* weights= are in proportion to the probabilities; cum_weights= are their sums so far. */
static bool choices(const Call *call, Value *out, Error *err) {
    enum { POPULATION, WEIGHTS, SUMS, K };
    LocalValue letters = VALUE_MISSING;
    const Value *population = letters_or_self(&call->arguments[POPULATION], &letters, err);
    size_t count, wanted;
    if (!population || !count_elements(population, &count, err) ||
        !size_at(call, K, "k", &wanted, err))
        return false;
    if (count == 0 && wanted > 0)
        return error_set(err, ERR_VALUE, "there is nothing to choose from");
    Shape shape = shape_1d(wanted);
    Random *random = &call->interp->random;
    Tensor *places;
    if (!given_at(call, WEIGHTS) && !given_at(call, SUMS))
        places = draw_numbers(random, NULL, 0, count, &shape, err);
    else {
        Tensor *weights = array_ref(call, given_at(call, WEIGHTS) ? WEIGHTS : SUMS);
        if (!given_at(call, WEIGHTS)) {
            Tensor *first = compute_range(tensor_ref(weights), 0, 0, 1, err);
            Tensor *parts[] = {first,
                               compute_subtract(all_but_first(tensor_ref(weights), 0, err),
                                                all_but_last(tensor_ref(weights), 0, err), err)};
            tensor_unref(weights);
            weights = join_parts(parts, 2, 0, err);
        }
        Tensor *sum = weights ? op_unary(OP_SUM, weights, err) : NULL;
        double total = sum ? tensor_get(sum, 0) : NAN;
        if (sum && !(total > 0 && isfinite(total))) {
            error_set(err, ERR_VALUE, "the weights sum to %g, and not to a number above 0", total);
            error_python(err, "Total of weights must be %s",
                         total > 0 ? "finite" : "greater than zero");
            sum = tensor_if(false, sum);
        }
        LocalTensor *p = compute_divide(weights, sum, err);
        places = p ? draw_places(random, p, count, true, &shape, err) : NULL;
    }
    return places && give_elements(population, places, false, out, err);
}

#define GROUP "make"
#define METHOD(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "Generator"
#define SHUFFLE(NAME) \
    .name = NAME, .group = GROUP, .call = call_no_variable, .changes_argument = true, \
    .change = shuffle

const BuiltinDef randint_of_python = {BUILTIN("randint", python_randint),
                                      .parameters = "a:whole b:whole"};
const BuiltinDef sample_of_python = {BUILTIN("sample", python_sample),
                                     .parameters = "population:any k:whole"};

const BuiltinDef choosing_table[] = {
    {BUILTIN("permutation", draw_permutation), .parameters = "x:any * seed:whole?=None",
     .summary = "A number n gives 0 … n−1 in random order; an array or list gives its rows or "
                "items in random order.",
     .shapes = "n -> (n,);  x (n, …) -> (n, …)",
     .example = "sort(permutation(4))\n# -> [0, 1, 2, 3]", .see = "randint sort"},
    {BUILTIN("choices", choices),
     .parameters = "population:any weights:array?=None * cum_weights:array?=None k:whole=1",
     .summary = "k elements of a list, each drawn from all, in proportion to weights=: choice of "
                "Python's random.",
     .shapes = "-> k elements",
     .example = "choices([\"a\", \"b\"], weights=[0, 1], k=2)\n# -> ['b', 'b']",
     .see = "choice sample"},
    {BUILTIN("choice", draw_choice),
     .parameters = "a:any size:shape?=None replace:bool=True p:array?=None * seed:whole?=None",
     .summary = "Elements drawn from an array or list, or from 0 … n−1, each as likely as the "
                "others, or with the probabilities p; with replace=False none twice.",
     .shapes = "-> size; one element without a size",
     .example = "choice([\"the\", \"cat\"], p=[0, 1])\n# -> 'cat'\n"
                "sort(choice(3, size=3, replace=False))\n# -> [0, 1, 2]",
     .see = "permutation randint softmax"},
    {SHUFFLE("shuffle"), .parameters = "x:any * seed:whole?=None",
     .summary = "Puts the items of a variable's list, or the rows of its array, in a random order. "
                "permutation(x) gives a copy.",
     .example = "xs = [1, 2, 3]\nshuffle(xs)\nsorted(xs)\n# -> [1, 2, 3]",
     .see = "permutation sample"},
    {BUILTIN("randrange", randrange), .parameters = "start:whole stop:whole?=None step:whole=1",
     .summary = "A random number of those that range(start, stop, step) gives.",
     .example = "randrange(6, 8) in [6, 7]\n# -> True", .see = "randint choice"},
    {0},
};

const BuiltinDef choosing_methods_table[] = {
    {METHOD("choice", draw_choice),
     .parameters = "rng:any a:any size:shape?=None replace:bool=True p:array?=None",
     .summary = "Elements drawn by this generator: of an array or list, or of 0 … n−1; with p by "
                "their probabilities.",
     .shapes = "-> size; one element without a size",
     .example = "rng = default_rng(0)\nrng.choice([\"a\", \"b\"], p=[0, 1])\n# -> 'b'",
     .see = "permutation default_rng"},
    {METHOD("permutation", draw_permutation), .parameters = "rng:any x:any",
     .summary = "0 … n−1, or the rows or items of an array or list, in an order that this "
                "generator draws.",
     .shapes = "n -> (n,);  x (n, …) -> (n, …)",
     .example = "rng = default_rng(0)\nsort(rng.permutation(4))\n# -> [0, 1, 2, 3]",
     .see = "choice default_rng"},
    {SHUFFLE("shuffle"), .receiver = "Generator", .parameters = "rng:any x:any",
     .summary = "Puts the items of a variable's list, or the rows of its array, in an order that "
                "this generator draws.",
     .example = "rng = default_rng(0)\nxs = [1, 2, 3]\nrng.shuffle(xs)\nsorted(xs)\n"
                "# -> [1, 2, 3]",
     .see = "shuffle permutation"},
    {0},
};
