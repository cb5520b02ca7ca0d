/* Declares what the files of the evaluator share. Other layers use interp.h.
 *
 * The tree is walked by one flat switch for expressions (eval_expression.c) and one for statements
 * (eval_statement.c). Values are moved: a function that takes one over says `taken`. The place of
 * an error is set by the innermost node that fails, on the way out. */
#ifndef ATTN_LANG_EVAL_H
#define ATTN_LANG_EVAL_H

#include <math.h>

#include "engine/tensor/recording.h"
#include "lang/class.h"

/* How statements ended. */
typedef enum Flow {
    FLOW_NEXT,
    FLOW_BREAK,
    FLOW_CONTINUE,
    FLOW_RETURN,
    FLOW_YIELD,
    FLOW_ERROR
} Flow;

/* ---- walking ---- */

/* The value of a NODE_NAME where it lies; VALUE_UNSET: it has none. */
static inline Value *name_place(const Frame *frame, const Node *node) {
    if (node->name.slot < 0) return &node->name.symbol->value;
    Value *slot = &frame->slots[node->name.slot];
    return slot->kind == VALUE_CELL ? &slot->cell->value : slot;
}

/* The element xs[i] or d["x"] where it lies, and the list, tuple or record that holds it, where xs
 * is a leaf and the key is a plain number, or an operator on two, or a string. NULL: the node is
 * another one, or has to be evaluated. */
Value *element_place(const Frame *frame, const Node *node, const Value **holder);
/* The key in d[x] or d["x"], a string or a plain number, where x is a leaf; else NULL. */
const Value *leaf_key(const Frame *frame, const Node *node);
/* The value of a field x.name of an object that a name holds, or of an element of a list in a leaf,
 * where it lies; NULL: the node is another one, or has to be evaluated. */
Value *part_place(const Frame *frame, const Node *node);
static inline bool node_is_part(const Node *node) {
    return node->kind == NODE_INDEX || node->kind == NODE_ATTRIBUTE;
}
/* The same of a name, too: a leaf. */
static inline Value *leaf_place(const Frame *frame, const Node *node) {
    if (node->kind == NODE_NAME) return name_place(frame, node);
    return node_is_part(node) ? part_place(frame, node) : NULL;
}

/* Evaluates an expression: *out is new. On failure it holds no reference, so that it may be a
 * LocalValue, and err has its place. */
bool eval_node(Frame *frame, const Node *node, Value *out, Error *err);
/* The same, one level of nesting deeper, of a node that eval_node has no quicker way for. */
bool eval_nested(Frame *frame, const Node *node, Value *out, Error *err);
/* The same, faster for a number or a name: these do not go through eval_node. */
static inline bool eval(Frame *frame, const Node *node, Value *out, Error *err) {
    if (node->kind == NODE_NUMBER) {
        *out = value_number(node->number);
        return true;
    }
    if (node->kind == NODE_NAME) {
        const Value *value = name_place(frame, node);
        if (value->kind != VALUE_UNSET) {
            *out = value_ref(*value);
            return true;
        }
    }
    return eval_node(frame, node, out, err);
}
/* True if a leaf is a plain number, *out. */
static inline bool leaf_number(const Frame *frame, const Node *node, double *out) {
    if (node->kind == NODE_NUMBER) {
        *out = node->number;
        return true;
    }
    const Value *value = leaf_place(frame, node);
    if (!value || value->kind != VALUE_NUMBER) return false;
    *out = value->number;
    return true;
}
/* The same for an operator on two such leaves. */
bool operator_number(const Frame *frame, const Node *node, double *out);
/* The same for one or the other. */
static inline bool short_number(const Frame *frame, const Node *node, double *out) {
    return node->kind == NODE_BINARY ? operator_number(frame, node, out)
                                     : leaf_number(frame, node, out);
}
/* Sets *out to whether it counts as true in `if`, `while`, `assert`. */
bool eval_truth(Frame *frame, const Node *node, bool *out, Error *err);
/* The body of a function. */
Flow run_statements(Frame *frame, const NodeList *statements, Error *err);
/* A block of if, for, while or try: one level of nesting. */
Flow run_block(Frame *frame, const NodeList *statements, Error *err);
/* A statement of the top level itself: the value of an expression is shown. */
bool run_top_statement(Frame *frame, const Node *node, Error *err);

