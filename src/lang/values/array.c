#include "base/interrupt.h"
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
    if (!tensor->node) { /* no tape is to know of it */
        const Shape shape = shape_remove(&tensor->shape, 0);
        Tensor *row = tensor_piece(tensor, &shape, i * shape_stride(&tensor->shape, 0), err);
        *out = value_tensor(tensor_part(row, tensor));
        return row != NULL;
    }
    IndexItem item = {.kind = INDEX_INTEGER, .at = (long long)i};
    OpAttributes attributes = {.items = &item, .item_count = 1};
    Tensor *row;
    if (!op_apply(OP_INDEX, &tensor, 1, &attributes, &row, err)) return false;
    *out = value_tensor(tensor_part(row, tensor));
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

/* The shape of lists in lists, by their first items. False: what is in them is no plain number. */
static bool nested_shape(const Value *value, Shape *shape) {
    for (shape->axes = 0; value_is_list(value); value = value->list->items) {
        if (shape->axes == AXES_MAX || value->list->count == 0) return false;
        shape->size[shape->axes++] = value->list->count;
    }
    return value->kind == VALUE_NUMBER || value->kind == VALUE_BOOL;
}

/* Writes the numbers of lists in lists to *next, which moves on. False: their shape is another one,
 * or something in them is no plain number. */
static bool write_nested(const Value *value, const Shape *shape, int axis, double **next,
                         bool *all_bool) {
    if (axis == shape->axes) {
        if (value->kind != VALUE_NUMBER && value->kind != VALUE_BOOL) return false;
        if (value->kind == VALUE_NUMBER) *all_bool = false;
        *(*next)++ = value_scalar(value);
        return true;
    }
    if (!value_is_list(value) || value->list->count != shape->size[axis]) return false;
    for (size_t i = 0; i < value->list->count; i++)
        if (!write_nested(&value->list->items[i], shape, axis + 1, next, all_bool)) return false;
    return true;
}

/* The array of plain numbers in lists of lists; *packed is false where they make none that simply.
 */
static Tensor *pack_nested(const Value *value, bool *packed, Error *err) {
    Shape shape;
    size_t count;
    *packed = nested_shape(value, &shape) && shape_count(&shape, &count, NULL);
    Tensor *tensor = *packed ? tensor_new(DTYPE_DOUBLE, &shape, err) : NULL;
    if (!tensor) return NULL;
    bool all_bool = true;
    double *next = tensor_doubles(tensor);
    *packed = write_nested(value, &shape, 0, &next, &all_bool);
    if (*packed && !all_bool) return tensor;
    Tensor *bools = *packed ? tensor_cast(tensor, DTYPE_BOOL, err) : NULL;
    tensor_unref(tensor);
    return bools;
}

static Tensor *as_tensor(const Value *value, const char *what, int depth, Error *err);

/* ERR_SHAPE: two items have different shapes. */
static bool uneven(const char *what, const Shape *first, const Shape *other, size_t odd,
                   Error *err) {
    if (first->axes != 1 || other->axes != 1)
        return error_set(err, ERR_SHAPE, "%s is uneven: element 0 is %s and element %zu is %s",
                         what, shape_words(first), odd, shape_words(other));
    error_set(err, ERR_SHAPE, "%s is uneven: row 0 has %zu element%s, but row %zu has %zu", what,
              first->size[0], first->size[0] == 1 ? "" : "s", odd, other->size[0]);
    return error_hint(err, "The rows of an array are equally long.");
}

/* Stacks values of one shape (s...) to an array (count, s...), by operators, so that a tape sees
 * it. */
static Tensor *stack_values(const Value *items, size_t count, const char *what, int depth,
                            Error *err) {
    Tensor **parts = mem_zeroed(count, sizeof *parts, err), *out = NULL;
    bool ok = parts != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = !interrupted(err) && (parts[i] = as_tensor(&items[i], what, depth + 1, err)) != NULL;
    for (size_t i = 1; ok && i < count; i++)
        if (!shape_equal(&parts[0]->shape, &parts[i]->shape))
            ok = uneven(what, &parts[0]->shape, &parts[i]->shape, i, err);
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
        if (value_is_list(&list->items[0])) {
            bool packed;
            Tensor *tensor = pack_nested(value, &packed, err);
            if (packed) return tensor;
        }
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
    if (depth > 0 && value->kind == VALUE_STRING)
        error_hint(err,
                   "Strings stay in a list: names = [\"a\", \"b\"], and array([x == \"a\" for x in "
                   "names]) says which are \"a\".");
    value_hint_output(value, err);
    return NULL;
}

/* ---- what lists in lists hold ---- */

