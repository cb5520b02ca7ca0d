#include "base/memory.h"
#include "engine/operators/compute.h"
#include "lang/eval/eval.h"

double value_scalar(const Value *value) {
    if (value->kind == VALUE_NUMBER) return value->number;
    if (value->kind == VALUE_BOOL) return value->boolean;
    return tensor_get(value->tensor, 0);
}

bool tensor_element(Tensor *tensor, size_t i, Value *out, Error *err) {
    if (tensor->shape.axes == 1 && !tensor->node) {
        double x = tensor_get(tensor, i);
        *out = tensor->dtype == DTYPE_BOOL ? value_bool(x != 0) : value_number(x);
        return true;
    }
    IndexItem item = {.kind = INDEX_INTEGER, .at = (long long)i};
    OpAttributes attributes = {.items = &item, .item_count = 1};
    Tensor *row;
    if (!op_apply(OP_INDEX, &tensor, 1, &attributes, &row, err)) return false;
    *out = value_tensor(row);
    return true;
}

/* ---- from items ---- */

static bool all_plain(const Value *items, size_t count, bool *all_bool) {
    *all_bool = true;
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind == VALUE_NUMBER) *all_bool = false;
        else if (items[i].kind != VALUE_BOOL) return false;
    }
    return true;
}

static Tensor *pack_plain(const Value *items, size_t count, bool boolean, Error *err) {
    Shape shape = shape_1d(count);
    Tensor *tensor = tensor_new(boolean ? DTYPE_BOOL : DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; tensor && i < count; i++) {
        if (boolean) tensor_bools(tensor)[i] = items[i].boolean;
        else tensor_doubles(tensor)[i] = value_scalar(&items[i]);
    }
    return tensor;
}

static Tensor *as_tensor(const Value *value, const char *what, int depth, Error *err);

/* Stacks values of one shape (s...) to an array (count, s...), by operators, so that a tape sees
 * it. */
static Tensor *stack_values(const Value *items, size_t count, const char *what, int depth,
                            Error *err) {
    Tensor **parts = mem_zeroed(count, sizeof *parts, err), *out = NULL;
    bool ok = parts != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = (parts[i] = as_tensor(&items[i], what, depth + 1, err)) != NULL;
    for (size_t i = 1; ok && i < count; i++)
        if (!shape_equal(&parts[0]->shape, &parts[i]->shape))
            ok = error_set(err, ERR_SHAPE, "%s is uneven: element 0 is %s and element %zu is %s",
                           what, shape_words(&parts[0]->shape), i, shape_words(&parts[i]->shape));
    Shape row;
    ok = ok && shape_insert(&parts[0]->shape, 0, 1, &row, err);
    for (size_t i = 0; ok && i < count; i++)
        ok = (parts[i] = compute_reshape(parts[i], &row, err)) != NULL;
    if (ok) out = compute_concatenate(parts, count, 0, err);
    tensors_free(parts, count);
    return out;
}

static Tensor *as_tensor(const Value *value, const char *what, int depth, Error *err) {
    switch (value->kind) {
    case VALUE_TENSOR: return tensor_ref(value->tensor);
    case VALUE_NUMBER: return tensor_scalar(value->number, err);
    case VALUE_BOOL: {
        const Shape scalar = shape_scalar();
        return tensor_full(DTYPE_BOOL, &scalar, value->boolean, err);
    }
    case VALUE_LIST:
    case VALUE_TUPLE: {
        const List *list = value->list;
        bool boolean;
        if (depth >= AXES_MAX) {
            error_set(err, ERR_SHAPE, "%s has more than %d axes", what, AXES_MAX);
            return NULL;
        }
        if (list->count == 0) return pack_plain(NULL, 0, false, err);
        return all_plain(list->items, list->count, &boolean)
                   ? pack_plain(list->items, list->count, boolean, err)
                   : stack_values(list->items, list->count, what, depth, err);
    }
    default: break;
    }
    if (depth == 0)
        error_set(err, ERR_TYPE, "%s must be an array, not %s", what, value_words(value));
    else
        error_set(err, ERR_TYPE, "%s must hold numbers only, but one element is %s", what,
                  value_words(value));
    return NULL;
}

Tensor *value_as_tensor(const Value *value, const char *what, Error *err) {
    return as_tensor(value, what, 0, err);
}

/* ---- brackets ---- */

static bool is_empty_list(const Value *value) {
    return value->kind == VALUE_LIST && value->list->count == 0;
}

static Shape item_shape(const Value *value) {
    if (value->kind == VALUE_TENSOR) return value->tensor->shape;
    return is_empty_list(value) ? shape_1d(0) : shape_scalar();
}

typedef enum Evenness { EVEN, UNEVEN, NOT_NUMBERS } Evenness;

/* Tells if items stack to an array. `odd`: the first whose shape differs from that of item 0. */
static Evenness evenness(const Value *items, size_t count, size_t *odd) {
    Evenness found = EVEN;
    Shape first = item_shape(&items[0]);
    for (size_t i = 0; i < count; i++) {
        if (!value_is_scalar(&items[i]) && !value_is_array(&items[i]) && !is_empty_list(&items[i]))
            return NOT_NUMBERS;
        Shape shape = item_shape(&items[i]);
        if (found == EVEN && !shape_equal(&first, &shape)) *odd = i, found = UNEVEN;
    }
    return found;
}