/* A frame in which the body of a function, class or module runs. */
static inline Frame frame_of_body(Interp *interp, Chunk *chunk, const FunctionCode *code,
                                  Value *slots) {
    return (Frame){.chunk = chunk,
                   .code = code,
                   .slots = slots,
                   .result = VALUE_NOTHING,
                   .interp = interp,
                   .blocks = 1};
}

/* Sets the place of an error that has none yet. Returns false. */
bool place_error(const Frame *frame, const Node *node, Error *err);
/* Gives the node as the place of what has none yet, an error or a gap of the tape. Returns ok. */
static inline bool place_node(const Frame *frame, const Node *node, bool ok, Error *err) {
    TapeGap *gap = tape_gap();
    if (gap && gap->op) place_error(frame, node, &gap->place);
    return ok || place_error(frame, node, err);
}
/* The file of builtins that are written in the language: errors do not quote what is there. */
extern const char composed_file[];
bool place_span(const Frame *frame, Span span, Error *err);
/* One level of nesting: ERR_LIMIT when there are too many. Each enter that gave true is followed by
 * a leave. */
bool too_deep(Error *err); /* ERR_LIMIT; returns false */
static inline bool enter(Interp *interp, Error *err) {
    if (interp->depth >= interp->depth_max) return too_deep(err);
    interp->depth++;
    return true;
}
static inline void leave(Interp *interp) { interp->depth--; }

/* Evaluates a node by a function, one level of nesting deeper. */
static inline bool eval_deeper(Frame *frame, const Node *node,
                               bool (*by)(Frame *, const Node *, Value *, Error *), Value *out,
                               Error *err) {
    bool ok = enter(frame->interp, err);
    if (ok) {
        ok = by(frame, node, out, err);
        leave(frame->interp);
    }
    return place_node(frame, node, ok, err);
}

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
/* Gives the interp a new entry, whose changes go into its journal from now on; and ends that. */
void journal_begin(Interp *interp);
void journal_end(const Interp *interp);
/* Assigns a session variable. The value is taken over, on failure too. */
bool variable_store(Interp *interp, Symbol *symbol, Value taken, Error *err);
bool eval_name(Frame *frame, const Node *node, Value *out, Error *err);
/* The function or constant of a row. */
bool builtin_value(Interp *interp, const BuiltinDef *builtin, Value *out, Error *err);

/* ---- remedy/unknown_name.c: what to type instead; all return false ---- */

/* ERR_NAME with what may have been meant. */
bool unknown_name(const Frame *frame, const Symbol *symbol, Error *err);
/* Proposes the line of a part of it with `here` instead; in a block, which a trial cannot run
 * alone, only the part. True when it is proposed: a trial shows no fault in it. */
bool propose_part(const Frame *frame, Span part, const char *here, Error *err);
/* The callee has no value: disp(x), attend(Q, K, V). */
bool callee_remedy(const Frame *frame, const Node *call, Error *err);
/* The attribute of an array that has none of this name; `call`: what calls it, or NULL. */
bool attribute_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err);
/* The object of the attribute has no value; says something when it is a module: torch.softmax(x,
 * dim=1). */
bool module_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err);
/* A function or method that PyTorch and NumPy have under one name is called as PyTorch's:
 * torch.var(x), x.var(dim=-1). True, with an error that says what to write, where PyTorch's gives
 * another value. */
bool torch_remedy(const Frame *frame, const Node *attribute, const Node *call, bool method,
                  Error *err);
