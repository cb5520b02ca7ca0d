/* Equality, order, `in` and `is`; chains of comparisons. */
#include "base/interrupt.h"
#include "base/text.h"
#include "lang/eval/eval.h"
#include "lang/token.h"

#include <string.h>

/* Values nested deeper than anybody nests are called unequal rather than overflow the stack. A
 * shared payload is equal to itself at once; else a list whose parts are shared again and again
 * could go on for ever: after Ctrl-C and many parts the rest is called unequal, and the statement
 * is interrupted. */
enum { NESTING_SEEN = 200, PARTS_MANY = 1000000 };
static size_t parts_compared; /* since value_equal was called */

/* ---- equality ---- */

static bool equal(const Value *a, const Value *b, int depth);

/* An array and a list that hold the same numbers in the same shape are equal. */
static bool array_equals_list(const Value *array, const Value *list, int depth) {
    if (!value_is_arraylike(list)) return false;
    const Value held = {.kind = VALUE_TENSOR, .tensor = value_as_tensor(list, "the list", NULL)};
    bool same = held.tensor && equal(array, &held, depth + 1);
    tensor_unref(held.tensor);
    return same;
}

/* A.dtype, a word, is equal to the function of that type: np.float64, float, bool. */
static bool is_type_word(const Value *word, const Value *type) {
    const char *name = type->builtin->name;
    if (strcmp(name, "float") == 0) name = "float64";
    if (strcmp(name, "bool_") == 0) name = "bool";
    return words_contain("float64 float32 bool", name, strlen(name)) &&
           strcmp(word->string->data, name) == 0;
}

static bool equal(const Value *a, const Value *b, int depth) {
    if (depth > NESTING_SEEN) return false;
    if (depth > 0 && ++parts_compared > PARTS_MANY && interrupt_flag) return false;
    if (value_is_scalar(a) && value_is_scalar(b)) return value_scalar(a) == value_scalar(b);
    if (a->kind == VALUE_INSTANCE || b->kind == VALUE_INSTANCE) return instance_equal(a, b);
    if (value_is_array(a) && b->kind == VALUE_LIST) return array_equals_list(a, b, depth);
    if (value_is_array(b) && a->kind == VALUE_LIST) return array_equals_list(b, a, depth);
    if (a->kind == VALUE_STRING && b->kind == VALUE_BUILTIN) return is_type_word(a, b);
    if (b->kind == VALUE_STRING && a->kind == VALUE_BUILTIN) return is_type_word(b, a);
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case VALUE_UNSET:
    case VALUE_NONE: return true;
    case VALUE_STRING:
        return a->string->length == b->string->length &&
               memcmp(a->string->data, b->string->data, a->string->length) == 0;
    case VALUE_TENSOR:
        if (!shape_equal(&a->tensor->shape, &b->tensor->shape)) return false;
        for (size_t i = 0; i < a->tensor->count; i++)
            if (tensor_get(a->tensor, i) != tensor_get(b->tensor, i)) return false;
        return true;
    case VALUE_LIST:
    case VALUE_SLICE:
    case VALUE_TUPLE:
        if (a->list == b->list) return true;
        if (a->list->count != b->list->count) return false;
        for (size_t i = 0; i < a->list->count; i++)
            if (!equal(&a->list->items[i], &b->list->items[i], depth + 1)) return false;
        return true;
    case VALUE_RECORD:
        if (a->record == b->record) return true;
        if (a->record->count != b->record->count) return false;
        for (size_t i = 0; i < a->record->count; i++) {
            const Value *other = record_find(b->record, &a->record->keys[i]);
            if (!other || !equal(&a->record->values[i], other, depth + 1)) return false;
        }
        return true;
    case VALUE_SET: return a->set->used == b->set->used && set_within(a->set, b->set);
    case VALUE_FUNCTION: return a->function == b->function;
    case VALUE_BUILTIN: return a->builtin == b->builtin;
    case VALUE_OBJECT:
    case VALUE_ITERATOR:
    case VALUE_CLASS: return a->object == b->object;
    case VALUE_METHOD:
        return equal(&a->method->parts[0], &b->method->parts[0], depth + 1) &&
               equal(&a->method->parts[1], &b->method->parts[1], depth + 1);
    default: return false;
    }
}

