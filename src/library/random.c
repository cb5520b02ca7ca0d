/* Random arrays. Each function draws from the session's generator, with seed= from one of its own,
 * and as a method of a generator from that one. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/scratch.h"
#include "lang/interp.h"
#include "library/draw.h"

/* ---- a generator of one's own, which default_rng() makes ---- */

/* All who hold a generator share it, and undo takes back what was drawn (lang/value.h,
 * SharedObject). */
typedef struct GeneratorState {
    Object object;
    Random random;
} GeneratorState;

static const ObjectType generator_type;

static void state_free(Object *object) { mem_free(object); }

static const ObjectType state_type = {.name = "state of a generator", .free = state_free};

static Object *state_new(Random random, Error *err) {
    GeneratorState *state = mem_zeroed(1, sizeof *state, err);
    if (!state) return NULL;
    *state = (GeneratorState){{1, &state_type}, random};
    return &state->object;
}

static bool give_generator(Random random, Value *out, Error *err) {
    Object *state = state_new(random, err);
    SharedObject *generator = state ? mem_zeroed(1, sizeof *generator, err) : NULL;
    if (!generator) {
        object_unref(state);
        return false;
    }
    generator->object = (Object){1, &generator_type};
    generator->state = state;
    *out = value_object(&generator->object);
    return true;
}

static void generator_free(Object *object) {
    object_unref(((SharedObject *)object)->state);
    mem_free(object);
}

static Random *state_random(Object *object) {
    return &((GeneratorState *)((SharedObject *)object)->state)->random;
}

static bool generator_copy(Object *object, Value *out, Error *err) {
    return give_generator(*state_random(object), out, err);
}

static void generator_write(Object *object, Text *text, int digits) {
    (void)object;
    (void)digits;
    text_string(text, "<random generator>");
}

static const ObjectType generator_type = {
    .name = "Generator", /* NumPy's name; "generator" is that of a function with yield */
    .words = "a random generator",
    .write = generator_write,
    .free = generator_free,
    .copy = generator_copy,
};

/* ---- drawing ---- */

bool source_at(const Call *call, int seed, DrawSource *source, Error *err) {
    source->first = call->builtin->receiver ? 1 : 0;
    if (source->first == 0) {
        source->random = random_at(call, seed, &source->own);
        return true;
    }
    const Value *receiver = &call->arguments[0];
    if (receiver->kind != VALUE_OBJECT || receiver->object->type != &generator_type)
        return error_set(err, ERR_TYPE, "%s is drawn from a generator, not from %s",
                         call->builtin->name, value_words(receiver));
    SharedObject *generator = (SharedObject *)receiver->object;
    if (!interp_keep_state(call->interp, generator, err)) return false;
    if (generator->state->refs > 1) { /* the journal keeps what it was */
        Object *own = state_new(*state_random(&generator->object), err);
        if (!own) return false;
        object_unref(generator->state);
        generator->state = own;
    }
    source->random = state_random(&generator->object);
    return true;
}

/* random_normal's numbers but for the last digit or two, a block at a time by the kernels. */
static void normals(Random *random, double *out, size_t count) {
    enum { BLOCK = 256 };
    const DoubleKernels *k = kernels()->f64;
    const double minus_two = -2;
    double drawn[2 * BLOCK], angles[BLOCK];
    for (size_t n; count; out += n, count -= n) {
        n = smaller(count, BLOCK);
        random_uniforms(random, drawn, 2 * n);
        for (size_t i = 0; i < n; i++) {
            out[i] = 1 - drawn[2 * i];
            angles[i] = 6.283185307179586477 * drawn[2 * i + 1];
        }
        k->unary[KERNEL_LOG](out, out, n);
        k->binary[KERNEL_MULTIPLY](out, out, 1, &minus_two, 0, n);
        k->unary[KERNEL_SQRT](out, out, n);
        k->unary[KERNEL_COS](angles, angles, n);
        k->binary[KERNEL_MULTIPLY](out, out, 1, angles, 1, n);
    }
}

Tensor *draw_numbers(Random *random, double (*next)(Random *), long long low, uint64_t span,
                     const Shape *shape, Error *err) {
    enum { POLL_EVERY = 1 << 16 };
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, shape, err);
    for (size_t begin = 0, count; tensor && begin < tensor->count; begin += count) {
        double *out = tensor_doubles(tensor) + begin;
        count = smaller(tensor->count - begin, POLL_EVERY);
        if (interrupted(err)) return tensor_if(false, tensor);
        if (next == random_normal) normals(random, out, count);
        else if (next)
            for (size_t i = 0; i < count; i++) out[i] = next(random);
        else
            for (size_t i = 0; i < count; i++)
                out[i] = (double)(low + (long long)random_below(random, span));
    }
    return tensor;
}