/* A call of a built-in by its name failed: says what to write where it is PyTorch's of that name:
 * x.transpose(1, 2) swaps axes there, x.flatten(1) keeps the first. */
void torch_call_remedy(const Frame *frame, const Node *call, Error *err);

/* ---- remedy/habits.c: notes on what Python would have done otherwise ----
 *
 * Most are told the first time in a session; where other numbers come out than in Python, once for
 * each line that is typed, or statement of a script. */

/* Called before lists of numbers are added or multiplied, where Python would join or repeat them.
 */
void note_list_arithmetic(Frame *frame, const Node *node, const Value *left);
/* Called before xs += [5] or xs *= 2 is computed: says so where numbers are computed with and
 * Python would not, or the other way round. The node is a NODE_AUGMENTED, the value its right side.
 */
void note_augmented_list(Frame *frame, const Node *node, const Value *value);
/* Called after a change of elements that brackets had copied: a[[1, 2]][0] = 9. */
void note_change_of_copy(Frame *frame, const Node *copied);
/* b = A.sort() and A.ravel().sort(), which do not change A; called for each method of an array. */
void note_method_of_copy(Frame *frame, const Node *call);
/* np.random.seed(3) of pasted code, whose numbers a reader may expect. */
void note_seed(Frame *frame, const Node *attribute);
/* Called where an iterator or a method, xs.append, is shown. */
void note_shown(Frame *frame, const Node *node, bool method);
/* [1 -2]: Octave has two elements there. */
void note_spaced_sign(Frame *frame, const Node *node);
/* Called after a try whose body raised nothing. */
void note_division_handler(Frame *frame, const Node *node);

/* ---- remedy/lost_change.c: notes on changes of what was copied ---- */

/* Called after a loop, and after a call. */
void note_loop_change(Frame *frame, const Node *loop);
void note_parameter_change(Frame *frame);

/* ---- remedy/alias.c ---- */

/* Called before an array is changed where it lies. Says so if others hold its numbers, who see the
 * change in NumPy. `node`: the target up to the array, or the name of its variable. */
void note_alias(Frame *frame, const Value *place, const Node *node);

/* ---- operators on values ---- */

/* a // b or a % b, b not 0; quick where both are whole and positive. */
double number_divide(Op op, double a, double b);
/* a op b, of an operator that numbers have. False: it is another one, or it divides by zero. */
static inline bool number_result(Op op, double a, double b, double *result) {
    switch (op) {
    case OP_ADD: *result = a + b; return true;
    case OP_SUBTRACT: *result = a - b; return true;
    case OP_MULTIPLY: *result = a * b; return true;
    case OP_DIVIDE:
        if (b == 0) return false; /* which may be an error: value_binary knows */
        *result = a / b;
        return true;
    case OP_FLOOR_DIVIDE:
    case OP_MODULO:
        if (b == 0) return false;
        *result = number_divide(op, a, b);
        return true;
    case OP_POWER:
        if (a == 0 && b < 0) return false;
        *result = op_scalar_binary(op, a, b);
        return true;
    default: return false;
    }
}
/* The same as a value. False, too, where the result lies at 2**53 or above, where whole numbers are
 * rounded: then value_binary computes it and says so. */
static inline bool number_binary(Op op, double a, double b, Value *out) {
    double result;
    if (!number_result(op, a, b, &result) || fabs(result) >= 0x1p53) return false;
    *out = value_number(result);
    return true;
}

/* May write the result over an array to which the operand has the only reference, as value_binary
 * (interp.h) does. */
bool value_unary(Interp *interp, Op op, const Value *x, Value *out, Error *err);
const char *op_sign(Op op);
bool value_compare(Interp *interp, Comparison comparison, const Value *a, const Value *b,
                   Value *out, Error *err);
/* A number as an array without axes, reused where nobody keeps it; other values by value_as_tensor.
 */
