#include "base/interrupt.h"
#include "lang/eval.h"

static bool conditions_hold(Frame *frame, const NodeList *conditions, bool *out, Error *err) {
    *out = true;
    for (int i = 0; *out && i < conditions->count; i++)
        if (!eval_truth(frame, conditions->items[i], out, err)) return false;
    return true;
}

static bool collect_element(Frame *frame, const Node *element, List *items, Error *err) {
    Value value;
    if (!eval(frame, element, &value, err)) return false;
    bool ok = list_append(items, value, err);
    drop(&value);
    return ok;
}

static bool collect(Frame *frame, const Node *node, int level, List *items, Error *err);

static bool collect_next(Frame *frame, const Node *node, int level, Iterator *iterator, List *items, Error *err) {
    const ComprehensionFor *part = &node->comprehension.fors[level];
    Value item;
    bool wanted;
    return !interrupted(err) && iterator_next(iterator, &item, err) && assign(frame, part->target, &item, err)
        && conditions_hold(frame, &part->conditions, &wanted, err) && (!wanted || collect(frame, node, level + 1, items, err));
}

/* The `for` parts from `level` on; after the last the element. */
static bool collect(Frame *frame, const Node *node, int level, List *items, Error *err) {
    Iterator iterator;
    if (level == node->comprehension.count) return collect_element(frame, node->comprehension.element, items, err);
    if (!iterator_eval(frame, node->comprehension.fors[level].iterable, &iterator, err)) return false;
    bool ok = true;
    while (ok && !iterator_done(&iterator)) ok = collect_next(frame, node, level, &iterator, items, err);
    iterator_release(&iterator);
    return ok;
}

bool eval_comprehension(Frame *frame, const Node *node, Value *out, Error *err) {
    Value items;
    if (!value_list_new(&items, VALUE_LIST, 0, err)) return false;
    bool literal = node->comprehension.element->kind == NODE_ARRAY;
    bool ok = collect(frame, node, 0, items.list, err)
           && value_from_items(out, items.list->items, items.list->count, literal, err);
    value_release(&items);
    return ok;
}
