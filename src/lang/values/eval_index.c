#include "base/memory.h"
#include "lang/values/subscript.h"

#include <string.h>

/* ---- evaluating what stands between the brackets ---- */

static bool eval_bound(Frame *frame, const Node *node, Value *out, Error *err) {
    if (node) return eval(frame, node, out, err);
    *out = VALUE_NOTHING;
    return true;
}

static bool eval_slice(Frame *frame, const Node *node, Value *out, Error *err) {
    if (!value_list_new(out, VALUE_TUPLE, 3, err)) return false;
    const Node *bounds[3] = {node->slice.start, node->slice.stop, node->slice.step};
    for (int i = 0; i < 3; i++) {
        if (!eval_bound(frame, bounds[i], &out->list->items[i], err)) {
            value_release(out);
            return false;
        }
        out->list->count++;
    }
    return true;
}

static bool eval_subscript(Frame *frame, const Node *node, Value *out, Error *err) {
    if (node->kind == NODE_SLICE) return eval_slice(frame, node, out, err);
    if (node->kind != NODE_ELLIPSIS) return eval(frame, node, out, err);
    *out = VALUE_MISSING;
    return true;
}

bool subscripts_eval(Frame *frame, const Node *index, Subscripts *out, Error *err) {
    const NodeList *nodes = &index->index.items;
    *out = (Subscripts){.nodes = nodes, .values = out->few};
    if (nodes->count > 2 &&
        !(out->values = mem_zeroed((size_t)nodes->count, sizeof *out->values, err))) {
        *out = (Subscripts){.nodes = NULL};
        return false;
    }
    for (int i = 0; i < nodes->count; i++) {
        if (eval_subscript(frame, nodes->items[i], &out->values[i], err)) continue;
        out->values[i] = VALUE_MISSING;
        subscripts_release(out);
        return false;
    }
    return true;
}

void subscripts_release(Subscripts *subscripts) {
    if (!subscripts->nodes) return;
    for (int i = 0; i < subscripts->nodes->count; i++) drop(&subscripts->values[i]);
    if (subscripts->values != subscripts->few) mem_free(subscripts->values);
    subscripts->nodes = NULL;
}

/* ---- reading ---- */

bool not_indexed(const Value *object, Error *err) {
    error_set(err, ERR_TYPE, "%s has no elements to index", value_words(object));
    if (object->kind == VALUE_FUNCTION || object->kind == VALUE_BUILTIN)
        return error_hint(err, "A function is called with parentheses.");
    return false;
}

bool value_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    switch (object->kind) {
    case VALUE_TENSOR: return array_index(object->tensor, subscripts, out, err);
    case VALUE_LIST:
    case VALUE_TUPLE: return list_index(object, subscripts, out, err);
    case VALUE_STRING: return string_index(object, subscripts, out, err);
    case VALUE_RECORD: return record_index(object, subscripts, out, err);
    default: return not_indexed(object, err);
    }
}

/* zeros[3], array[1, 2]: the brackets of a function are round, and a list of several keeps its own.
 */
static void hint_call(const Frame *frame, const Node *node, Error *err) {
    Quote function = quote_node(frame, node->index.object);
    const NodeList *items = &node->index.items;
    Span span = {items->items[0]->span.begin, items->items[items->count - 1]->span.end};
    bool list = items->count > 1 || strcmp(function.text, "array") == 0 ||
                strcmp(function.text, "np.array") == 0;
    int length = span.end - span.begin > 80 ? 0 : (int)(span.end - span.begin);
    if (length)
        error_hint(err, list ? "write %s([%.*s])" : "write %s(%.*s)", function.text, length,
                   frame->chunk->text + span.begin);
}

bool eval_index(Frame *frame, const Node *node, Value *out, Error *err) {
    Value object;
    Subscripts subscripts;
    if (!eval(frame, node->index.object, &object, err)) return false;
    bool ok = subscripts_eval(frame, node, &subscripts, err);
    if (ok) {
        ok = value_index(&object, &subscripts, out, err);
        if (!ok && (object.kind == VALUE_FUNCTION || object.kind == VALUE_BUILTIN))
            hint_call(frame, node, err);
        subscripts_release(&subscripts);
    }
    drop(&object);
    return ok;
}
