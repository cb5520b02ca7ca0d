#include "lang/eval/eval.h"

#include <string.h>

enum { NESTING_SEEN = 200 };

/* ---- equality ---- */

static bool equal(const Value *a, const Value *b, int depth);

static bool tensors_equal(const Tensor *a, const Tensor *b) {
    if (!shape_equal(&a->shape, &b->shape)) return false;
    for (size_t i = 0; i < a->count; i++)
        if (tensor_get(a, i) != tensor_get(b, i)) return false;
    return true;
}

static bool lists_equal(const List *a, const List *b, int depth) {
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++)
        if (!equal(&a->items[i], &b->items[i], depth)) return false;
    return true;
}

static bool records_equal(const Record *a, const Record *b, int depth) {
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        const Value *other = record_get(b, a->names[i]->data);
        if (!other || !equal(&a->values[i], other, depth)) return false;
    }
    return true;
}

/* An array and a list of as many numbers (which xs = [] and xs.append make) are equal too. */
static bool array_equals_list(const Tensor *array, const List *list) {
    if (array->shape.axes != 1 || array->count != list->count) return false;
    for (size_t i = 0; i < list->count; i++)
        if (!value_is_scalar(&list->items[i]) ||
            value_scalar(&list->items[i]) != tensor_get(array, i))
            return false;
    return true;
}

static bool same_kind_equal(const Value *a, const Value *b, int depth) {
    switch (a->kind) {
    case VALUE_UNSET:
    case VALUE_NONE: return true;
    case VALUE_STRING:
        return a->string->length == b->string->length &&
               memcmp(a->string->data, b->string->data, a->string->length) == 0;
    case VALUE_TENSOR: return tensors_equal(a->tensor, b->tensor);
    case VALUE_LIST:
    case VALUE_TUPLE: return lists_equal(a->list, b->list, depth);
    case VALUE_RECORD: return records_equal(a->record, b->record, depth);
    case VALUE_FUNCTION: return a->function == b->function;
    case VALUE_BUILTIN: return a->builtin == b->builtin;
    case VALUE_OBJECT: return a->object == b->object;
    default: return false;
    }
}

/* What is nested deeper than anybody nests is called unequal rather than overflow the stack. */
static bool equal(const Value *a, const Value *b, int depth) {
    if (depth > NESTING_SEEN) return false;
    if (value_is_scalar(a) && value_is_scalar(b)) return value_scalar(a) == value_scalar(b);
    if (a->kind == b->kind) return same_kind_equal(a, b, depth + 1);
    if (value_is_array(a) && b->kind == VALUE_LIST) return array_equals_list(a->tensor, b->list);
    if (value_is_array(b) && a->kind == VALUE_LIST) return array_equals_list(b->tensor, a->list);
    return false;
}

bool value_equal(const Value *a, const Value *b) { return equal(a, b, 0); }

/* ---- order ---- */

static int sign_of(double a, double b) { return (a > b) - (a < b); }