bool value_equal(const Value *a, const Value *b) {
    parts_compared = 0;
    return equal(a, b, 0);
}

/* True if both are the same value, or the same payload. */
static bool identical(const Value *a, const Value *b) {
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case VALUE_NUMBER: return a->number == b->number;
    case VALUE_BOOL: return a->boolean == b->boolean;
    case VALUE_NONE: return true;
    default: return a->string == b->string; /* any payload: the pointers share one address */
    }
}

/* ---- order ---- */

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

/* Compares two scalars or two strings. ERR_TYPE: nothing else has an order. */
static bool plain_order(Comparison comparison, const Value *a, const Value *b, Value *out,
                        Error *err) {
    bool a_string = a->kind == VALUE_STRING, b_string = b->kind == VALUE_STRING;
    if (value_is_scalar(a) && value_is_scalar(b)) {
        *out = value_bool(numbers_compare(comparison, value_scalar(a), value_scalar(b)));
        return true;
    }
    if (a_string && b_string) {
        /* Bytes of UTF-8 sort as code points do. */
        size_t m = a->string->length, n = b->string->length;
        int order = memcmp(a->string->data, b->string->data, m < n ? m : n);
        if (order == 0) order = (m > n) - (m < n);
        *out = value_bool(numbers_compare(comparison, order, 0));
        return true;
    }
    error_set(err, ERR_TYPE, "%s cannot compare %s and %s", comparison_sign(comparison),
              value_words(a), value_words(b));
    error_python(err, "'%s' not supported between instances of '%s' and '%s'",
                 comparison_sign(comparison), value_type_name(a), value_type_name(b));
    if ((a_string && value_is_scalar(b)) || (b_string && value_is_scalar(a)))
        return error_hint(err, "float(\"1\") makes a number of a string.");
    return false;
}

/* ---- in ---- */

/* Sets *out to whether an array is one of the rows, as in a list of lists. */
static bool row_of(const Value *item, Tensor *rows, bool *out, Error *err) {
    *out = false;
    if (!value_is_array(item) || rows->shape.axes == 0) return true;
    Shape shape = shape_remove(&rows->shape, 0);
    if (!shape_equal(&shape, &item->tensor->shape)) return true;
    *out = rows->count == 0 && rows->shape.size[0] > 0; /* rows without elements are equal */
    for (size_t i = 0; !*out && i < rows->shape.size[0]; i++) {
        LocalValue row = VALUE_MISSING;
        if (interrupted(err) || !tensor_element(rows, i, &row, err)) return false;
        *out = value_equal(&row, item);
    }
    return true;
}

static bool contains(const Value *item, const Value *object, bool *out, Error *err) {
    const Value *field;
    *out = false;
    switch (object->kind) {
    case VALUE_ITERATOR:
    case VALUE_CLASS:
    case VALUE_INSTANCE: return instance_contains(object, item, out, err);
    case VALUE_LIST:
    case VALUE_TUPLE:
        for (size_t i = 0; !*out && i < object->list->count && !interrupt_flag; i++)
            *out = value_equal(&object->list->items[i], item);
        return !interrupted(err);
    case VALUE_TENSOR:
        if (!value_is_scalar(item)) return row_of(item, object->tensor, out, err);
        for (size_t i = 0; !*out && i < object->tensor->count && !interrupt_flag; i++)
            *out = tensor_get(object->tensor, i) == value_scalar(item);
        return !interrupted(err);
    case VALUE_RECORD:
        if (!record_look_up(object->record, item, &field, err)) return false;
        *out = field != NULL;
        return true;
    case VALUE_SET: return set_has(object->set, item, out, err);
    case VALUE_STRING:
        if (item->kind != VALUE_STRING) {
            error_set(err, ERR_TYPE, "in a string only a string can be looked for, not %s",
                      value_words(item));
            return error_python(err, "'in <string>' requires string as left operand, not %s",
                                value_type_name(item));
        }
        const String *string = object->string, *part = item->string;
        *out = search_bytes(string->data, string->length, 0, part->data, part->length) != NOT_FOUND;
        return !interrupted(err);
    default:
        error_set(err, ERR_TYPE, "in needs a list, a set, an array, a string or a record, not %s",
                  value_words(object));
        return error_python(err, "argument of type '%s' is not iterable", value_type_name(object));
    }
}

