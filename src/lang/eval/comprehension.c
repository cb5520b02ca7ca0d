#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/eval/eval.h"

#include <string.h>

/* What a comprehension has made so far: plain numbers lie close together, as in the array that they
 * become; the first other value moves them all into a list. */
typedef struct Gathered {
    double *numbers;
    size_t count, capacity;
    Value items; /* VALUE_UNSET: numbers only */
} Gathered;

static void gathered_release(Gathered *gathered) {
    mem_free(gathered->numbers);
    value_release(&gathered->items);
}

static bool gather_number(Gathered *gathered, double x, Error *err) {
    if (gathered->count == gathered->capacity) {
        size_t capacity = gathered->capacity ? gathered->capacity * 2 : 16, bytes;
        if (!size_multiply(capacity, sizeof x, &bytes)) return error_memory(err, SIZE_MAX);
        double *numbers = mem_resize(gathered->numbers, bytes, err);
        if (!numbers) return false;
        gathered->numbers = numbers;
        gathered->capacity = capacity;
    }
    gathered->numbers[gathered->count++] = x;
    return true;
}

static bool move_to_list(Gathered *gathered, Error *err) {
    if (!value_list_new(&gathered->items, VALUE_LIST, gathered->count, err)) return false;
    for (size_t i = 0; i < gathered->count; i++)
        if (!list_append(gathered->items.list, value_number(gathered->numbers[i]), err))
            return false;
    return true;
}

static bool gather(Gathered *gathered, const Value *value, Error *err) {
    bool listed = gathered->items.kind != VALUE_UNSET;
    if (!listed && value->kind == VALUE_NUMBER) return gather_number(gathered, value->number, err);
    return (listed || move_to_list(gathered, err)) &&
           list_append(gathered->items.list, *value, err);
}

/* Copied in parts: a large one can be interrupted. */
static Tensor *numbers_as_tensor(const Gathered *gathered, Error *err) {
    const size_t part = 1 << 20;
    Shape shape = shape_1d(gathered->count);
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t at = 0; tensor && at < gathered->count; at += part) {
        size_t count = gathered->count - at < part ? gathered->count - at : part;
        memcpy(tensor_doubles(tensor) + at, gathered->numbers + at, count * sizeof(double));
        if (!interrupted(err)) continue;
        tensor_unref(tensor);
        return NULL;
    }
    return tensor;
}

static bool gathered_value(const Gathered *gathered, bool literal, Value *out, Error *err) {
    const List *list = gathered->items.list;
    if (gathered->items.kind != VALUE_UNSET)
        return value_from_items(out, list->items, list->count, literal, err);
    if (gathered->count == 0) return value_list_new(out, VALUE_LIST, 0, err);
    *out = value_tensor(numbers_as_tensor(gathered, err));
    return out->kind != VALUE_UNSET;
}

static bool conditions_hold(Frame *frame, const NodeList *conditions, bool *out, Error *err) {
    *out = true;
    for (int i = 0; *out && i < conditions->count; i++)
        if (!eval_truth(frame, conditions->items[i], out, err)) return false;
    return true;
}

static bool collect_element(Frame *frame, const Node *element, Gathered *gathered, Error *err) {
    Value value;
    if (!eval(frame, element, &value, err)) return false;
    bool ok = gather(gathered, &value, err);
    drop(&value);
    return ok;
}

static bool collect(Frame *frame, const Node *node, int level, Gathered *gathered, Error *err);

static bool collect_next(Frame *frame, const Node *node, int level, Iterator *iterator,
                         Gathered *gathered, Error *err) {
    const ComprehensionFor *part = &node->comprehension.fors[level];
    Value item;
    bool wanted;
    return !interrupted(err) && iterator_next(iterator, &item, err) &&
           assign(frame, part->target, &item, err) &&
           conditions_hold(frame, &part->conditions, &wanted, err) &&
           (!wanted || collect(frame, node, level + 1, gathered, err));
}

/* The `for` parts from `level` on; after the last the element. */
static bool collect(Frame *frame, const Node *node, int level, Gathered *gathered, Error *err) {
    Iterator iterator;
    if (level == node->comprehension.count)
        return collect_element(frame, node->comprehension.element, gathered, err);
    if (!iterator_eval(frame, node->comprehension.fors[level].iterable, &iterator, err))
        return false;
    bool ok = true;
    while (ok && !iterator_done(&iterator))
        ok = collect_next(frame, node, level, &iterator, gathered, err);
    iterator_release(&iterator);
    return ok;
}

bool eval_comprehension(Frame *frame, const Node *node, Value *out, Error *err) {
    Gathered gathered = {.items = VALUE_MISSING};
    bool literal = node->comprehension.element->kind == NODE_ARRAY;
    bool ok =
        collect(frame, node, 0, &gathered, err) && gathered_value(&gathered, literal, out, err);
    gathered_release(&gathered);
    return ok;
}