Tensor *operand_tensor(Interp *interp, const Value *value, const char *what, Error *err);
/* Applies the operator on arrays, with its attributes or NULL; True is not counted as 1. */
bool arrays_binary(Interp *interp, Op op, const Value *a, const Value *b, const OpAttributes *how,
                   Value *out, Error *err);
bool eval_compare(Frame *frame, const Node *node, Value *out, Error *err);
/* The value of a comparison whose two sides are numbers that short_number gives, of a leaf with
 * None by `is`, or with a string that is written out by `in`. False: it is another. */
bool compare_leaves(const Frame *frame, const Node *node, bool *out);

/* ---- indexing ---- */

/* Element i along the first axis: a number or boolean, or an array. */
bool tensor_element(Tensor *tensor, size_t i, Value *out, Error *err);

/* The values between the brackets, one for each item: of `...` VALUE_UNSET. */
typedef struct Subscripts {
    const NodeList *nodes;
    Value *values;
    Value few[2];
} Subscripts;

/* *out is released by the caller, on failure too. */
bool subscripts_eval(Frame *frame, const Node *index, Subscripts *out, Error *err);
void subscripts_release(Subscripts *subscripts);
#define LocalSubscripts __attribute__((cleanup(subscripts_release))) Subscripts
bool eval_index(Frame *frame, const Node *node, Value *out, Error *err);

/* object[subscripts]. *out is new. */
bool value_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err);
/* x[key] of an object by __getitem__, x[key] = value by __setitem__, del x[key] by __delitem__;
 * value NULL but for the second. */
bool instance_index(const Value *object, Special special, const Subscripts *subscripts,
                    const Value *value, Value *out, Error *err);
/* (*object)[subscripts] = value; *object is made unique first. */
bool value_index_store(Interp *interp, Value *object, const Subscripts *subscripts,
                       const Value *value, Error *err);
/* Finds an element of a list or record, in a payload that is kept (shared_keep). *inner is NULL for
 * an array, whose elements are no values. */
bool value_index_place(const Value *object, const Subscripts *subscripts, Value **inner,
                       Error *err);
/* del (*object)[subscripts]: elements of a list, rows of an array, a field of a record. */
bool value_index_remove(Value *object, const Subscripts *subscripts, Error *err);

/* These are shared by index.c, index_array.c and index_store.c. */

bool is_slice(const Subscripts *subscripts);
/* True if one thing that is no `...` is between the brackets. */
bool one_subscript(const Value *object, const Subscripts *subscripts, Error *err);
/* True if the brackets behind a list of numbers hold what only arrays are indexed with: Q[0, 1],
 * Q[:, 0], q[[0, 2]]. */
bool is_array_subscript(const Value *object, const Subscripts *subscripts);
/* An index among `count`, negative ones from the end. */
bool list_position(const Value *object, const Value *subscript, size_t count, size_t *out,
                   Error *err);
/* The elements, among `count`, that a slice or one index of the object names. */
typedef struct Stride {
    long long first, step;
    size_t count;
} Stride;

bool stride_of(const Value *object, const Subscripts *subscripts, size_t count, Stride *stride,
               Error *err);
/* The key in r["name"], or in r[1, 2] the tuple, which *made holds; NULL: it is none. */
const Value *field_key(const Subscripts *subscripts, Value *made, Error *err);
bool not_indexed(const Value *object, Error *err);

/* True if the brackets hold only what fits an array without axes: (), ..., None. A number is read
 * and stored to as one. */
bool fits_no_axes(const Subscripts *subscripts);
bool array_index(Tensor *tensor, const Subscripts *subscripts, Value *out, Error *err);
bool array_pick(Tensor *tensor, const IndexItem *items, int count, Value *out, Error *err);
bool array_store(Interp *interp, Value *object, const Subscripts *subscripts, const Value *value,
                 Error *err);

/* ---- attributes ---- */