/* ---- all of them ---- */

/* True where a list of numbers is compared with a number, item by item. A list without items holds
 * none: as in Python, it is not equal to a number. */
static bool list_meets_number(Comparison comparison, const Value *list, const Value *number) {
    return list->kind == VALUE_LIST && value_is_scalar(number) &&
           (list->list->count > 0 || comparison > COMPARE_NOT_EQUAL);
}

bool value_compare(Interp *interp, Comparison comparison, const Value *a, const Value *b,
                   Value *out, Error *err) {
    static const Op ops[] = {OP_EQUAL,      OP_NOT_EQUAL, OP_LESS,
                             OP_LESS_EQUAL, OP_GREATER,   OP_GREATER_EQUAL};
    bool found;
    switch (comparison) {
    case COMPARE_IN:
    case COMPARE_NOT_IN:
        if (!contains(a, b, &found, err)) return false;
        *out = value_bool(found == (comparison == COMPARE_IN));
        return true;
    case COMPARE_IS:
    case COMPARE_IS_NOT:
        *out = value_bool(identical(a, b) == (comparison == COMPARE_IS));
        return true;
    default: break;
    }
    if (a->kind == VALUE_INSTANCE || b->kind == VALUE_INSTANCE) {
        bool done, same = a->kind == b->kind && a->record == b->record;
        if (!instance_compare(comparison, a, b, &done, out, err)) return false;
        if (done) return true;
        *out = value_bool(same == (comparison == COMPARE_EQUAL));
        if (comparison <= COMPARE_NOT_EQUAL) return true;
    }
    if ((value_is_view(a) && (value_is_view(b) || b->kind == VALUE_SET)) ||
        (a->kind == VALUE_SET && value_is_view(b))) {
        LocalValue one = VALUE_MISSING, other = VALUE_MISSING;
        /* Items with a list in them have no set; they are compared in their order below. */
        if (value_set_of(a, false, &one, NULL) && value_set_of(b, false, &other, NULL))
            return value_compare(interp, comparison, &one, &other, out, err);
    }
    bool item_by_item = a->kind == VALUE_TENSOR || b->kind == VALUE_TENSOR ||
                        list_meets_number(comparison, a, b) || list_meets_number(comparison, b, a);
    if (item_by_item && value_is_arraylike(a) && value_is_arraylike(b))
        return arrays_binary(interp, ops[comparison], a, b, NULL, out, err);
    if (comparison == COMPARE_EQUAL || comparison == COMPARE_NOT_EQUAL) {
        *out = value_bool(value_equal(a, b) == (comparison == COMPARE_EQUAL));
        return true;
    }
    if (value_is_list(a) && a->kind == b->kind) {
        /* Rows and numbers have no order in Python; as arrays they are compared item by item. */
        if (a->list->count > 0 && b->list->count > 0 && value_is_arraylike(a) &&
            value_is_arraylike(b) && value_axes(a) != value_axes(b))
            return arrays_binary(interp, ops[comparison], a, b, NULL, out, err);
        /* The first elements that differ decide, as in Python. */
        const List *left = a->list, *right = b->list;
        const size_t count = left->count < right->count ? left->count : right->count;
        size_t i = 0;
        while (i < count && value_equal(&left->items[i], &right->items[i])) i++;
        if (i < count)
            return value_compare(interp, comparison, &left->items[i], &right->items[i], out, err);
        *out = value_bool(numbers_compare(comparison, (double)left->count, (double)right->count));
        return true;
    }
    if (a->kind == VALUE_SET && b->kind == VALUE_SET) {
        /* a < b: all that is in a is in b, and b has more. */
        bool less = comparison == COMPARE_LESS || comparison == COMPARE_LESS_EQUAL;
        bool proper = comparison == COMPARE_LESS || comparison == COMPARE_GREATER;
        *out = value_bool(!(proper && a->set->used == b->set->used) &&
                          set_within(less ? a->set : b->set, less ? b->set : a->set));
        return true;
    }
    return plain_order(comparison, a, b, out, err);
}

