/* Inside the evaluator: what its files share. Other layers use interp.h.
 *
 * The tree is walked by one flat switch for expressions (eval_expression.c) and
 * one for statements (eval_statement.c). Values are moved: a function that
 * takes one over says `taken`. The place of an error is set by the innermost
 * node that fails, on the way out. */
#ifndef ATTN_LANG_EVAL_H
#define ATTN_LANG_EVAL_H

#include "lang/values/array.h"
#include "lang/interp.h"

/* How statements ended. */
typedef enum Flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_ERROR } Flow;

/* Most values are numbers, and giving these back is nothing. */
static inline void drop(Value *value) {
    if (value->kind > VALUE_NUMBER) value_release(value);
}

/* ---- walking ---- */

bool eval(Frame *frame, const Node *node, Value *out, Error *err);
bool eval_truth(Frame *frame, const Node *node, bool *out, Error *err);
Flow run_statements(Frame *frame, const NodeList *statements, Error *err);
/* One statement of the top level itself: shows what an expression gives. */
bool run_top_statement(Frame *frame, const Node *node, Error *err);
/* The body of a function or of an inner block. */
Flow run_block(Frame *frame, const NodeList *statements, Error *err);

/* Sets the place of an error that has none yet. Returns false. */
bool place_error(const Frame *frame, const Node *node, Error *err);
bool place_span(const Frame *frame, Span span, Error *err);
/* One level of nesting: ERR_LIMIT when there are too many. Each enter that gave true is followed by
 * a leave. */
bool enter(Interp *interp, Error *err);
static inline void leave(Interp *interp) { interp->depth--; }

/* The source of a node on one line, cut where it is long. */
typedef struct Quote {
    char text[64];
} Quote;
Quote quote_node(const Frame *frame, const Node *node);

/* ---- names ---- */

bool symbols_grow(Interp *interp, Error *err);
void symbols_release(Interp *interp);
/* Keeps the symbol's value as it was before this entry; to be called before each change. */
bool journal_keep(Interp *interp, Symbol *symbol, Error *err);
/* Assigns a session variable. The value is taken over, on failure too. */
bool variable_store(Interp *interp, Symbol *symbol, Value *taken, Error *err);
/* The value of a NODE_NAME where it lies; VALUE_UNSET: it has none. */
static inline const Value *name_place(const Frame *frame, const Node *node) {
    return node->name.slot >= 0 ? &frame->slots[node->name.slot] : &node->name.symbol->value;
}
bool eval_name(Frame *frame, const Node *node, Value *out, Error *err);

/* ---- unknown_name.c: what to type instead; all return false ---- */

/* ERR_NAME with what may have been meant. */
bool unknown_name(const Interp *interp, const char *name, Error *err);
/* The callee has no value: disp(x), attend(Q, K, V). */
bool callee_remedy(const Frame *frame, const Node *call, Error *err);
/* The attribute of an array that has none of this name; `call`: what calls it, or NULL. */
bool attribute_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err);
/* The object of the attribute has no value; says something when it is a module: torch.softmax(x,
 * dim=1). */
bool module_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err);

/* ---- operators on values ---- */

bool number_binary(Op op, double a, double b, Value *out);
bool value_binary(Interp *interp, Op op, const Value *a, const Value *b, Value *out, Error *err);
bool value_unary(Interp *interp, Op op, const Value *x, Value *out, Error *err);
/* Appends all that `items` gives when iterated; *list is as before on failure. */
bool value_extend(Value *list, const Value *items, Error *err);
bool value_compare(Interp *interp, Comparison comparison, const Value *a, const Value *b,
                   Value *out, Error *err);
/* A number as an array without axes, reused where nobody keeps it; other values by value_as_tensor.
 */
Tensor *operand_tensor(Interp *interp, const Value *value, const char *what, Error *err);
bool eval_binary(Frame *frame, const Node *node, Value *out, Error *err);
bool eval_unary(Frame *frame, const Node *node, Value *out, Error *err);
bool eval_compare(Frame *frame, const Node *node, Value *out, Error *err);

/* ---- indexing ---- */

/* What stands between the brackets, evaluated: one value for each item; of a slice
 * a tuple (start, stop, step), of `...` VALUE_UNSET. */