/* ---- one distribution, a shape ---- */

/* The row's constant is the index of seed=. */
static bool draw_shape(const Call *call, double (*next)(Random *), Value *out, Error *err) {
    Shape shape;
    DrawSource source;
    return source_at(call, (int)call->builtin->constant, &source, err) &&
           shape_at(call, source.first, &shape, err) &&
           give(draw_numbers(source.random, next, 0, 0, &shape, err), out);
}

static bool draw_random(const Call *call, Value *out, Error *err) {
    return draw_shape(call, random_uniform, out, err);
}

static bool draw_standard_normal(const Call *call, Value *out, Error *err) {
    return draw_shape(call, random_normal, out, err);
}

/* ---- distributions with parameters ---- */

/* The shape of a draw: size=, or that of the two parameters together. */
static bool drawn_shape(const Call *call, int first, Shape *shape, Error *err) {
    const Tensor *a = tensor_at(call, first), *b = tensor_at(call, first + 1);
    Shape both;
    if (!shape_broadcast(&a->shape, &b->shape, &both, err)) return false;
    *shape = both;
    if (!given_at(call, first + 2)) return true;
    Shape joined;
    if (!shape_at(call, first + 2, shape, err)) return false;
    if (shape_broadcast(&both, shape, &joined, NULL) && shape_equal(&joined, shape)) return true;
    return error_set(err, ERR_SHAPE, "size is %s, but the other arguments are %s",
                     shape_words(shape), shape_words(&both));
}

/* Gives from + factor · u, where each u is drawn; derivatives by both pass. factor is taken over.
 */
static bool give_drawn(Random *random, double (*next)(Random *), const Shape *shape, Tensor *from,
                       Tensor *factor, Value *out, Error *err) {
    bool number = shape->axes == 0 && factor && !factor->node && !from->node &&
                  factor->dtype == DTYPE_DOUBLE && from->dtype == DTYPE_DOUBLE;
    if (!number) {
        Tensor *scaled =
            compute_multiply(draw_numbers(random, next, 0, 0, shape, err), factor, err);
        return give(compute_add(scaled, tensor_ref(from), err), out);
    }
    double scaled = next(random) * tensor_get(factor, 0);
    *out = value_number(scaled + tensor_get(from, 0));
    tensor_unref(factor);
    return true;
}

static bool draw_normal(const Call *call, Value *out, Error *err) {
    DrawSource source;
    Shape shape;
    if (!source_at(call, 3, &source, err) || !drawn_shape(call, source.first, &shape, err))
        return false;
    Tensor *loc = tensor_at(call, source.first), *scale = tensor_at(call, source.first + 1);
    for (size_t i = 0; i < scale->count; i++)
        if (tensor_get(scale, i) < 0)
            return error_set(err, ERR_VALUE, "scale is %g; a standard deviation is 0 or more",
                             tensor_get(scale, i));
    return give_drawn(source.random, random_normal, &shape, loc, tensor_ref(scale), out, err);
}

static bool draw_uniform(const Call *call, Value *out, Error *err) {
    DrawSource source;
    Shape shape;
    if (!source_at(call, 3, &source, err) || !drawn_shape(call, source.first, &shape, err))
        return false;
    Tensor *low = tensor_at(call, source.first), *high = tensor_at(call, source.first + 1);
    Tensor *width = op_binary(OP_SUBTRACT, high, low, err);
    return give_drawn(source.random, random_uniform, &shape, low, width, out, err);
}

/* randint, and integers of a generator, which can include the upper end. */
static bool draw_integers(const Call *call, Value *out, Error *err) {
    DrawSource source;
    if (!source_at(call, 4, &source, err)) return false;
    int first = source.first;
    bool two = given_at(call, first + 1), endpoint = first > 0 && bool_at(call, first + 4);
    long long low = two ? whole_at(call, first) : 0,
              high = whole_at(call, two ? first + 1 : first) + endpoint;
    Shape shape;
    if (low >= high) {
        error_set(err, ERR_VALUE, "no whole number is at least %lld and below %lld", low, high);
        return error_hint(err, "The upper end is not included: randint(0, 2) is 0 or 1.");
    }
    if (!shape_at(call, first + 2, &shape, err)) return false;
    uint64_t span = (uint64_t)high - (uint64_t)low;
    Tensor *numbers = draw_numbers(source.random, NULL, low, span, &shape, err);
    return give(cast_at(call, first + 3, numbers, err), out);
}

