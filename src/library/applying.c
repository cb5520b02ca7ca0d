/* Applies functions to the elements of arrays: vectorize, and at, a method of NumPy's functions of
 * two numbers. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/interp.h"
#include "library/arguments.h"

/* Calls the function with count tensors, which it takes over. NULL: an error. */
static Tensor *applied(const Call *call, const Value *function, Tensor **tensors, size_t count,
                       Error *err) {
    Value values[AXES_MAX], result;
    Tensor *out = NULL;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        values[i] = value_tensor(tensors[i]);
        ok = ok && values[i].kind != VALUE_UNSET;
    }
    ok =
        ok && !interrupted(err) && interp_call(call->interp, function, values, count, &result, err);
    if (ok) {
        out = value_as_tensor(&result, "what the function gives", err);
        value_release(&result);
    }
    for (size_t i = 0; i < count; i++) value_release(&values[i]);
    return out;
}

/* The parts, all of one shape, along a new first axis; released. */
static Tensor *stacked(Tensor **parts, size_t count, bool ok, Error *err) {
    const Shape shape = ok ? parts[0]->shape : shape_scalar();
    for (size_t i = 0; ok && i < count; i++) {
        if (!shape_equal(&parts[i]->shape, &shape))
            ok = error_set(err, ERR_SHAPE, "the function gives %s for one item and %s for another",
                           shape_words(&shape), shape_words(&parts[i]->shape));
        ok = ok && (parts[i] = with_axes(parts[i], parts[i]->shape.axes + 1, err)) != NULL;
    }
    Tensor *all = ok ? compute_concatenate(parts, count, 0, err) : NULL;
    for (size_t i = 0; i < count; i++) tensor_unref(parts[i]);
    return all;
}

/* ---- for each element ---- */

typedef struct Vectorized {
    Object object;
    Value function;
} Vectorized;

static void vectorized_free(Object *object) {
    value_release(&((Vectorized *)object)->function);
    mem_free(object);
}

static void vectorized_write(Object *object, Text *text, int digits) {
    (void)object, (void)digits;
    text_string(text, "<function of arrays>");
}

/* f(a, b, …) for each element of arrays that broadcast. */
static bool call_vectorized(const Call *call, Value *out, Error *err) {
    const Vectorized *vectorized = (const Vectorized *)call->arguments[0].object;
    const size_t count = call->rest_count;
    Shape shape = shape_scalar();
    Tensor *inputs[AXES_MAX];
    size_t made = 0, total = 0;
    bool ok = count >= 1 && count <= AXES_MAX;
    if (!ok) return error_set(err, ERR_TYPE, "1 to %d arrays are gone through together", AXES_MAX);
    for (; ok && made < count; made++) {
        inputs[made] = value_as_tensor(&call->rest[made], "an argument", err);
        ok = inputs[made] && shape_broadcast(&shape, &inputs[made]->shape, &shape, err);
    }
    for (size_t i = 0; ok && i < count; i++) {
        inputs[i] = compute_flat(compute_broadcast(inputs[i], &shape, err), err);
        ok = inputs[i] != NULL;
    }
    ok = ok && shape_count(&shape, &total, err);
    LocalMemory Tensor **parts = ok ? mem_zeroed(total + 1, sizeof *parts, err) : NULL;
    ok = parts != NULL;
    for (size_t i = 0; ok && i < total; i++) {
        Tensor *items[AXES_MAX];
        for (size_t k = 0; k < count; k++) items[k] = compute_row(inputs[k], i, err);
        parts[i] = applied(call, &vectorized->function, items, count, err);
        ok = parts[i] != NULL;
    }
    for (size_t i = 0; i < made; i++) tensor_unref(inputs[i]);
    if (!parts) return false;
    if (total == 0) return give(tensor_zeros(DTYPE_DOUBLE, &shape, err), out);
    Tensor *all = stacked(parts, total, ok, err);
    return give(all && all->count == total ? compute_reshape(all, &shape, err) : all, out);
}

#define GROUP "shape"

static const BuiltinDef vectorized_call = {BUILTIN("vectorized", call_vectorized),
                                           .parameters = "function:any *arrays:any",
                                           .calls_object = true};

