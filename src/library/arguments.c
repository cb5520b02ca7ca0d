#include "library/arguments.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/class.h"
#include "lang/interp.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Tensor *vector_new(size_t count, Error *err) {
    Shape shape = shape_1d(count);
    return tensor_new(DTYPE_DOUBLE, &shape, err);
}

Tensor *sequence(double start, double step, double count, Error *err) {
    if (!(count < 9e15)) {
        error_set(err, ERR_LIMIT, "that would be %.15g numbers", count);
        return NULL;
    }
    enum { POLL_EVERY = 1 << 16 };
    size_t numbers;
    if (!size_from(count > 0 ? count : 0, &numbers, err)) return NULL;
    Tensor *tensor = vector_new(numbers, err);
    for (size_t i = 0; tensor && i < tensor->count; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return tensor_if(false, tensor);
        tensor_doubles(tensor)[i] = start + (double)i * step;
    }
    return tensor;
}

Tensor *own_numbers(Tensor *tensor, Error *err) {
    return tensor && !tensor->node && !tensor_unique(&tensor, err) ? tensor_if(false, tensor)
                                                                   : tensor;
}

bool give(Tensor *tensor, Value *out) {
    if (!tensor) return false;
    *out = value_tensor(tensor);
    return true;
}

bool call_unary(const Call *call, Value *out, Error *err) {
    return give(op_unary((Op)call->builtin->op, tensor_at(call, 0), err), out);
}

bool call_binary(const Call *call, Value *out, Error *err) {
    return give(op_binary((Op)call->builtin->op, tensor_at(call, 0), tensor_at(call, 1), err), out);
}

bool call_no_variable(const Call *call, Value *out, Error *err) {
    (void)out;
    return error_set(err, ERR_TYPE, "%s changes a variable, and this is none", call->builtin->name);
}

bool call_composed_change(Value *place, const Call *call, Value *out, Error *err) {
    Value arguments[4] = {*place}, result = VALUE_MISSING;
    Call changing = *call;
    *out = VALUE_NOTHING;
    if (!value_is_array(place))
        return error_set(err, ERR_TYPE, "%s changes an array, not %s", call->builtin->name,
                         value_words(place));
    for (int i = 1; i < call->builtin->constant; i++) arguments[i] = call->arguments[i];
    changing.arguments = arguments;
    if (!interp_compose(&changing, &result, err)) return false;
    bool ok = tensor_replace(&place->tensor, value_as_tensor(&result, "the array", err));
    value_release(&result);
    return ok;
}

Random *random_at(const Call *call, int i, Random *own) {
    if (!given_at(call, i)) return &call->interp->random;
    random_seed(own, (uint64_t)whole_at(call, i));
    return own;
}

bool size_at(const Call *call, int i, const char *what, size_t *out, Error *err) {
    return value_size(&call->arguments[i], what, out, err);
}

bool value_size(const Value *value, const char *what, size_t *out, Error *err) {
    long long whole;
    if (!value_whole(value, what, &whole, err)) return false;
    if (whole < 0)
        return error_set(err, ERR_VALUE, "%s is %lld, but it cannot be negative", what, whole);
    return size_from((double)whole, out, err);
}

bool axis_add(const Value *value, OpAttributes *attributes, Error *err) {
    long long axis;
    if (!value_whole(value, "axis", &axis, err)) return false;
    if (axis < -AXES_MAX || axis >= AXES_MAX)
        return error_set(err, ERR_VALUE, "axis %lld: arrays have at most %d axes", axis, AXES_MAX);
    if (attributes->axis_count == AXES_MAX)
        return error_set(err, ERR_VALUE, "more than %d axes are given", AXES_MAX);
    attributes->axes[attributes->axis_count++] = (long)axis;
    return true;
}

bool axes_of(const Value *axis, OpAttributes *attributes, Error *err) {
    attributes->axis_count = 0;
    if (axis->kind == VALUE_NONE) return true;
    if (axis->kind != VALUE_TUPLE) return axis_add(axis, attributes, err);
    for (size_t i = 0; i < axis->list->count; i++)
        if (!axis_add(&axis->list->items[i], attributes, err)) return false;
    return true;
}

