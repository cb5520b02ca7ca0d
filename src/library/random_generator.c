/* A random generator of one's own, made by default_rng(). Its methods are the functions of
 * random.c. Who has it shares it, and undo takes back what was drawn (lang/value.h,
 * SharedObject). */
#include "base/memory.h"
#include "lang/interp.h"
#include "library/random_draw.h"

typedef struct GeneratorState {
    Object object;
    Random random;
} GeneratorState;

static const ObjectType generator_type;

/* ---- life cycle ---- */

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
    *generator = (SharedObject){{1, &generator_type}, state};
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
    .name = "generator",
    .words = "a random generator",
    .write = generator_write,
    .free = generator_free,
    .copy = generator_copy,
};

Random *generator_random(const Call *call, Error *err) {
    const Value *value = &call->arguments[0];
    if (value->kind != VALUE_OBJECT || value->object->type != &generator_type) {
        error_set(err, ERR_TYPE, "%s is drawn from a generator, not from %s", call->builtin->name,
                  value_words(value));
        return NULL;
    }
    SharedObject *generator = (SharedObject *)value->object;
    if (!interp_keep_state(call->interp, generator, err)) return NULL;
    if (generator->state->refs > 1) {
        Object *own = state_new(*state_random(&generator->object), err);
        if (!own) return NULL;
        object_unref(generator->state);
        generator->state = own;
    }
    return state_random(&generator->object);
}

/* A generator without a seed begins with one that the session's generator draws. */
static bool default_rng(const Call *call, Value *out, Error *err) {
    Random own;
    const Random *random = random_at(call, 0, &own, err);
    if (!random) return false;
    if (!given_at(call, 0)) random_seed(&own, random_next(&call->interp->random));
    return give_generator(own, out, err);
}

#define GROUP "make"
#define METHOD(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "generator"

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
    {0},
};