static bool seed(const Call *call, Value *out, Error *err) {
    uint64_t number = (uint64_t)whole_at(call, 0);
    (void)err;
    call->interp->seed = number;
    random_seed(&call->interp->random, number);
    *out = VALUE_NOTHING;
    return true;
}

/* A generator without a seed begins with one that the session's generator draws. */
static bool default_rng(const Call *call, Value *out, Error *err) {
    Random own;
    random_at(call, 0, &own);
    if (!given_at(call, 0)) random_seed(&own, random_next(&call->interp->random));
    return give_generator(own, out, err);
}

#define GROUP "make"

static const BuiltinDef numpys_seed = {BUILTIN("seed", seed), .parameters = "seed:whole"};

const BuiltinDef random_table[] = {
    {BUILTIN("rand", draw_random), .constant = 2,
     .parameters = "shape:shape?=None *more:whole seed:whole?=None",
     .summary = "Random numbers, evenly spread from 0 up to 1. seed= gives the same numbers each "
                "time and leaves the session's generator alone.",
     .shapes = "-> shape; a number without a shape",
     .example = "x = rand(2, 3)\nall(x >= 0) and all(x < 1)\n# -> True",
     .see = "randn randint seed"},
    {BUILTIN("randn", draw_standard_normal), .constant = 2,
     .parameters = "shape:shape?=None *more:whole seed:whole?=None",
     .summary = "Random numbers from the standard normal distribution: mean 0, variance 1. seed= "
                "gives the same numbers each time.",
     .shapes = "-> shape; a number without a shape",
     .example = "all(randn(2, 3, seed=1) == randn((2, 3), seed=1))\n# -> True\n"
                "abs(mean(randn(10000))) < 0.1\n# -> True",
     .see = "rand seed"},
    {BUILTIN("randint", draw_integers), .pythons = &randint_of_python,
     .parameters = "low:whole high:whole?=None size:shape?=None dtype:any=None * seed:whole?=None",
     .summary = "Random whole numbers from low up to, but not including, high. With one bound they "
                "start at 0. Behind Python's module, random.randint(a, b) is one number, and may "
                "be b.",
     .shapes = "-> size; a number without a size",
     .example = "x = randint(1, 7, size=100)\nmin(x) >= 1 and max(x) <= 6\n# -> True",
     .see = "rand choice permutation seed"},
    {BUILTIN("random", draw_random), .constant = 1,
     .parameters = "size:shape?=None * seed:whole?=None",
     .summary = "Random numbers, evenly spread from 0 up to 1: rand with the shape as a tuple, as "
                "np.random.random has it.",
     .shapes = "-> size; a number without a size",
     .example = "np.random.random((2, 3)).shape\n# -> (2, 3)", .see = "rand uniform"},
    {BUILTIN("standard_normal", draw_standard_normal), .constant = 1,
     .parameters = "size:shape?=None * seed:whole?=None",
     .summary = "Random numbers from the standard normal distribution: randn with the shape as a "
                "tuple.",
     .shapes = "-> size; a number without a size",
     .example = "np.random.standard_normal((2, 3)).shape\n# -> (2, 3)", .see = "randn normal"},
    {BUILTIN("normal", draw_normal),
     .parameters = "loc:array=0 scale:array=1 size:shape?=None * seed:whole?=None",
     .summary = "Random numbers from the normal distribution with mean loc and standard deviation "
                "scale, which may be arrays. Derivatives by both pass.",
     .shapes = "-> size; else the shape of loc and scale", .formula = "loc + scale · randn(size)",
     .example = "np.random.normal(0, 0.02, size=(2, 3)).shape\n# -> (2, 3)\n"
                "normal([1, 2], 0)\n# -> [1, 2]",
     .see = "randn standard_normal default_rng"},
    {BUILTIN("uniform", draw_uniform),
     .parameters = "low:array=0 high:array=1 size:shape?=None * seed:whole?=None",
     .summary = "Random numbers, evenly spread from low up to high.",
     .shapes = "-> size; else the shape of low and high",
     .example = "x = uniform(-1, 1, size=100)\nall(abs(x) <= 1)\n# -> True",
     .see = "rand default_rng"},
    {BUILTIN("gauss", draw_normal),
     .parameters = "mu:array=0 sigma:array=1 size:shape?=None * seed:whole?=None",
     .summary = "A random number from the normal distribution: normal of Python's random.",
     .shapes = "-> size; else the shape of mu and sigma", .example = "random.gauss(5, 0)\n# -> 5",
     .see = "normal randn"},
    {BUILTIN("seed", seed), .numpys = &numpys_seed, .parameters = "n:whole",
     .summary = "Restarts the session's random generator, so that what follows draws the same "
                "numbers again. A session starts with seed 0.",
     .example = "seed(3); a = randn(4)\nseed(3); b = randn(4)\nall(a == b)\n# -> True",
     .see = "rand randn"},
    {0},
};