/* ---- in the tree ---- */

/* a < b < c is (a < b) and (b < c), which an array cannot be asked. */
static bool no_chain(Frame *frame, const Node *node, int i, Error *err) {
    Node *const *operands = node->compare.operands.items + i;
    Quote a = quote_node(frame, operands[0]), b = quote_node(frame, operands[1]),
          c = quote_node(frame, operands[2]);
    const char *first = comparison_sign(node->compare.comparisons[i]),
               *second = comparison_sign(node->compare.comparisons[i + 1]);
    const Node *middle = operands[1];
    error_set(err, ERR_TYPE, "a chain of comparisons works on single values, not on arrays");
    if (middle->kind == NODE_BINARY && (middle->op == OP_AND || middle->op == OP_OR) &&
        !middle->parenthesised)
        return error_hint(
            err,
            "%s binds tighter than comparisons, so put these in parentheses: (a > 0) %s (b > 0).",
            op_sign(middle->op), op_sign(middle->op));
    return error_hint(err, "Write (%s %s %s) & (%s %s %s).", a.text, first, b.text, b.text, second,
                      c.text);
}

/* `c in "aeiou"` of a leaf; false if that is no string. */
static NOT_INLINED bool part_of_written(const Frame *frame, const Node *part, const String *string,
                                        Comparison comparison, bool *out) {
    const Value *value = leaf_place(frame, part);
    if ((comparison != COMPARE_IN && comparison != COMPARE_NOT_IN) || !value ||
        value->kind != VALUE_STRING)
        return false;
    const String *wanted = value->string;
    const size_t at = search_bytes(string->data, string->length, 0, wanted->data, wanted->length);
    *out = (at != NOT_FOUND) == (comparison == COMPARE_IN);
    return true;
}

bool compare_leaves(const Frame *frame, const Node *node, bool *out) {
    Node *const *sides = node->compare.operands.items;
    Comparison comparison = node->compare.comparisons[0];
    double left, right;
    if (node->compare.operands.count != 2) return false;
    if (comparison >= COMPARE_IS && sides[1]->kind == NODE_CONSTANT &&
        sides[1]->constant.kind == VALUE_NONE) {
        const Value *place = leaf_place(frame, sides[0]);
        if (!place || place->kind == VALUE_UNSET) return false;
        *out = (place->kind == VALUE_NONE) == (comparison == COMPARE_IS);
        return true;
    }
    if (sides[1]->kind == NODE_STRING && comparison >= COMPARE_IN)
        return part_of_written(frame, sides[0], sides[1]->constant.string, comparison, out);
    if (comparison > COMPARE_GREATER_EQUAL) return false;
    if (!short_number(frame, sides[0], &left) || !short_number(frame, sides[1], &right))
        return false;
    *out = numbers_compare(comparison, left, right);
    return true;
}

/* A chain ends at the first comparison that is false; its value is that of the last one made. */
bool eval_compare(Frame *frame, const Node *node, Value *out, Error *err) {
    const NodeList *operands = &node->compare.operands;
    int last = operands->count - 1;
    Value left, right;
    if (!eval(frame, operands->items[0], &left, err)) return false;
    bool ok = true, go_on = true;
    for (int i = 0; ok && go_on && i < last; i++) {
        Comparison comparison = node->compare.comparisons[i];
        ok = eval(frame, operands->items[i + 1], &right, err);
        if (!ok) break;
        if (left.kind == VALUE_NUMBER && right.kind == VALUE_NUMBER &&
            comparison <= COMPARE_GREATER_EQUAL)
            *out = value_bool(numbers_compare(comparison, left.number, right.number));
        else ok = value_compare(frame->interp, comparison, &left, &right, out, err);
        drop(&left);
        left = right;
        if (!ok || i + 1 == last) break;
        if (value_is_array(out)) ok = no_chain(frame, node, i, err);
        else ok = value_truth(out, &go_on, err);
        if (!ok) value_release(out);
    }
    drop(&left);
    return ok;
}