/* Bytes of UTF-8 sort as code points do. */
static int string_order(const String *a, const String *b) {
    int order = memcmp(a->data, b->data, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : sign_of((double)a->length, (double)b->length);
}

static bool ordered(Comparison comparison, int order) {
    switch (comparison) {
    case COMPARE_LESS: return order < 0;
    case COMPARE_LESS_EQUAL: return order <= 0;
    case COMPARE_GREATER: return order > 0;
    default: return order >= 0;
    }
}

static bool numbers_compare(Comparison comparison, double a, double b) {
    switch (comparison) {
    case COMPARE_EQUAL: return a == b;
    case COMPARE_NOT_EQUAL: return a != b;
    case COMPARE_LESS: return a < b;
    case COMPARE_LESS_EQUAL: return a <= b;
    case COMPARE_GREATER: return a > b;
    default: return a >= b;
    }
}

static const char *comparison_sign(Comparison comparison) {
    static const char *const signs[] = {"==", "!=", "<",      "<=", ">",
                                        ">=", "in", "not in", "is", "is not"};
    return signs[comparison];
}

static bool no_order(Comparison comparison, const Value *a, const Value *b, Error *err) {
    error_set(err, ERR_TYPE, "%s cannot compare %s and %s", comparison_sign(comparison),
              value_words(a), value_words(b));
    if ((a->kind == VALUE_STRING && value_is_scalar(b)) ||
        (b->kind == VALUE_STRING && value_is_scalar(a)))
        return error_hint(err, "float(\"1\") makes a number of a string.");
    return false;
}

/* Lists by their first elements that differ, as in Python. */
static bool lists_compare(Comparison comparison, const List *a, const List *b, Value *out,
                          Error *err) {
    size_t i = 0;
    while (i < a->count && i < b->count && value_equal(&a->items[i], &b->items[i])) i++;
    if (i == a->count || i == b->count)
        return *out = value_bool(ordered(comparison, sign_of((double)a->count, (double)b->count))),
               true;
    const Value *x = &a->items[i], *y = &b->items[i];
    if (value_is_scalar(x) && value_is_scalar(y))
        return *out = value_bool(numbers_compare(comparison, value_scalar(x), value_scalar(y))),
               true;
    if (x->kind == VALUE_STRING && y->kind == VALUE_STRING)
        return *out = value_bool(ordered(comparison, string_order(x->string, y->string))), true;
    return no_order(comparison, x, y, err);
}

/* ---- elementwise ---- */

static Op comparison_op(Comparison comparison) {
    static const Op ops[] = {OP_EQUAL,      OP_NOT_EQUAL, OP_LESS,
                             OP_LESS_EQUAL, OP_GREATER,   OP_GREATER_EQUAL};
    return ops[comparison];
}

static bool is_list(const Value *value) {
    return value->kind == VALUE_LIST || value->kind == VALUE_TUPLE;
}

static bool elementwise(Interp *interp, Comparison comparison, const Value *a, const Value *b,
                        Value *out, Error *err) {
    Tensor *left = operand_tensor(interp, a, "the left side", err);
    Tensor *right = left ? operand_tensor(interp, b, "the right side", err) : NULL;
    *out = value_tensor(right ? op_binary(comparison_op(comparison), left, right, err) : NULL);
    tensor_unref(left);
    tensor_unref(right);
    return out->kind != VALUE_UNSET;
}

static bool holds_numbers(const Value *value) {
    if (!is_list(value)) return value_is_scalar(value) || value_is_array(value);
    for (size_t i = 0; i < value->list->count; i++)
        if (!value_is_scalar(&value->list->items[i]) && !value_is_array(&value->list->items[i]))
            return false;
    return true;
}

/* ---- in, is ---- */

static bool string_contains(const String *string, const String *part) {
    if (part->length == 0) return true;
    for (size_t i = 0; i + part->length <= string->length; i++)
        if (memcmp(string->data + i, part->data, part->length) == 0) return true;
    return false;
}

static bool list_contains(const List *list, const Value *item) {
    for (size_t i = 0; i < list->count; i++)
        if (value_equal(&list->items[i], item)) return true;
    return false;
}

static bool tensor_contains(const Tensor *tensor, const Value *item) {
    if (!value_is_scalar(item)) return false;
    double x = value_scalar(item);
    for (size_t i = 0; i < tensor->count; i++)
        if (tensor_get(tensor, i) == x) return true;
    return false;
}

static bool contains(const Value *item, const Value *object, bool *out, Error *err) {
    switch (object->kind) {
    case VALUE_LIST:
    case VALUE_TUPLE: *out = list_contains(object->list, item); return true;
    case VALUE_TENSOR: *out = tensor_contains(object->tensor, item); return true;
    case VALUE_RECORD:
        *out = item->kind == VALUE_STRING && record_get(object->record, item->string->data);
        return true;
    case VALUE_STRING:
        if (item->kind != VALUE_STRING)
            return error_set(err, ERR_TYPE, "in a string only a string can be looked for, not %s",
                             value_words(item));
        *out = string_contains(object->string, item->string);
        return true;
    default:
        return error_set(err, ERR_TYPE, "in needs a list, an array, a string or a record, not %s",
                         value_words(object));
    }
}

static bool identical(const Value *a, const Value *b) {
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case VALUE_NUMBER: return a->number == b->number;
    case VALUE_BOOL: return a->boolean == b->boolean;
    case VALUE_NONE: return true;
    default: return a->string == b->string; /* any payload: the same one */
    }
}

/* ---- all of them ---- */