#define METHOD(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "Generator"

const BuiltinDef random_generator_table[] = {
    {BUILTIN("default_rng", default_rng), .parameters = "seed:whole?=None",
     .summary = "A random generator of its own, as np.random.default_rng gives it: its methods "
                "random, normal, standard_normal, uniform, integers, choice and permutation leave "
                "the session's generator alone. The same seed gives the same numbers, but not "
                "those of NumPy.",
     .example = "rng = default_rng(0)\nrng.normal(size=(2, 3)).shape\n# -> (2, 3)\n"
                "default_rng(7).random() == default_rng(7).random()\n# -> True",
     .see = "seed normal uniform choice"},
    {BUILTIN("RandomState", default_rng), .parameters = "seed:whole?=None",
     .summary = "The same as default_rng: NumPy's older name, whose generators draw by rand, randn "
                "and randint.",
     .example = "rng = RandomState(0)\nrng.randn(2, 3).shape\n# -> (2, 3)", .see = "default_rng"},
    {METHOD("rand", draw_random), .parameters = "rng:any shape:shape?=None *more:whole",
     .summary = "Random numbers from this generator, evenly spread from 0 up to 1.",
     .shapes = "-> shape; a number without a shape",
     .example = "rng = RandomState(0)\nrng.rand(2, 3).shape\n# -> (2, 3)", .see = "rand"},
    {METHOD("randn", draw_standard_normal), .parameters = "rng:any shape:shape?=None *more:whole",
     .summary = "Random numbers from this generator, of mean 0 and variance 1.",
     .shapes = "-> shape; a number without a shape",
     .example = "rng = RandomState(0)\nrng.randn(4).shape\n# -> (4,)", .see = "randn"},
    {METHOD("randint", draw_integers),
     .parameters =
         "rng:any low:whole high:whole?=None size:shape?=None dtype:any=None endpoint:bool=False",
     .summary = "Random whole numbers from this generator, from low up to, but not including, "
                "high. With one bound they start at 0.",
     .shapes = "-> size; a number without a size",
     .example = "rng = RandomState(0)\nmax(rng.randint(1, 7, size=100))\n# -> 6",
     .see = "randint integers"},
    {METHOD("random", draw_random), .parameters = "rng:any size:shape?=None",
     .summary = "Random numbers from this generator, evenly spread from 0 up to 1.",
     .shapes = "-> size; a number without a size",
     .example = "rng = default_rng(0)\nrng.random(3).shape\n# -> (3,)", .see = "rand default_rng"},
    {METHOD("standard_normal", draw_standard_normal), .parameters = "rng:any size:shape?=None",
     .summary = "Random numbers from this generator, of mean 0 and variance 1.",
     .shapes = "-> size; a number without a size",
     .example = "rng = default_rng(0)\nrng.standard_normal((2, 3)).shape\n# -> (2, 3)",
     .see = "randn default_rng"},
    {METHOD("normal", draw_normal),
     .parameters = "rng:any loc:array=0 scale:array=1 size:shape?=None",
     .summary = "Random numbers from this generator, of mean loc and standard deviation scale.",
     .shapes = "-> size; else the shape of loc and scale",
     .example = "rng = default_rng(0)\nrng.normal(0, 0.02, size=4).shape\n# -> (4,)",
     .see = "randn default_rng"},
    {METHOD("uniform", draw_uniform),
     .parameters = "rng:any low:array=0 high:array=1 size:shape?=None",
     .summary = "Random numbers from this generator, evenly spread from low up to high.",
     .shapes = "-> size; else the shape of low and high",
     .example =
         "rng = default_rng(0)\nx = rng.uniform(-1, 1, size=50)\nall(abs(x) <= 1)\n# -> True",
     .see = "rand default_rng"},
    {METHOD("integers", draw_integers),
     .parameters =
         "rng:any low:whole high:whole?=None size:shape?=None dtype:any=None endpoint:bool=False",
     .summary = "Random whole numbers from this generator, from low up to, but not including, "
                "high; with endpoint=True high too. With one bound they start at 0.",
     .shapes = "-> size; a number without a size",
     .example = "rng = default_rng(0)\nx = rng.integers(1, 6, size=100, endpoint=True)\nmax(x)\n"
                "# -> 6",
     .see = "randint default_rng"},
    {0},
};