typedef struct Subscripts {
    const NodeList *nodes;
    Value *values;
    Value few[2];
} Subscripts;

bool subscripts_eval(Frame *frame, const Node *index, Subscripts *out, Error *err);
void subscripts_release(Subscripts *subscripts);
bool value_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err);
bool eval_index(Frame *frame, const Node *node, Value *out, Error *err);

/* (*object)[subscripts] = value; *object is made unique first. */
bool value_index_store(Interp *interp, Value *object, const Subscripts *subscripts,
                       const Value *value, Error *err);
/* The place of an element of a list or record, made unique; *inner is NULL where the elements have
 * no place (arrays). */
bool value_index_place(Value *object, const Subscripts *subscripts, Value **inner, Error *err);

/* ---- attributes ---- */

/* object.name = value */
bool value_attribute_store(Value *object, const char *name, const Value *value, Error *err);
bool no_field(const Record *record, const char *name, Error *err);
bool eval_attribute(Frame *frame, const Node *node, Value *out, Error *err);

/* ---- assignment ---- */

/* target = value, unpacking where the target is a tuple. The value is taken over, on failure too.
 */
bool assign(Frame *frame, const Node *target, Value *taken, Error *err);
bool assign_augmented(Frame *frame, const Node *node, Error *err);
bool delete_name(Frame *frame, const Node *name, Error *err);
/* xs.append(item) on the variable, element or field that `target` stands for. */
bool append_to_target(Frame *frame, const Node *target, const Value *item, Error *err);

/* ---- iteration ---- */

typedef struct Iterator {
    Value source;        /* VALUE_UNSET: a range */
    size_t index, count; /* of a string: bytes */
    double start, step;
} Iterator;

bool iterator_init(Iterator *iterator, const Value *source, Error *err);
/* Takes `range(...)` itself apart, without building it. */
bool iterator_eval(Frame *frame, const Node *iterable, Iterator *out, Error *err);
static inline bool iterator_done(const Iterator *iterator) {
    return iterator->index >= iterator->count;
}
bool iterator_next(Iterator *iterator, Value *out, Error *err);
void iterator_release(Iterator *iterator);

bool eval_comprehension(Frame *frame, const Node *node, Value *out, Error *err);
bool eval_fstring(Frame *frame, const Node *node, Value *out, Error *err);

/* ---- calls ---- */

typedef struct Argument {
    Value value;
    const char *keyword; /* NULL: by position */
    const Node *node;    /* for the place of errors; NULL: not from a tree */
    int parameter;       /* what it was bound to; -1: to *rest */
} Argument;

/* The arguments of one call, evaluated. Binding moves the values out. */
typedef struct Arguments {
    Argument *items;
    int count, capacity;
    const Frame *frame; /* whose tree the nodes are of; NULL: called from C */
    Argument few[3];
} Arguments;

void arguments_init(Arguments *arguments);
bool arguments_add(Arguments *arguments, Value *taken, const char *keyword, const Node *node,
                   Error *err);
bool arguments_eval(Frame *frame, const Node *call, Arguments *arguments, Error *err);
void arguments_release(Arguments *arguments);

/* Binds to a function's frame: slots of its parameters. */
bool bind_function(const Function *function, Arguments *arguments, Value *slots, Error *err);
/* Binds and converts for a builtin. bound: room for signature->count values; rest: for all
 * arguments, and twice as many with **NAME. */
bool bind_builtin(const Signature *signature, Arguments *arguments, Value *bound, Value *rest,
                  size_t *rest_count, Error *err);

/* The parsed signature, kept in the interp. */
const Signature *interp_signature(Interp *interp, const BuiltinDef *builtin, Error *err);
void signatures_release(Interp *interp);

bool call_value(Interp *interp, const Value *callee, Arguments *arguments, Value *out, Error *err);
bool call_builtin(Interp *interp, const BuiltinDef *builtin, Arguments *arguments, Value *out,
                  Error *err);
bool eval_call(Frame *frame, const Node *node, Value *out, Error *err);
bool make_function(Frame *frame, FunctionCode *code, Value *out, Error *err);

bool run_command(Frame *frame, const Node *node, Error *err);

#endif
