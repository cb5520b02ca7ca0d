/* One line, the first time in a session, where a habit from Python does something else here. */
#include "lang/eval/eval.h"
#include "lang/exception.h"

#include <math.h>
#include <string.h>

/* Whether the habit is to be noted now; it is not once more. */
static bool first_time(Interp *interp, const char *habit) {
    return interp->notes && interp_first_in_session(interp, habit);
}

/* A literal list of numbers, [0]. */
static bool is_literal(const Node *node, const Value *value) {
    return node->kind == NODE_ARRAY && value_is_array(value);
}

/* [0] * 5, [0, 1] * 3, [[0, 0]] * 3: one number or one row, or the list on the left, where a factor
 * of a vector would rather stand on its other side. */
static bool looks_repeated(const Node *list, const Value *numbers, bool on_left) {
    const Tensor *array = numbers->tensor;
    if (array->shape.axes == 2) return on_left && list->list.count == 1;
    return array->shape.axes == 1 && array->count > 0 && (on_left || array->count == 1);
}

void note_list_arithmetic(Frame *frame, const Node *node, const Value *left, const Value *right) {
    Interp *interp = frame->interp;
    const Node *a = node->binary.left, *b = node->binary.right;
    bool first = is_literal(a, left), second = is_literal(b, right);
    if (node->op == OP_ADD && first && second && first_time(interp, "join")) {
        Quote x = quote_node(frame, a), y = quote_node(frame, b);
        host_note(interp->host,
                  "(lists of numbers are arrays: + adds them; concatenate((%s, %s)) joins them)",
                  x.text, y.text);
    }
    const Value *times = first ? right : left;
    bool repeat = node->op == OP_MULTIPLY && first != second && times->kind == VALUE_NUMBER &&
                  times->number >= 2 && times->number == floor(times->number) &&
                  looks_repeated(first ? a : b, first ? left : right, first);
    if (!repeat || !first_time(interp, "repeat")) return;
    bool rows = (first ? left : right)->tensor->shape.axes > 1;
    host_note(
        interp->host,
        rows ? "(lists of numbers are arrays: * multiplies each by %.0f; tile(%s, (%.0f, 1)) "
               "repeats the row)"
             : "(lists of numbers are arrays: * multiplies each by %.0f; tile(%s, %.0f) repeats "
               "them)",
        times->number, quote_node(frame, first ? a : b).text, times->number);
}

void note_change_of_copy(Frame *frame, const Node *copied) {
    if (!first_time(frame->interp, "copy")) return;
    Quote copy = quote_node(frame, copied);
    host_note(frame->interp->host,
              "(%s is a copy, so the change is lost: write B = %s, change B, then %s = B)",
              copy.text, copy.text, copy.text);
}

void note_division_handler(Interp *interp, const Node *node) {
    for (int i = 0; interp->notes && i < node->try_block.count; i++) {
        const Handler *handler = &node->try_block.handlers[i];
        for (int k = 0; k < handler->count; k++)
            if (strcmp(handler->exceptions[k]->name, "ZeroDivisionError") == 0 &&
                first_time(interp, "division"))
                host_note(interp->host, "(1/0 is inf here, and raises no ZeroDivisionError; write "
                                        "if y == 0: ... before x / y)");
    }
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
    if (!value_is_array(name_place(frame, target)) || !first_time(frame->interp, "loop")) return;
    host_note(frame->interp->host,
              "(the loop changed %s, not %s: values are copied; assign to each name in a line of "
              "its own)",
              target->name.symbol->name, first->name.symbol->name);
}

/* def f(A): A[0] = 5, where the change is the last thing that the function does. */
void note_parameter_change(Interp *interp, const FunctionCode *code) {
    if (!interp->notes || !code->name || code->body.count == 0) return;
    const Node *name = changed_name(code->body.items[code->body.count - 1]);
    if (!name) return;
    const Node *last = code->body.items[code->body.count - 1];
    if (last->kind == NODE_AUGMENTED && last->augmented.target->kind == NODE_NAME) return;
    for (int i = 0; i < code->parameter_count; i++) {
        if (code->parameters[i].name != name->name.symbol || i == code->keywords) continue;
        const char *function = code->name->name, *own = name->name.symbol->name;
        if (first_time(interp, "parameter"))
            host_note(interp->host,
                      "(%s changed its own %s: values are copied; let it return %s, and write "
                      "%s = %s(%s))",
                      function, own, own, own, function, own);
    }
}
