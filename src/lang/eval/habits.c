/* One line, the first time in a session, where a habit from Python's lists does something else with
 * arrays of numbers. */
#include "lang/eval/eval.h"

#include <math.h>

enum { HABIT_REPEAT = 1, HABIT_JOIN = 2, HABIT_LOOP = 4, HABIT_PARAMETER = 8 };

/* Whether the habit is to be noted now; it is not once more. */
static bool first_time(Interp *interp, unsigned habit) {
    if (!interp->notes || (interp->noted & habit)) return false;
    interp->noted |= habit;
    return true;
}

/* A literal list of numbers, [0]. */
static bool is_literal(const Node *node, const Value *value) {
    return node->kind == NODE_ARRAY && value_is_array(value);
}

void note_list_arithmetic(Frame *frame, const Node *node, const Value *left, const Value *right) {
    Interp *interp = frame->interp;
    const Node *a = node->binary.left, *b = node->binary.right;
    bool first = is_literal(a, left), second = is_literal(b, right);
    if (node->op == OP_ADD && first && second && first_time(interp, HABIT_JOIN)) {
        Quote x = quote_node(frame, a), y = quote_node(frame, b);
        host_note(interp->host,
                  "(lists of numbers are arrays: + adds them; concatenate((%s, %s)) joins them)",
                  x.text, y.text);
    }
    /* [0] * 5; the product of a vector of several numbers is meant as one. */
    const Node *list = first ? a : b;
    const Value *numbers = first ? left : right, *times = first ? right : left;
    bool repeat = node->op == OP_MULTIPLY && first != second && list->list.count == 1 &&
                  numbers->tensor->count == 1 && times->kind == VALUE_NUMBER &&
                  times->number >= 2 && times->number == floor(times->number);
    if (repeat && first_time(interp, HABIT_REPEAT))
        host_note(interp->host,
                  "(lists of numbers are arrays: * multiplies them; tile(%s, %.0f) repeats them)",
                  quote_node(frame, list).text, times->number);
}

/* The name whose value a statement changes, A of A[0] = 5 and of A += 1; NULL: it changes none. An
 * assignment to the name itself is no change of a value. */
static const Node *changed_name(const Node *statement) {
    const Node *target = NULL;
    if (statement->kind == NODE_AUGMENTED) target = statement->augmented.target;
    if (statement->kind == NODE_ASSIGN && statement->assign.targets.count == 1 &&
        statement->assign.targets.items[0]->kind == NODE_INDEX)
        target = statement->assign.targets.items[0];
    if (!target || (target->kind != NODE_NAME && target->kind != NODE_INDEX)) return NULL;
    const Node *root = node_root(target);
    return root->kind == NODE_NAME ? root : NULL;
}

static bool same_name(const Node *a, const Node *b) { return a->name.symbol == b->name.symbol; }

/* for p in [W, b]: p += 1, where nothing in the loop comes after the change that could use p. */
void note_loop_change(Frame *frame, const Node *loop) {
    const Node *target = loop->loop.target, *list = loop->loop.iterable;
    const NodeList *body = &loop->loop.body;
    bool listed = list->kind == NODE_ARRAY || list->kind == NODE_TUPLE;
    if (!frame->interp->notes || !listed || target->kind != NODE_NAME || body->count == 0) return;
    const Node *name = changed_name(body->items[body->count - 1]);
    if (list->list.count == 0 || !name || !same_name(name, target)) return;
    for (int i = 0; i < list->list.count; i++)
        if (list->list.items[i]->kind != NODE_NAME) return;
    const Node *first = list->list.items[0];
    if (!value_is_array(name_place(frame, target)) || !first_time(frame->interp, HABIT_LOOP))
        return;
    host_note(frame->interp->host,
              "(the loop changed %s, not %s: values are copied; assign to each name in a line of "
              "its own)",
              target->name.symbol->name, first->name.symbol->name);
}

/* def f(A): A[0] = 5, where the change is the last thing that the function does. */
void note_parameter_change(Interp *interp, const FunctionCode *code) {
    if (!interp->notes || !code->name || code->body.count == 0) return;
    const Node *name = changed_name(code->body.items[code->body.count - 1]);
    if (!name || (interp->noted & HABIT_PARAMETER)) return;
    const Node *last = code->body.items[code->body.count - 1];
    if (last->kind == NODE_AUGMENTED && last->augmented.target->kind == NODE_NAME) return;
    for (int i = 0; i < code->parameter_count; i++) {
        if (code->parameters[i].name != name->name.symbol) continue;
        const char *function = code->name->name, *own = name->name.symbol->name;
        if (first_time(interp, HABIT_PARAMETER))
            host_note(interp->host,
                      "(%s changed its own %s: values are copied; let it return %s, and write "
                      "%s = %s(%s))",
                      function, own, own, own, function, own);
    }
}
