/* Notes in one line what a habit from Python does here: most the first time in a session. */
#include "lang/eval/eval.h"
#include "lang/exception.h"
#include "lang/token.h"

#include <string.h>

void note_list_arithmetic(Frame *frame, const Node *node, const Value *left) {
    Interp *interp = frame->interp;
    bool adds = node->op == OP_ADD;
    if (!interp_first_in_entry(interp, adds ? "join" : "repeat")) return;
    Quote a = quote_node(frame, node->binary.left), b = quote_node(frame, node->binary.right);
    bool list_first = left->kind == VALUE_LIST;
    if (adds)
        host_note(interp->host, "(+ adds lists of numbers item by item; [*%s, *%s] joins them)",
                  a.text, b.text);
    else
        host_note(interp->host, "(* multiplies each number of a list; [*%s] * %s repeats them)",
                  list_first ? a.text : b.text, list_first ? b.text : a.text);
}

void note_augmented_list(Frame *frame, const Node *node, const Value *value) {
    Interp *interp = frame->interp;
    const Node *target = node->augmented.target;
    const Value *list = target->kind == NODE_NAME ? name_place(frame, target) : NULL;
    if (!list || list->kind != VALUE_LIST || !value_holds_numbers(list)) return;
    Quote name = quote_node(frame, target), right = quote_node(frame, node->augmented.value);
    bool as_many = value->kind == VALUE_LIST && value->list->count == list->list->count &&
                   value_holds_numbers(value);
    if (node->op == OP_ADD && as_many && interp_first_in_entry(interp, "grow"))
        host_note(interp->host,
                  "(+= makes the list longer; %s = %s + %s adds the numbers item by item)",
                  name.text, name.text, right.text);
    if (node->op == OP_MULTIPLY && value_is_joined(OP_MULTIPLY, list, value) &&
        interp_first_in_entry(interp, "repeat"))
        host_note(interp->host,
                  "(*= multiplies each number of a list; %s = [*%s] * %s repeats them)", name.text,
                  name.text, right.text);
}

void note_change_of_copy(Frame *frame, const Node *copied) {
    if (!interp_first_in_session(frame->interp, "copy")) return;
    Quote copy = quote_node(frame, copied);
    host_note(frame->interp->host,
              "(%s is a copy, so the change is lost: write B = %s, change B, then %s = B)",
              copy.text, copy.text, copy.text);
}

void note_method_of_copy(Frame *frame, const Node *call) {
    const Node *callee = call->call.callee, *root = callee;
    const BuiltinDef *method = callee->attribute.symbol->list_method;
    if (!method || !method->changes_arrays || !frame->interp->notes) return;
    while (root->kind != NODE_NAME) {
        if (root->kind == NODE_CALL && root->call.callee->kind == NODE_ATTRIBUTE)
            root = root->call.callee;
        else if (root->kind == NODE_INDEX) root = root->index.object;
        else if (root->kind == NODE_ATTRIBUTE && !root->attribute.member)
            root = root->attribute.object;
        else return; /* of a value that nothing else holds */
    }
    if (root->name.symbol->builtin || !interp_first_in_session(frame->interp, "method")) return;
    Quote source = quote_node(frame, call);
    host_note(frame->interp->host,
              "(%s gives a copy and changes nothing; in a line of its own, on a variable, .%s() "
              "changes the array)",
              source.text, callee->attribute.name);
}

void note_seed(Frame *frame, const Node *attribute) {
    const char *name = attribute->attribute.name;
    if (frame->interp->notes && words_contain("seed default_rng RandomState", name, strlen(name)) &&
        interp_first_in_session(frame->interp, "seed"))
        host_note(frame->interp->host, "(the same seed gives other numbers here than in NumPy)");
}

void note_shown(Frame *frame, const Node *node, bool method) {
    if (!interp_first_in_entry(frame->interp, "iterator")) return;
    Quote source = quote_node(frame, node);
    if (method) host_note(frame->interp->host, "(%s() calls it)", source.text);
    else
        host_note(frame->interp->host, "(it gives its elements one by one; list(%s) shows them)",
                  source.text);
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
    if (!interp->notes || frame->chunk->python) return;
    for (int i = 0; i < node->try_block.count; i++) {
        const Handler *handler = &node->try_block.handlers[i];
        for (int k = 0; k < handler->kinds.count; k++)
            if (handler->exceptions[k] &&
                strcmp(handler->exceptions[k]->name, "ZeroDivisionError") == 0 &&
                /* A program that raises the error itself knows how. */
                !strstr(frame->chunk->text, "raise ZeroDivisionError") &&
                interp_first_in_session(interp, "division"))
                host_note(interp->host, "(1/0 is inf here, and raises no ZeroDivisionError; write "
                                        "if y == 0: ... before x / y)");
    }
}