/* ERR_NAME with the field that may have been meant. Returns false. */
bool no_field(const Record *record, const char *name, Error *err);
/* A MemberVisit that offers the name to a Nearest. */
void offer_name(void *nearest, const char *name, const Value *member);
bool eval_attribute(Frame *frame, const Node *node, Value *out, Error *err);
/* The built-in that an attribute behind a module means, np.exp; NULL: it is an attribute of a value
 * (np is a variable of the user's), or nothing of that name is built in. */
const BuiltinDef *module_member(const Node *attribute);
/* The node evaluated before the last dot: of a name behind a module, np.random.x, the module. */
const Node *attribute_receiver(const Node *attribute);
/* Evaluates it; gives the module that is written in the language (random.Random) where that has the
 * name and nothing of that name is built in. */
bool eval_receiver(Frame *frame, const Node *attribute, Value *out, Error *err);
/* The function that a module gives by the name of a builtin: Python's own for math and random, the
 * builtin itself for builtins. */
const BuiltinDef *module_version(const char *module, size_t length, const BuiltinDef *builtin);

/* ---- assignment ---- */

/* target = value, unpacking where the target is a tuple. The value is taken over, on failure too.
 */
bool assign_target(Frame *frame, const Node *target, Value *taken, Error *err);
/* The same; a variable of the function that runs, which most targets are, at once. */
static inline bool assign(Frame *frame, const Node *target, Value *taken, Error *err) {
    if (target->kind != NODE_NAME || target->name.slot < 0)
        return assign_target(frame, target, taken, err);
    Value *place = &frame->slots[target->name.slot];
    if (place->kind == VALUE_CELL) {
        if (!shared_keep(place->shared, err)) return value_if(false, taken);
        place = &place->cell->value;
    }
    value_replace(place, *taken);
    return true;
}
/* a, b = b, a of a few, without a tuple. False: the nodes are others. */
bool assign_in_turn(Frame *frame, const Node *target, const Node *value, bool *ok, Error *err);
/* target += value and its like; the node is a NODE_AUGMENTED. */
bool assign_augmented(Frame *frame, const Node *node, Error *err);
/* del name, del name[0], del name.field */
bool delete_target(Frame *frame, const Node *target, Error *err);
/* Runs a method that changes the array in the variable, element or field that `target` names;
 * `call` holds its arguments. */
bool change_by_method(Frame *frame, const Node *target, const Call *call, Value *out, Error *err);

/* ---- iteration ---- */

/* Iterates over the elements of a value, of which it keeps a reference, or over a range. */
typedef struct Iterator {
    Value source; /* VALUE_UNSET: a range */
    /* of a string: bytes; of a list: when it began; of a set: where set_next goes on; count of an
     * object: 0 when it has ended */
    size_t index, count;
    double start, step;
    Value ahead;  /* of an object: what it gave last, or VALUE_UNSET */
    bool indexed; /* it is gone through by __getitem__ */
    char part;    /* of a record: 'k' its keys, 'v' its values, 'i' its items; 0: its keys */
} Iterator;

/* ERR_TYPE when the value has no elements. */
bool iterator_init(Iterator *iterator, const Value *source, Error *err);
/* The same as iterator_done of an object: asks it for its next value. An error is told by
 * iterator_next. */
bool iterator_ended(Iterator *iterator);
/* The same of a set; one that was changed has not ended, and iterator_next says so. */
bool iterator_ended_in_set(const Iterator *iterator);
/* Begins to iterate over the value of an expression; range(...) itself is never built. */
bool iterator_eval(Frame *frame, const Node *iterable, Iterator *out, Error *err);
static inline bool iterator_done(Iterator *iterator) {
    const Value *source = &iterator->source;
    if (source->kind == VALUE_LIST) return iterator->index >= source->list->count;
    if (source->kind >= VALUE_OBJECT) return iterator_ended(iterator);
    if (source->kind == VALUE_SET) return iterator_ended_in_set(iterator);
    if (source->kind == VALUE_RECORD && source->record->count != iterator->count)
        return false; /* iterator_element refuses */
    return iterator->index >= iterator->count;
}
/* The next element of its source. */
bool iterator_element(Iterator *iterator, Value *out, Error *err);
/* The next element, while the iterator is not done. *out is new. */
static inline bool iterator_next(Iterator *iterator, Value *out, Error *err) {
    if (iterator->source.kind == VALUE_UNSET) {
        value_put(out, value_number(iterator->start + (double)iterator->index++ * iterator->step));
    } else if (iterator->source.kind == VALUE_LIST) {
        *out = iterator->source.list->items[iterator->index++];
        if (value_is_counted(out)) ++*out->refs;
    } else return iterator_element(iterator, out, err);
    return true;
}
void iterator_release(Iterator *iterator);
/* iterator_init is the first that is done with one of these. */
#define LocalIterator __attribute__((cleanup(iterator_release))) Iterator

