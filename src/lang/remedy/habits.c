/* Notes in one line what a habit from Python does here: most the first time in a session. */
#include "lang/eval/eval.h"
#include "lang/exception.h"

#include <math.h>
#include <string.h>

/* A literal list of numbers, [0] or [x for x in xs]. */
static bool is_literal(const Node *node, const Value *value) {
    return (node->kind == NODE_ARRAY || node->kind == NODE_COMPREHENSION) && value_is_array(value);
}

/* True for a list in Python: a literal, or an array that append made longer, which leaves room for
 * more. */
static bool is_list(const Node *node, const Value *value) {
    bool grown = node->kind == NODE_NAME && value_is_array(value) &&
                 value->tensor->shape.axes == 1 && value->tensor->capacity > value->tensor->count;
    return grown || is_literal(node, value);
}

/* True for [0] * 5, [0, 1] * 3, [[0, 0]] * 3: one number or one row, or the list on the left, where
 * a factor of a vector would rather be on its other side. */
static bool looks_repeated(const Node *list, const Value *numbers, bool on_left) {
    const Tensor *array = numbers->tensor;
    if (array->shape.axes == 2) return on_left && list->list.count == 1;
    return array->shape.axes == 1 && array->count > 0 && (on_left || array->count == 1);
}

void note_list_arithmetic(Frame *frame, const Node *node, const Value *left, const Value *right) {
    Interp *interp = frame->interp;
    const Node *a = node->binary.left, *b = node->binary.right;
    bool first = is_literal(a, left), second = is_literal(b, right);
    bool lists = is_list(a, left) && is_list(b, right);
    /* [0] + xs: one number is added to each of several, where a list would be joined. */
    if ((first || a->kind == NODE_NAME) && (second || b->kind == NODE_NAME) &&
        value_is_array(left) && value_is_array(right))
        lists = lists || (left->tensor->shape.axes == 1 && right->tensor->shape.axes == 1 &&
                          left->tensor->count != right->tensor->count);
    if (node->op == OP_ADD && lists && interp_first_in_entry(interp, "join")) {
        Quote x = quote_node(frame, a), y = quote_node(frame, b);
        host_note(interp->host,
                  "(lists of numbers are arrays: + adds them; concatenate((%s, %s)) joins them)",
                  x.text, y.text);
    }
    const Value *times = first ? right : left;
    bool repeat = node->op == OP_MULTIPLY && first != second && times->kind == VALUE_NUMBER &&
                  times->number >= 2 && times->number == floor(times->number) &&
                  looks_repeated(first ? a : b, first ? left : right, first);
    if (!repeat || !interp_first_in_entry(interp, "repeat")) return;
    bool rows = (first ? left : right)->tensor->shape.axes > 1;
    host_note(
        interp->host,
        rows ? "(lists of numbers are arrays: * multiplies each by %.0f; tile(%s, (%.0f, 1)) "
               "repeats the row)"
             : "(lists of numbers are arrays: * multiplies each by %.0f; tile(%s, %.0f) repeats "
               "them)",
        times->number, quote_node(frame, first ? a : b).text, times->number);
}

void note_list_growth(Frame *frame, const Node *node, const Value *value) {
    const Node *target = node->augmented.target, *added = node->augmented.value;
    const Value *grown = target->kind == NODE_NAME ? name_place(frame, target) : NULL;
    if (node->op != OP_ADD || !grown || !value_is_array(grown) || !is_literal(added, value) ||
        grown->tensor->shape.axes != 1 || value->tensor->shape.axes != 1 ||
        !interp_first_in_session(frame->interp, "grow"))
        return;
    Quote name = quote_node(frame, target), items = quote_node(frame, added);
    host_note(
        frame->interp->host,
        "(lists of numbers are arrays: += adds to each number; %s.extend(%s) makes it longer)",
        name.text, items.text);
}

void note_change_of_copy(Frame *frame, const Node *copied) {
    if (!interp_first_in_session(frame->interp, "copy")) return;
    Quote copy = quote_node(frame, copied);
    host_note(frame->interp->host,
              "(%s is a copy, so the change is lost: write B = %s, change B, then %s = B)",
              copy.text, copy.text, copy.text);
}

void note_spaced_sign(Frame *frame, const Node *node) {
    if (!frame->interp->notes || !interp_first_in_entry(frame->interp, "sign")) return;
    Quote source = quote_node(frame, node);
    LocalText two = TEXT_EMPTY;
    for (const char *at = source.text; *at; at++) {
        bool apart = *at == ' ' && strchr("+-", at[1]) && at[2] != ' ';
        text_string(&two, apart ? ", " : (char[]){*at, '\0'});
    }
    host_note(frame->interp->host, "(%s has one element, a sum; %s has more)", source.text,
              two.data);
}

void note_division_handler(Frame *frame, const Node *node) {
    Interp *interp = frame->interp;
    /* A program that raises the error itself knows how. */
    if (interp->notes && strstr(frame->chunk->text, "raise ZeroDivisionError")) return;
    for (int i = 0; interp->notes && i < node->try_block.count; i++) {
        const Handler *handler = &node->try_block.handlers[i];
        for (int k = 0; k < handler->count; k++)
            if (strcmp(handler->exceptions[k]->name, "ZeroDivisionError") == 0 &&
                interp_first_in_session(interp, "division"))
                host_note(interp->host, "(1/0 is inf here, and raises no ZeroDivisionError; write "
                                        "if y == 0: ... before x / y)");
    }
}