enum {
    LEAF_NUMBER = 1, /* a plain one */
    LEAF_BOOL = 2,
    LEAF_TRACKED = 4, /* a number that a tape knows */
    LEAF_ARRAY = 8,
    LEAF_NOTHING = 16, /* an empty list */
    INSIDE_TUPLE = 32,
    LEAVES_NUMBERS = LEAF_NUMBER | LEAF_BOOL | LEAF_TRACKED,
    LEAVES_ALL = LEAVES_NUMBERS | LEAF_ARRAY | LEAF_NOTHING | INSIDE_TUPLE
};

enum { ITEMS_MANY = 1000000 };
static size_t items_seen; /* since leaves_are was called with depth 0 */

/* True if all that the value holds, or is, is of the kinds in `allowed`. False for lists nested
 * deeper than an array has axes, as one that holds itself is, and after Ctrl-C and many items. */
static bool leaves_are(const Value *value, unsigned allowed, int depth) {
    unsigned kind = 0;
    switch (value->kind) {
    case VALUE_NUMBER: kind = LEAF_NUMBER; break;
    case VALUE_BOOL: kind = LEAF_BOOL; break;
    case VALUE_TENSOR: kind = value->tensor->shape.axes ? LEAF_ARRAY : LEAF_TRACKED; break;
    case VALUE_LIST:
    case VALUE_TUPLE:
        items_seen = (depth == 0 ? 0 : items_seen) + value->list->count;
        if (depth == AXES_MAX || (items_seen > ITEMS_MANY && interrupt_flag)) return false;
        if (value->kind == VALUE_TUPLE && !(allowed & INSIDE_TUPLE)) return false;
        for (size_t i = 0; i < value->list->count; i++)
            if (!leaves_are(&value->list->items[i], allowed, depth + 1)) return false;
        return value->list->count > 0 || (allowed & LEAF_NOTHING);
    default: break;
    }
    return kind & allowed;
}

bool value_is_arraylike(const Value *value) { return leaves_are(value, LEAVES_ALL, 0); }

bool value_holds_numbers(const Value *value) { return leaves_are(value, LEAVES_NUMBERS, 0); }

void value_become_array(Value *value) {
    Value array = VALUE_MISSING;
    if (value_is_list(value) && value_is_arraylike(value))
        array = value_tensor(value_as_tensor(value, "the list", NULL));
    if (array.kind != VALUE_UNSET) value_replace(value, array);
}

/* The first thing in lists of lists that is none, and how many lists are around it. */
static const Value *first_leaf(const Value *value, int *depth) {
    for (*depth = 0; value_is_list(value) && value->list->count > 0 && *depth < AXES_MAX; ++*depth)
        value = value->list->items;
    return value;
}

int value_axes(const Value *value) {
    int depth;
    const Value *leaf = first_leaf(value, &depth);
    if (!value_is_arraylike(value)) return 0;
    return depth + value_is_list(leaf) + (value_is_array(leaf) ? leaf->tensor->shape.axes : 0);
}

Tensor *value_as_rows(const Value *value, int axes) {
    int depth;
    const Value *leaf = first_leaf(value, &depth);
    unsigned kind = leaf->kind == VALUE_BOOL ? LEAF_BOOL : LEAF_NUMBER;
    bool rows = value->kind == VALUE_LIST && depth >= axes && leaves_are(value, kind, 0);
    return rows ? value_as_tensor(value, "the list", NULL) : NULL;
}

Tensor *value_as_tensor(const Value *value, const char *what, Error *err) {
    return as_tensor(value, what, 0, err);
}

/* ---- rows ---- */

/* Joins blocks side by side, or with `rows` lists of blocks one above the other. */
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
    bool blocks = false, numbers = true;
    for (size_t i = 0; i < rows->count; i++) {
        const List *row = rows->items[i].list;
        for (size_t k = 0; k < row->count; k++) {
            numbers = numbers && value_is_arraylike(&row->items[k]);
            blocks = blocks || !value_is_scalar(&row->items[k]);
        }
    }
    const Value list = {.kind = VALUE_LIST, .list = rows};
    if (!numbers) *out = value_ref(list); /* of strings and the like: lists in a list */
    else if (blocks) *out = value_tensor(join_blocks(rows->items, rows->count, true, err));
    else *out = value_tensor(value_as_tensor(&list, "the array", err));
    return out->kind != VALUE_UNSET;
}

/* ---- append ---- */

bool value_append(Value *xs, const Value *item, Error *err) {
    if (xs->kind != VALUE_LIST) {
        error_set(err, ERR_TYPE, "only a list can be appended to, not %s", value_words(xs));
        error_mark(err, "AttributeError");
        return error_python(err, "'%s' object has no attribute 'append'", value_type_name(xs));
    }
    return shared_keep(xs->shared, err) && list_append(xs->list, *item, err);
}