/* Puts what a comprehension makes into a new list or record. */
bool gather_comprehension(Frame *frame, const Node *node, const Value *gathered, Error *err);

/* ---- generators ---- */

/* An iterator over what a generator expression gives. */
bool make_generator(Frame *frame, const Node *node, Value *out, Error *err);
/* An iterator over what a function with yield gives. The slots are set, and moved out. */
bool generator_new(Interp *interp, Function *function, Value *slots, Value *out, Error *err);
bool generator_next(IteratorState *state, bool *ended, Value *out, Error *err);
bool generator_function_next(IteratorState *state, bool *ended, Value *out, Error *err);
/* True while statements lead to the yield where the function stopped. */
static inline bool is_resumed(const Frame *frame) {
    return frame->resumption && frame->resumption->resumes;
}
/* Keeps a value of a statement that holds a yield, and takes it back when the function
 * goes on. keep takes it over, and returns FLOW_YIELD, or FLOW_ERROR when memory runs out. */
Flow resumption_keep(Frame *frame, Value taken, Error *err);
static inline Value resumption_take(Frame *frame) {
    List *kept = frame->resumption->kept;
    return kept->items[--kept->count];
}
/* The same of an iterator. */
Flow resumption_keep_iterator(Frame *frame, Iterator *taken, Error *err);
Iterator resumption_take_iterator(Frame *frame);
/* yield and yield from. *out: what the expression is when the function goes on, what was sent or
 * what the iterator returned; NULL: nobody asks. */
Flow run_yield(Frame *frame, const Node *node, Value *out, Error *err);

/* Imports the module that a node names, and makes the value that import assigns. */
bool eval_module(Frame *frame, const Node *node, Value *out, Error *err);
/* The module itself, where its name is alone in a .py file: hasattr(np, "trapezoid"). */
bool eval_module_name(Frame *frame, const Symbol *symbol, bool *found, Value *out, Error *err);
bool eval_comprehension(Frame *frame, const Node *node, Value *out, Error *err);

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
/* keyword and node: as in Argument. The value is taken over, on failure too. */
bool arguments_add(Arguments *arguments, Value taken, const char *keyword, const Node *node,
                   Error *err);
/* Appends the arguments of a NODE_CALL. */
bool arguments_eval(Frame *frame, const Node *call, Arguments *arguments, Error *err);
void arguments_release(Arguments *arguments);
/* arguments_init is the first that is done with one of these. */
#define LocalArguments __attribute__((cleanup(arguments_release))) Arguments

/* Moves the arguments, and the defaults of those that are not given, to the slots of a function's
 * parameters. ERR_TYPE: they do not fit. */
bool bind_function(const Function *function, Arguments *arguments, Value *slots, Error *err);
/* The same for a builtin, each converted to its parameter's type. bound: room for signature->count
 * values; rest: for all arguments, and twice as many with **NAME. What was bound is the caller's to
 * release, on failure too. */
bool bind_builtin(const Signature *signature, Arguments *arguments, Value *bound, Value *rest,
                  size_t *rest_count, Error *err);