bool axes_at(const Call *call, int i, OpAttributes *attributes, Error *err) {
    return axes_of(&call->arguments[i], attributes, err);
}

bool one_axis_at(const Call *call, int i, OpAttributes *attributes, Error *err) {
    if (!axes_at(call, i, attributes, err)) return false;
    return attributes->axis_count <= 1 ||
           error_set(err, ERR_TYPE, "%s works along one axis", call->builtin->name);
}

Tensor *along_axis_at(const Call *call, int i, Tensor *x, int *axis, Error *err) {
    OpAttributes along;
    *axis = 0;
    if (!x || !one_axis_at(call, i, &along, err)) return tensor_if(false, x);
    if (along.axis_count == 0) return compute_flat(x, err);
    return tensor_if(shape_axis(&x->shape, along.axes[0], axis, err), x);
}

static bool size_add(const Value *value, long long sizes[AXES_MAX], int *count, Error *err) {
    if (*count == AXES_MAX)
        return error_set(err, ERR_SHAPE, "an array has at most %d axes", AXES_MAX);
    return value_whole(value, "a size", &sizes[(*count)++], err);
}

bool sizes_at(const Call *call, int i, long long sizes[AXES_MAX], int *count, Error *err) {
    const Value *shape = &call->arguments[i];
    *count = 0;
    if (given_at(call, i)) {
        if (shape->list->count != 1 && call->rest_count > 0)
            return error_set(err, ERR_TYPE, "the shape is given as a tuple and as numbers") ||
                   error_hint(err, "Write %s((2, 3)) or %s(2, 3).", call->builtin->name,
                              call->builtin->name);
        for (size_t j = 0; j < shape->list->count; j++)
            if (!size_add(&shape->list->items[j], sizes, count, err)) return false;
    }
    for (size_t j = 0; j < call->rest_count; j++)
        if (!size_add(&call->rest[j], sizes, count, err)) return false;
    return true;
}

bool shape_at(const Call *call, int i, Shape *out, Error *err) {
    long long sizes[AXES_MAX];
    int count;
    if (!sizes_at(call, i, sizes, &count, err)) return false;
    out->axes = count;
    for (int j = 0; j < count; j++) {
        if (sizes[j] < 0) {
            error_set(err, ERR_VALUE, "a size of %lld: sizes cannot be negative", sizes[j]);
            return error_python(err, "negative dimensions are not allowed");
        }
        if (!size_from((double)sizes[j], &out->size[j], err)) return false;
    }
    return true;
}

void list_reverse(List *list) {
    for (size_t low = 0, high = list->count; low + 1 < high; low++) {
        Value first = list->items[low];
        list->items[low] = list->items[--high];
        list->items[high] = first;
    }
}

bool list_append_new(List *list, Value item, Error *err) {
    if (list->count < list->capacity) {
        list->items[list->count++] = item;
        return true;
    }
    LocalValue taken = item;
    return list_append(list, taken, err);
}

bool list_append_text(List *list, const char *text, size_t length, Error *err) {
    enum { POLL_EVERY = 4096 };
    if (list->count % POLL_EVERY == 0 && interrupted(err)) return false;
    String *string = string_from(text, length, err);
    return string && list_append_new(list, (Value){.kind = VALUE_STRING, .string = string}, err);
}

bool list_take_text(List *list, Text *text, Error *err) {
    Value string = VALUE_MISSING;
    return value_text(&string, text, err) && list_append_new(list, string, err);
}

bool list_append_array(List *list, Tensor *array, Error *err) {
    return array && list_append_new(list, value_tensor(array), err);
}

bool elements_check(const Value *value, const char *what, Error *err) {
    bool names = value->kind == VALUE_STRING || value->kind == VALUE_RECORD;
    if (names || value_is_list(value) || value_is_array(value) || value_is_iterable(value))
        return true;
    error_set(err, ERR_TYPE, "%s: %s has no elements to go through", what, value_words(value));
    error_python(err, "'%s' object is not iterable", value_type_name(value));
    return error_hint(err, "[x] is a list of one value, range(n) the numbers below n.");
}