static bool equality(Interp *interp, Comparison comparison, const Value *a, const Value *b,
                     Value *out, Error *err) {
    bool arrays = a->kind == VALUE_TENSOR || b->kind == VALUE_TENSOR;
    if (arrays && holds_numbers(a) && holds_numbers(b))
        return elementwise(interp, comparison, a, b, out, err);
    *out = value_bool(value_equal(a, b) == (comparison == COMPARE_EQUAL));
    return true;
}

static bool order(Interp *interp, Comparison comparison, const Value *a, const Value *b, Value *out,
                  Error *err) {
    if (value_is_scalar(a) && value_is_scalar(b) && a->kind != VALUE_TENSOR &&
        b->kind != VALUE_TENSOR)
        return *out = value_bool(numbers_compare(comparison, value_scalar(a), value_scalar(b))),
               true;
    if (a->kind == VALUE_STRING && b->kind == VALUE_STRING)
        return *out = value_bool(ordered(comparison, string_order(a->string, b->string))), true;
    if ((a->kind == VALUE_TENSOR || b->kind == VALUE_TENSOR) && holds_numbers(a) &&
        holds_numbers(b))
        return elementwise(interp, comparison, a, b, out, err);
    if (is_list(a) && a->kind == b->kind)
        return lists_compare(comparison, a->list, b->list, out, err);
    return no_order(comparison, a, b, err);
}

bool value_compare(Interp *interp, Comparison comparison, const Value *a, const Value *b,
                   Value *out, Error *err) {
    bool found = false;
    switch (comparison) {
    case COMPARE_EQUAL:
    case COMPARE_NOT_EQUAL: return equality(interp, comparison, a, b, out, err);
    case COMPARE_IN:
    case COMPARE_NOT_IN:
        if (!contains(a, b, &found, err)) return false;
        *out = value_bool(found == (comparison == COMPARE_IN));
        return true;
    case COMPARE_IS:
    case COMPARE_IS_NOT:
        *out = value_bool(identical(a, b) == (comparison == COMPARE_IS));
        return true;
    default: return order(interp, comparison, a, b, out, err);
    }
}

/* ---- in the tree ---- */

static bool plain_numbers(const Value *a, const Value *b, Comparison comparison) {
    return a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER &&
           comparison <= COMPARE_GREATER_EQUAL;
}

static bool compare_pair(Frame *frame, Comparison comparison, const Value *a, const Value *b,
                         Value *out, Error *err) {
    if (plain_numbers(a, b, comparison)) {
        *out = value_bool(numbers_compare(comparison, a->number, b->number));
        return true;
    }
    return value_compare(frame->interp, comparison, a, b, out, err);
}

/* a < b < c is (a < b) and (b < c), which an array cannot be asked. */
static bool no_chain(Frame *frame, const Node *node, int i, Error *err) {
    Quote a = quote_node(frame, node->compare.operands.items[i]),
          b = quote_node(frame, node->compare.operands.items[i + 1]);
    Quote c = quote_node(frame, node->compare.operands.items[i + 2]);
    const char *first = comparison_sign(node->compare.comparisons[i]),
               *second = comparison_sign(node->compare.comparisons[i + 1]);
    error_set(err, ERR_TYPE, "a chain of comparisons works on single values, not on arrays");
    return error_hint(err, "Write (%s %s %s) & (%s %s %s).", a.text, first, b.text, b.text, second,
                      c.text);
}

/* The chain from operand i on, whose value is `left` (taken). */
static bool compare_from(Frame *frame, const Node *node, int i, Value *left, Value *out,
                         Error *err) {
    int last = node->compare.operands.count - 1;
    Value right = VALUE_MISSING;
    bool ok = true, go_on = true;
    for (; ok && go_on && i < last; i++) {
        ok = eval(frame, node->compare.operands.items[i + 1], &right, err);
        if (ok && !(ok = compare_pair(frame, node->compare.comparisons[i], left, &right, out, err)))
            drop(&right);
        if (!ok) break;
        drop(left);
        *left = right;
        right = VALUE_MISSING;
        if (i + 1 == last) break;
        if (value_is_array(out)) ok = no_chain(frame, node, i, err);
        else ok = value_truth(out, &go_on, err);
        if (!ok) value_release(out);
    }
    drop(left);
    return ok;
}

bool eval_compare(Frame *frame, const Node *node, Value *out, Error *err) {
    Value left;
    if (!eval(frame, node->compare.operands.items[0], &left, err)) return false;
    return compare_from(frame, node, 0, &left, out, err);
}