/* The types of parameters. */
typedef struct ParameterKind {
    const char *word;   /* in a declaration */
    const char *wanted; /* in messages */
    unsigned direct;    /* bit k: a value of kind k serves as it is */
    unsigned fits;      /* bit k: a value of kind k serves, perhaps after a conversion */
} ParameterKind;
extern const ParameterKind parameter_kinds[]; /* by ParameterType; ends with a row without a word */
/* True if a value needs no conversion to the type of a parameter. */
static inline bool argument_fits(const SignatureParameter *parameter, const Value *value) {
    if (parameter->direct >> value->kind & 1) return true;
    const bool whole = parameter->type == PARAMETER_WHOLE || parameter->type == PARAMETER_AXIS;
    return whole && value->kind == VALUE_NUMBER && fabs(value->number) < 0x1p53 &&
           value->number == (double)(int64_t)value->number;
}
/* Converts in place: *value stays a value that the caller owns, on failure too. */
bool convert_argument(const BuiltinDef *builtin, const SignatureParameter *parameter, Value *value,
                      Error *err);

/* The parsed signature of a row, kept in the interp; NULL when memory runs out. */
Signature *interp_signature(Interp *interp, const BuiltinDef *builtin, Error *err);
void signatures_release(Interp *interp);

/* Puts a value in front of the arguments. It is borrowed. */
bool arguments_prepend(Arguments *arguments, const Value *first, Error *err);
/* Calls a value with borrowed arguments by position. */
bool call_positional(Interp *interp, const Value *callee, const Value *values, size_t count,
                     Value *out, Error *err);
/* Calls a value, or a row itself, with arguments that are bound and moved out. *out is new. */
bool call_value(Interp *interp, const Value *callee, Arguments *arguments, Value *out, Error *err);
bool call_builtin(Interp *interp, const BuiltinDef *builtin, Arguments *arguments, Value *out,
                  Error *err);
/* f(x, y), where f is no attribute. */
bool eval_call(Frame *frame, const Node *node, Value *out, Error *err);
/* The same of a node in an expression; quicker for f(x, y) of a function that a variable holds, as
 * most calls are. */
bool eval_call_of_name(Frame *frame, const Node *node, Value *out, Error *err);
/* x.f(y) */
bool eval_call_of_method(Frame *frame, const Node *node, Value *out, Error *err);
/* xs.append(v) as a statement (call.grows), where xs is a list in a variable of the function that
 * runs, or an element or field, as loops gather values. False: xs is another one. */
bool append_in_place(Frame *frame, const Node *node, bool *ok, Error *err);
/* Puts the values of these slots into new cells. */
bool make_cells(Value *slots, const int *cells, int count, Error *err);
/* The function that a def or lambda makes: it captures cells from the frame. */
bool make_function(Frame *frame, FunctionCode *code, Value *out, Error *err);

/* @a @b: replaces what was decorated by what they make of it, the last one first. */
bool apply_decorators(Frame *frame, const NodeList *decorators, Value *decorated, Error *err);
/* Runs the body of a class or module in a frame of its own. Its names become members of the class,
 * or, where that is NULL, fields. outer: the slots that it captures from. */
bool run_definitions(Interp *interp, Chunk *chunk, const FunctionCode *code, const Value *outer,
                     Class *class, Record *fields, Error *err);
/* class C(Base): ... */
bool run_class(Frame *frame, const Node *node, Error *err);
/* The object of C when its class needs nothing but __init__ to be run, which is *init. False: it is
 * another class. */
const Value *plain_init(Class *class);
/* A function of this code that captures nothing, and whose defaults are VALUE_UNSET. */
bool function_new(Chunk *chunk, FunctionCode *code, Value *out, Error *err);
/* Stores the parameters of a dataclass's __init__ in the fields. */
bool set_fields(Interp *interp, const Function *function, const Value *slots, Error *err);
/* super() without arguments in a method. */
bool eval_super(Frame *frame, Value *out, Error *err);

bool run_command(Frame *frame, const Node *node, Error *err);

#endif