bool elements_of(const Value *value, const char *what, Value *list, Error *err) {
    bool is_list = value_is_list(value);
    if (!elements_check(value, what, err)) return false;
    /* Rows of nothing take no memory, but a list of them does. */
    size_t count = is_list ? value->list->count : 0;
    if (value_is_array(value) && value->tensor->shape.axes > 0)
        count = value->tensor->shape.size[0];
    return value_list_new(list, VALUE_LIST, count, err) &&
           value_if(value_extend(list, value, err), list);
}

bool items_of(const Value *value, const char *what, Value *list, Error *err) {
    if (!value_is_list(value)) return elements_of(value, what, list, err);
    *list = value_ref(*value);
    return true;
}

void tensors_release(Tensors *tensors) { tensors_free(tensors->items, tensors->count); }

bool give_tuple(Value *out, Value *items, size_t count, Error *err) {
    bool ok = true;
    for (size_t i = 0; i < count; i++) ok = ok && items[i].kind != VALUE_UNSET;
    ok = ok && value_list_of(out, VALUE_TUPLE, items, count, err);
    for (size_t i = 0; i < count; i++) value_release(&items[i]);
    return ok;
}

bool give_record(bool ok, Value *out, const char *const *names, Value *values, size_t count,
                 Error *err) {
    Value record = VALUE_MISSING;
    ok = ok && value_record_new(&record, err);
    for (size_t i = 0; i < count; i++) {
        ok = ok && values[i].kind != VALUE_UNSET &&
             record_set(record.record, names[i], values[i], err);
        value_release(&values[i]);
    }
    if (ok) *out = record;
    return value_if(ok, &record);
}

bool give_keywords(const Call *call, Value *out, Error *err) {
    if (!value_record_new(out, err)) return false;
    for (size_t i = 0; i + 1 < call->rest_count; i += 2)
        if (!record_set(out->record, call->rest[i].string->data, call->rest[i + 1], err))
            return value_if(false, out);
    return true;
}

static const struct {
    const char *name;
    DType dtype;
    int whole; /* the bits of a type of whole numbers, negative where it has no sign; 0: another */
} dtype_names[] = {
    {"float64", DTYPE_DOUBLE, 0},  {"float", DTYPE_DOUBLE, 0},    {"double", DTYPE_DOUBLE, 0},
    {"float32", DTYPE_FLOAT, 0},   {"bool", DTYPE_BOOL, 0},       {"bool_", DTYPE_BOOL, 0},
    {"int", DTYPE_DOUBLE, 64},     {"d", DTYPE_DOUBLE, 0},        {"f8", DTYPE_DOUBLE, 0},
    {"f", DTYPE_FLOAT, 0},         {"f4", DTYPE_FLOAT, 0},        {"?", DTYPE_BOOL, 0},
    {"i", DTYPE_DOUBLE, 32},       {"i4", DTYPE_DOUBLE, 32},      {"i8", DTYPE_DOUBLE, 64},
    {"int64", DTYPE_DOUBLE, 64},   {"int32", DTYPE_DOUBLE, 32},   {"int_", DTYPE_DOUBLE, 64},
    {"int8", DTYPE_DOUBLE, 8},     {"int16", DTYPE_DOUBLE, 16},   {"uint8", DTYPE_DOUBLE, -8},
    {"uint16", DTYPE_DOUBLE, -16}, {"uint32", DTYPE_DOUBLE, -32}, {"uint64", DTYPE_DOUBLE, -64},
    {"u1", DTYPE_DOUBLE, -8},      {"i1", DTYPE_DOUBLE, 8},       {"uint", DTYPE_DOUBLE, -64},
    {"intp", DTYPE_DOUBLE, 64},
};