static bool all_empty(const Value *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!is_empty_list(&items[i])) return false;
    return true;
}

static bool uneven(const Value *items, size_t odd, Error *err) {
    Shape first = item_shape(&items[0]), other = item_shape(&items[odd]);
    if (first.axes != 1 || other.axes != 1)
        return error_set(err, ERR_SHAPE, "row 0 is %s, but row %zu is %s", shape_words(&first), odd,
                         shape_words(&other));
    error_set(err, ERR_SHAPE, "row 0 has %zu element%s, but row %zu has %zu", first.size[0],
              first.size[0] == 1 ? "" : "s", odd, other.size[0]);
    return error_hint(err, "The rows of an array are equally long.");
}

bool value_from_items(Value *out, const Value *items, size_t count, bool literal, Error *err) {
    bool boolean;
    size_t odd = 0;
    if (count == 0 || all_empty(items, count))
        return value_list_of(out, VALUE_LIST, items, count, err);
    if (all_plain(items, count, &boolean)) {
        *out = value_tensor(pack_plain(items, count, boolean, err));
        return out->kind != VALUE_UNSET;
    }
    Evenness even = evenness(items, count, &odd);
    if (even == UNEVEN && literal) return uneven(items, odd, err);
    if (even != EVEN) return value_list_of(out, VALUE_LIST, items, count, err);
    *out = value_tensor(stack_values(items, count, "the array", 0, err));
    return out->kind != VALUE_UNSET;
}

/* Blocks beside each other, or rows of them one above the other. */
static Tensor *join_blocks(const Value *items, size_t count, bool rows, Error *err) {
    Tensor **parts = mem_zeroed(count, sizeof *parts, err), *out = NULL;
    bool ok = parts != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const List *row = rows ? items[i].list : NULL;
        parts[i] = row ? join_blocks(row->items, row->count, false, err)
                       : as_tensor(&items[i], "a block", 0, err);
        ok = parts[i] != NULL;
        for (Shape wider; ok && parts[i]->shape.axes < 2;)
            ok = shape_insert(&parts[i]->shape, 0, 1, &wider, err) &&
                 (parts[i] = compute_reshape(parts[i], &wider, err)) != NULL;
    }
    if (ok && count == 0) error_set(err, ERR_SHAPE, "a row of blocks is empty");
    else if (ok) out = compute_concatenate(parts, count, rows ? -2 : -1, err);
    tensors_free(parts, count);
    return out;
}

bool value_from_rows(Value *out, List *rows, Error *err) {
    bool blocks = false;
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < rows->items[i].list->count; k++)
            blocks = blocks || value_is_array(&rows->items[i].list->items[k]);
    if (blocks) {
        *out = value_tensor(join_blocks(rows->items, rows->count, true, err));
        return out->kind != VALUE_UNSET;
    }
    for (size_t i = 0; i < rows->count; i++) {
        Value row;
        const List *items = rows->items[i].list;
        if (!value_from_items(&row, items->items, items->count, false, err)) return false;
        value_release(&rows->items[i]);
        rows->items[i] = row;
    }
    return value_from_items(out, rows->items, rows->count, true, err);
}

/* ---- append ---- */

/* xs with the number at its end, by operators, so that the tape sees both. */
static bool append_tracked(Value *xs, const Value *item, Error *err) {
    const Shape one = shape_1d(1);
    Tensor *number = value_as_tensor(item, "what is appended", err);
    if (number && xs->tensor->dtype != DTYPE_BOOL)
        number = compute_cast(number, xs->tensor->dtype, err);
    number = compute_reshape(number, &one, err);
    Tensor *parts[] = {xs->tensor, number};
    Tensor *longer = number ? compute_concatenate(parts, 2, 0, err) : NULL;
    tensor_unref(number);
    return tensor_replace(&xs->tensor, longer);
}

static bool append_number(Value *xs, const Value *item, Error *err) {
    if (xs->tensor->node || item->kind == VALUE_TENSOR) return append_tracked(xs, item, err);
    if (xs->tensor->dtype == DTYPE_BOOL && item->kind != VALUE_BOOL) {
        Tensor *numbers = tensor_cast(xs->tensor, DTYPE_DOUBLE, err);
        if (!numbers) return false;
        tensor_unref(xs->tensor);
        xs->tensor = numbers;
    }
    return tensor_append(&xs->tensor, value_scalar(item), err);
}

bool value_append(Value *xs, const Value *item, Error *err) {
    if (value_is_array(xs)) {
        if (xs->tensor->shape.axes == 1 && value_is_scalar(item))
            return append_number(xs, item, err);
        Value list;
        if (!value_list_new(&list, VALUE_LIST, xs->tensor->shape.size[0] + 1, err) ||
            !value_if(value_extend(&list, xs, err), &list))
            return false;
        value_release(xs);
        *xs = list;
    }
    if (xs->kind != VALUE_LIST)
        return error_set(err, ERR_TYPE, "only a list can be appended to, not %s", value_words(xs));
    return shared_keep(xs->shared, err) && list_append(xs->list, *item, err);
}