static const ObjectType vectorized_type = {.name = "vectorized function",
                                           .words = "a function of arrays",
                                           .write = vectorized_write,
                                           .free = vectorized_free,
                                           .call = &vectorized_call};

static bool vectorize(const Call *call, Value *out, Error *err) {
    Vectorized *vectorized = mem_zeroed(1, sizeof *vectorized, err);
    if (!vectorized) return false;
    *vectorized = (Vectorized){{1, &vectorized_type}, value_ref(call->arguments[0])};
    *out = value_object(&vectorized->object);
    return true;
}

/* ---- methods of functions of two numbers ---- */

/* place[index] = function(place[index], b), once for each position, also where one occurs twice: so
 * sums are those of a scatter, and other functions go position by position. */
static bool change_at(Value *place, const Call *call, Value *out, Error *err) {
    enum { INDEX = 2, B };
    const Op op = (Op)call->arguments[0].builtin->op;
    *out = VALUE_NOTHING;
    if (!value_is_array(place))
        return error_set(err, ERR_TYPE, "at changes an array, not %s", value_words(place));
    const Shape shape = place->tensor->shape;
    LocalTensor *numbered = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; numbered && i < numbered->count; i++) tensor_set(numbered, i, (double)i);
    LocalValue picked = VALUE_MISSING;
    if (!numbered || !array_index_by(numbered, &call->arguments[INDEX], &picked, err)) return false;
    LocalTensor *indices = value_as_tensor(&picked, "an index", err);
    if (!indices) return false;
    LocalTensor *b = compute_flat(compute_broadcast(array_ref(call, B), &indices->shape, err), err);
    LocalTensor *flat = b ? compute_flat(tensor_ref(place->tensor), err) : NULL;
    if (!flat) return false;
    if (op == OP_ADD || op == OP_SUBTRACT) {
        /* True counts as 1. */
        if (b->dtype == DTYPE_BOOL &&
            !tensor_replace(&b, compute_cast(tensor_ref(b), DTYPE_DOUBLE, err)))
            return false;
        LocalTensor *positions = compute_flat(tensor_ref(indices), err);
        IndexItem item = {.kind = INDEX_ARRAY, .array = positions};
        const OpAttributes into = {.items = &item, .item_count = 1, .shape = flat->shape};
        Tensor *sums = positions ? compute(OP_SCATTER, tensor_ref(b), &into, err) : NULL;
        if (!tensor_replace(&flat, compute_binary(op, tensor_ref(flat), sums, err))) return false;
    } else {
        for (size_t i = 0; i < indices->count; i++) {
            IndexItem item = {.kind = INDEX_INTEGER, .at = (long long)tensor_get(indices, i)};
            Tensor *both[] = {tensor_index(flat, &item, 1, err), compute_row(b, i, err)};
            LocalTensor *changed = applied(call, &call->arguments[0], both, 2, err);
            if (!changed || !op_store(&flat, &item, 1, changed, err)) return false;
        }
    }
    /* As in NumPy, an array of booleans or of float32 stays one. */
    return tensor_replace(&flat, compute_cast(tensor_ref(flat), place->tensor->dtype, err)) &&
           tensor_replace(&place->tensor, compute_reshape(tensor_ref(flat), &shape, err));
}

const BuiltinDef applying_table[] = {
    {BUILTIN("vectorize", vectorize), .parameters = "pyfunc:function",
     .summary = "A function of numbers as one of arrays, which calls it for each element.",
     .example = "f = vectorize(lambda x: 1 if x > 0 else -1)\nf([2, -3])\n# -> [1, -1]",
     .see = "map where apply_along_axis"},
    {BUILTIN("at", call_no_variable), .receiver = "function", .changes_argument = true,
     .change = change_at, .parameters = "function:any a:any indices:any b:array=0",
     .summary = "Changes an array at indices, once for each, also where one occurs several times: "
                "np.add.at(a, i, b) is a[i] += b that counts all.",
     .example = "a = zeros(3)\nnp.add.at(a, [0, 2, 0], [1, 5, 10])\na\n# -> [11, 0, 5]",
     .see = "bincount"},
    {0},
};