bool dtype_of(const Value *value, DType *out, int *whole, Error *err) {
    if (value->kind == VALUE_NONE || value->kind == VALUE_UNSET) return true;
    if (value->kind == VALUE_BOOL) {
        error_set(err, ERR_TYPE, "dtype is %s, but it names a type", value_words(value));
        return error_hint(err, "Write keepdims=True, where that is meant.");
    }
    const char *name = value_kind_word(value);
    if (value->kind == VALUE_STRING) name = value->string->data;
    if (value->kind == VALUE_BUILTIN) name = value->builtin->name;
    for (size_t j = 0; j < sizeof dtype_names / sizeof *dtype_names; j++) {
        if (strcmp(name, dtype_names[j].name) == 0) {
            *out = dtype_names[j].dtype;
            if (whole) *whole = dtype_names[j].whole;
            return true;
        }
    }
    error_set(err, ERR_TYPE, "there is no array type %s", name);
    return error_hint(err, "Arrays are float64, float32 or bool; whole numbers are float64 too.");
}

Tensor *truncated(Tensor *x, Error *err) {
    Tensor *size = x ? compute_unary(OP_FLOOR, op_unary(OP_ABS, x, err), err) : NULL;
    return compute_multiply(compute_unary(OP_SIGN, x, err), size, err);
}

Tensor *wrapped(Interp *interp, Tensor *x, int bits, Error *err) {
    double span = ldexp(1, abs(bits)), least = bits < 0 ? 0 : -span / 2;
    x = truncated(x, err);
    if (bits == 0 || abs(bits) > 32) return x;
    if (abs(bits) < 32 && interp->notes && interp_first_in_session(interp, "narrow"))
        host_note(interp->host, "(%sint%d is float64 here: what is computed from it does not wrap)",
                  bits < 0 ? "u" : "", abs(bits));
    x = compute_binary_number(OP_MODULO, compute_binary_number(OP_SUBTRACT, x, least, err), span,
                              err);
    return compute_binary_number(OP_ADD, x, least, err);
}

Tensor *cast_at(const Call *call, int i, Tensor *x, Error *err) {
    if (!x) return NULL;
    DType dtype = x->dtype;
    int whole = 0;
    if (!dtype_of(&call->arguments[i], &dtype, &whole, err)) return tensor_if(false, x);
    x = compute_cast(x, dtype, err);
    return whole ? wrapped(call->interp, x, whole, err) : x;
}

Tensor *with_axes(Tensor *x, double least, Error *err) {
    Shape shape = x ? x->shape : shape_scalar();
    while (x && shape.axes < least)
        if (!shape_insert(&shape, 0, 1, &shape, err)) return tensor_if(false, x);
    return compute_reshape(x, &shape, err);
}

Tensor *join_parts(Tensor *const *parts, size_t count, int axis, Error *err) {
    bool ok = true;
    for (size_t i = 0; i < count; i++) ok = ok && parts[i];
    Tensor *all = ok ? compute_concatenate(parts, count, axis, err) : NULL;
    for (size_t i = 0; i < count; i++) tensor_unref(parts[i]);
    return all;
}

Tensor *as_vector(Tensor *row, Error *err) {
    if (!row) return NULL;
    Shape shape = shape_remove(&row->shape, row->shape.axes - 2);
    return compute_reshape(row, &shape, err);
}

Tensor *all_but_first(Tensor *x, int axis, Error *err) {
    const IndexItem slice = {.kind = INDEX_SLICE, .has_start = true, .start = 1};
    return compute_slice(x, axis, &slice, err);
}

Tensor *all_but_last(Tensor *x, int axis, Error *err) {
    const IndexItem slice = {.kind = INDEX_SLICE, .has_stop = true, .stop = -1};
    return compute_slice(x, axis, &slice, err);
}

bool call_named(Interp *interp, const Value *object, const char *name, const Value *arguments,
                size_t count, Value *out, Error *err) {
    LocalValue method = VALUE_MISSING;
    Symbol *symbol = interp_symbol(interp, name, strlen(name), err);
    return symbol && member_attribute(interp, object, symbol, &method, err) &&
           interp_call(interp, &method, arguments, count, out, err);
}
