#include "base/characters.h"
#include "engine/tensor/recording.h"
#include "lang/eval/eval.h"
#include "lang/exception.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- places of errors ---- */

bool place_span(const Frame *frame, Span span, Error *err) {
    Chunk *chunk = frame->chunk;
    if (chunk && chunk->module) return false; /* the line that called it is shown */
    if (err && err->line == 0 && chunk)
        error_place_counted(err, chunk->file, chunk->text, chunk->length, span, &chunk->counted);
    return false;
}

bool place_error(const Frame *frame, const Node *node, Error *err) {
    return place_span(frame, node->span, err);
}

Quote quote_node(const Frame *frame, const Node *node) {
    Quote quote = {{0}};
    const char *text = frame->chunk->text + node->span.begin;
    size_t length = node->span.end - node->span.begin, at = 0;
    const size_t room = sizeof quote.text - sizeof "…";
    for (size_t i = 0; i < length; i++) {
        bool space = text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
        if (space && at > 0 && quote.text[at - 1] == ' ') continue;
        if (at >= room) {
            for (; at > 0 && utf8_continues(text[i]); i--) at--;
            strcpy(quote.text + at, "…");
            break;
        }
        quote.text[at++] = space ? ' ' : text[i];
    }
    return quote;
}

bool too_deep(Error *err) {
    error_set(err, ERR_LIMIT, "calls and expressions are nested too deep");
    error_python(err, "maximum recursion depth exceeded");
    return error_hint(err, "A function that calls itself needs a case in which it does not.");
}

/* ---- names ---- */

static bool no_value_yet(const Frame *frame, const char *name, Error *err) {
    if (!frame->code) return error_set(err, ERR_NAME, "%s has no value yet", name);
    if (!frame->code->name)
        return error_set(err, ERR_NAME, "%s has no value yet in this lambda", name);
    error_set(err, ERR_NAME, "%s has no value yet in %s", name, frame->code->name->name);
    if (!frame->code->class_body) {
        error_mark(err, "UnboundLocalError");
        error_python(
            err, "cannot access local variable '%s' where it is not associated with a value", name);
    }
    return error_hint(err,
                      "A name that a function assigns is its own; write global %s above it, or "
                      "nonlocal %s where a function around it has the name.",
                      name, name);
}

bool builtin_value(Interp *interp, const BuiltinDef *builtin, Value *out, Error *err) {
    if (builtin->indexed) {
        Arguments none = {0};
        return call_builtin(interp, builtin, &none, out, err);
    }
    *out = builtin->call ? (Value){.kind = VALUE_BUILTIN, .builtin = builtin}
                         : value_number(builtin->constant);
    return true;
}

bool eval_name(Frame *frame, const Node *node, Value *out, Error *err) {
    const Value *value = name_place(frame, node);
    Symbol *symbol = node->name.symbol;
    const BuiltinDef *builtin = symbol->builtin;
    if (value->kind != VALUE_UNSET) {
        *out = value_ref(*value);
        return true;
    }
    if (node->name.slot >= 0) {
        /* A class body sees the variables outside until it makes one of the name. */
        if (!frame->code || !frame->code->class_body) return no_value_yet(frame, symbol->name, err);
        if (symbol->value.kind != VALUE_UNSET) {
            *out = value_ref(symbol->value);
            return true;
        }
    }
    if (!builtin) {
        const Exception *exception = exception_find(symbol->name);
        if (exception && exception->name[0] <= 'Z')
            return exception_class(frame->interp, exception, out, err);
        if (strcmp(symbol->name, "object") != 0 && strcmp(symbol->name, "ABC") != 0) {
            bool module;
            const bool ok = eval_module_name(frame, symbol, &module, out, err);
            return ok || (module ? false : unknown_name(frame, symbol, err));
        }
        *out = value_ref(frame->interp->object_class);
        return true;
    }
    if (!builtin->make) return builtin_value(frame->interp, builtin, out, err);
    /* A constant that takes long to make is kept as a variable, but where a proposal is tried. */
    return builtin->make(builtin, out, err) &&
           (frame->interp->rewriting ||
            value_if(interp_set(frame->interp, symbol, *out, err), out));
}

/* ---- arithmetic ---- */

/* The engine names the shapes that do not fit; these two say whose shapes they are: "Q is 3×4 and K
 * is 5×4, so the inner sizes 4 and 5 differ". */
static void explain_product(const Frame *frame, const Node *node, const Shape *a, const Shape *b,
                            Error *err) {
    Quote left = quote_node(frame, node->binary.left),
          right = quote_node(frame, node->binary.right);
    size_t inner = a->size[a->axes - 1], other = b->size[b->axes > 1 ? b->axes - 2 : 0];
    if (inner == other) return;
    error_set(err, ERR_SHAPE, "%s is %s and %s is %s, so the inner sizes %zu and %zu differ",
              left.text, shape_words(a), right.text, shape_words(b), inner, other);
    if (a->axes != 2 || b->axes != 2) return;
    Shape right_transposed = shape_2d(a->size[0], b->size[0]),
          left_transposed = shape_2d(a->size[1], b->size[1]);
    bool wrap = node->binary.right->kind == NODE_BINARY && !node->binary.right->parenthesised;
    if (inner == b->size[1])
        error_hint(err, wrap ? "%s @ (%s).T would be %s." : "%s @ %s.T would be %s.", left.text,
                   right.text, shape_words(&right_transposed));
    else if (a->size[0] == other && node->binary.left->kind == NODE_NAME)
        error_hint(err, "%s.T @ %s would be %s.", left.text, right.text,
                   shape_words(&left_transposed));
}

static void explain_broadcast(const Frame *frame, const Node *node, const Shape *a, const Shape *b,
                              Error *err) {
    Quote left = quote_node(frame, node->binary.left),
          right = quote_node(frame, node->binary.right);
    error_set(err, ERR_SHAPE, "%s is %s and %s is %s, and these shapes do not broadcast", left.text,
              shape_words(a), right.text, shape_words(b));
    Shape product = shape_2d(a->size[0], b->axes == 2 ? b->size[1] : 0);
    bool meant =
        node->op == OP_MULTIPLY && a->axes == 2 && b->axes == 2 && a->size[1] == b->size[0];
    if (meant)
        error_hint(err, "The matrix product %s @ %s would be %s.", left.text, right.text,
                   shape_words(&product));
    else error_hint(err, "Counted from the last axis, two sizes must be equal, or one of them 1.");
}

/* Not inlined: it is rare, and its frame would grow that of every nested expression. */
static bool binary_values(Frame *frame, const Node *node, const Value *left, const Value *right,
                          Value *out, Error *err) {
    if (value_binary(frame->interp, node->op, left, right, out, err)) return true;
    if (!err || err->kind != ERR_SHAPE || !value_is_array(left) || !value_is_array(right) ||
        strcmp(frame->chunk->file, composed_file) == 0)
        return false;
    const Shape *a = &left->tensor->shape, *b = &right->tensor->shape;
    char python[sizeof err->python];
    memcpy(python, err->python, sizeof python);
    if (node->op == OP_MATMUL) explain_product(frame, node, a, b, err);
    else explain_broadcast(frame, node, a, b, err);
    memcpy(err->python, python, sizeof python);
    return false;
}

/* The matrix M where the node is M.T; borrowed. A tape wants to know of the turn. */
static bool matrix_to_turn(const Frame *frame, const Node *node, Value *out) {
    if (node->kind != NODE_ATTRIBUTE || strcmp(node->attribute.name, "T") != 0) return false;
    if (node->attribute.object->kind != NODE_NAME) return false;
    *out = *name_place(frame, node->attribute.object);
    return out->kind == VALUE_TENSOR && out->tensor->shape.axes == 2 && !out->tensor->node;
}

/* Evaluates M.T op number and number op M.T with an operator that transposes M as it reads it: to
 * transpose it first takes longer than the rest. False: it is another expression. */
static bool eval_transposed(Frame *frame, const Node *node, Value *out, bool *ok, Error *err) {
    Value sides[2];
    double number;
    bool left = leaf_number(frame, node->binary.left, &number);
    if (!left && !leaf_number(frame, node->binary.right, &number)) return false;
    if (!matrix_to_turn(frame, left ? node->binary.right : node->binary.left, &sides[left]))
        return false;
    if (node->op != OP_ADD && node->op != OP_SUBTRACT && node->op != OP_MULTIPLY &&
        node->op != OP_DIVIDE)
        return false;
    const OpAttributes how = {.transposed = left ? 2 : 1};
    sides[left] = value_ref(sides[left]);
    sides[!left] = value_number(number);
    *ok = arrays_binary(frame->interp, node->op, &sides[0], &sides[1], &how, out, err);
    drop(&sides[left]);
    return true;
}

/* An operator on two values of which one is a list, at least. What the text says decides first: it
 * joins and repeats lists as Python does where one is written as [x]. */
static NOT_INLINED bool eval_lists(Frame *frame, const Node *node, Value *left, Value *right,
                                   Value *out, Error *err) {
    if (value_is_joined(node->op, left, right)) {
        if (node->joins || !value_holds_numbers(left) || !value_holds_numbers(right))
            return value_join(node->op, left, right, out, err);
        if (frame->interp->notes) note_list_arithmetic(frame, node, left);
    }
    if (left->kind == VALUE_INSTANCE || right->kind == VALUE_INSTANCE)
        return binary_values(frame, node, left, right, out, err); /* its method takes a list */
    if (!value_is_view(left) && !value_is_view(right)) {
        value_become_array(left);
        value_become_array(right);
    }
    return binary_values(frame, node, left, right, out, err);
}

/* Applies the operator of the node to the values of its operands, which it drops. */
static NOT_INLINED bool apply_any(Frame *frame, const Node *node, Value *left, Value *right,
                                  Value *out, Error *err) {
    bool ok;
    if (left->kind == VALUE_LIST || right->kind == VALUE_LIST)
        ok = eval_lists(frame, node, left, right, out, err);
    else ok = binary_values(frame, node, left, right, out, err);
    drop(left);
    drop(right);
    return ok;
}

static inline bool apply_binary(Frame *frame, const Node *node, Value *left, Value *right,
                                Value *out, Error *err) {
    return (left->kind == VALUE_NUMBER && right->kind == VALUE_NUMBER &&
            number_binary(node->op, left->number, right->number, out)) ||
           apply_any(frame, node, left, right, out, err);
}

/* True if it is a whole number that is not rounded; *whole. */
static inline bool exact_number(const Value *value, int64_t *whole) {
    if (value->kind != VALUE_NUMBER || !(fabs(value->number) <= 0x1p53)) return false;
    *whole = (int64_t)value->number;
    return (double)*whole == value->number;
}

/* Says so where only *whole has the value and `value`, which is used on, had to be rounded. */
static void note_lost(Frame *frame, const Value *value, bool exact, int64_t whole) {
    if (!exact || fabs(value->number) <= 0x1p53) return;
    if (fabs(value->number) < 0x1p63 && (int64_t)value->number == whole) return;
    note_rounded(frame->interp, value->number);
}

/* Evaluates the left side of % or &. Sums and products of whole numbers are computed in 64 bits,
 * since they may be larger than 2**53 before the rest is taken: (1103515245 * seed) % 2**31. Sets
 * *exact to whether *whole has the value. */
static bool eval_dividend(Frame *frame, const Node *node, Value *out, int64_t *whole, bool *exact,
                          Error *err) {
    Value left, right;
    int64_t a, b;
    bool left_exact, right_exact;
    double x, y;
    const bool combines =
        node->kind == NODE_BINARY &&
        (node->op == OP_MULTIPLY || node->op == OP_ADD || node->op == OP_SUBTRACT);
    const bool quick = combines && short_number(frame, node->binary.left, &x) &&
                       short_number(frame, node->binary.right, &y) &&
                       number_binary(node->op, x, y, out);
    if (quick || !combines) {
        if (!quick && !eval(frame, node, out, err)) return false;
        *exact = exact_number(out, whole);
        return true;
    }
    if (!eval_dividend(frame, node->binary.left, &left, &a, &left_exact, err)) return false;
    if (!eval_dividend(frame, node->binary.right, &right, &b, &right_exact, err))
        return value_if(false, &left);
    *exact = left_exact && right_exact &&
             !(node->op == OP_MULTIPLY ? __builtin_mul_overflow(a, b, whole)
               : node->op == OP_ADD    ? __builtin_add_overflow(a, b, whole)
                                       : __builtin_sub_overflow(a, b, whole));
    if (!*exact) {
        note_lost(frame, &left, left_exact, a);
        note_lost(frame, &right, right_exact, b);
        return apply_binary(frame, node, &left, &right, out, err);
    }
    *out = value_number((double)*whole);
    return true;
}

/* A remainder, or &, of an expression of several parts. */
static NOT_INLINED bool eval_remainder(Frame *frame, const Node *node, Value *out, Error *err) {
    Value left, right;
    bool exact;
    int64_t whole, m;
    if (!eval_dividend(frame, node->binary.left, &left, &whole, &exact, err)) return false;
    if (!eval(frame, node->binary.right, &right, err)) return value_if(false, &left);
    const bool of_and = node->op == OP_AND;
    if (!exact || fabs(left.number) <= 0x1p53 || !exact_number(&right, &m) ||
        (of_and ? m < 0 : m == 0)) {
        note_lost(frame, &left, exact, whole);
        return apply_binary(frame, node, &left, &right, out, err);
    }
    int64_t rest = of_and ? whole & m : m == -1 ? 0 : whole % m;
    if (!of_and && rest != 0 && (rest < 0) != (m < 0)) rest += m; /* the sign of the divisor */
    *out = value_number((double)rest);
    return true;
}

static bool eval_binary(Frame *frame, const Node *node, Value *out, Error *err) {
    Value left, right;
    bool ok;
    if ((node->binary.left->kind == NODE_ATTRIBUTE || node->binary.right->kind == NODE_ATTRIBUTE) &&
        eval_transposed(frame, node, out, &ok, err))
        return ok;
    if ((node->op == OP_MODULO || node->op == OP_AND) && node->binary.left->kind == NODE_BINARY)
        return eval_remainder(frame, node, out, err);
    if (!eval(frame, node->binary.left, &left, err)) return false;
    if (!eval(frame, node->binary.right, &right, err)) return value_if(false, &left);
    return apply_binary(frame, node, &left, &right, out, err);
}

static bool eval_unary(Frame *frame, const Node *node, Value *out, Error *err) {
    Value x;
    if (!eval(frame, node->operand, &x, err)) return false;
    if (x.kind == VALUE_NUMBER && node->op == OP_NEGATIVE) {
        *out = value_number(-x.number);
        return true;
    }
    bool ok = value_unary(frame->interp, node->op, &x, out, err);
    drop(&x);
    return ok;
}

/* Unary plus changes nothing but True, yet is not for strings. */
static bool eval_plus(Frame *frame, const Node *node, Value *out, Error *err) {
    if (!eval(frame, node->operand, out, err)) return false;
    if (out->kind == VALUE_INSTANCE) {
        LocalValue x = *out;
        return instance_unary(SPECIAL_POS, "+", &x, out, err);
    }
    if (out->kind == VALUE_BOOL) *out = value_number(out->boolean);
    value_become_array(out);
    if (value_is_numeric(out)) return true;
    error_set(err, ERR_TYPE, "+ needs a number or an array, not %s", value_words(out));
    error_python(err, "bad operand type for unary +: '%s'", value_type_name(out));
    return value_if(false, out);
}

/* ---- truth ---- */

/* A comparison in a condition leaves no gap in the tape, since the derivative is that of the way
 * which is taken. Nor does one that came before, which the condition may use by its name. */
static NOT_INLINED bool eval_any_truth(Frame *frame, const Node *node, bool *out, Error *err) {
    Value value;
    TapeGap *gap = tape_set_gap(NULL);
    bool tried = node->kind == NODE_COMPARE && !gap; /* by eval_truth */
    bool ok = tried ? eval_nested(frame, node, &value, err) : eval(frame, node, &value, err);
    tape_set_gap(gap);
    if (gap && gap->op && op_gives_bool((Op)gap->op)) gap->op = OP_NONE;
    if (!ok) return false;
    if (value.kind == VALUE_BOOL) {
        *out = value.boolean;
        return true;
    }
    ok = value_truth(&value, out, err) || place_error(frame, node, err);
    drop(&value);
    return ok;
}

bool eval_truth(Frame *frame, const Node *node, bool *out, Error *err) {
    if (node->kind == NODE_COMPARE && !tape_gap() && compare_leaves(frame, node, out)) return true;
    return eval_any_truth(frame, node, out, err);
}

/* The truth of an operand of `and`, `or` or `not`: of one value, since an array of several has
 * none. */
static bool operand_truth(NodeKind kind, const Value *value, bool *out, Error *err) {
    if (!value_is_array(value) || value->tensor->count <= 1) return value_truth(value, out, err);
    error_set(err, ERR_TYPE, "%s works on single values, not on arrays",
              kind == NODE_AND  ? "and"
              : kind == NODE_OR ? "or"
                                : "not");
    error_python(err, "The truth value of an array with more than one element is ambiguous. Use "
                      "a.any() or a.all()");
    error_mark(err, "ValueError");
    if (kind == NODE_NOT) return error_hint(err, "Element by element it is ~: ~(a > 0).");
    char sign = kind == NODE_AND ? '&' : '|';
    return error_hint(err, "Element by element it is %c: (a > 0) %c (b > 0).", sign, sign);
}

/* `and`, `or`: the operand that decides, as in Python. */
static bool eval_logical(Frame *frame, const Node *node, Value *out, Error *err) {
    bool truth;
    if (!eval(frame, node->binary.left, out, err)) return false;
    bool ok = operand_truth(node->kind, out, &truth, err);
    if (ok && truth != (node->kind == NODE_AND)) return true;
    drop(out);
    return ok && eval(frame, node->binary.right, out, err);
}

/* (x := value) */
static bool eval_named(Frame *frame, const Node *node, Value *out, Error *err) {
    if (interp_leaves_out(frame->interp, err) || !eval(frame, node->named.value, out, err))
        return false;
    Value named = value_ref(*out);
    return value_if(assign(frame, node->named.target, &named, err), out);
}

static bool eval_not(Frame *frame, const Node *node, Value *out, Error *err) {
    bool truth;
    Value value;
    if (!eval(frame, node->operand, &value, err)) return false;
    bool ok = operand_truth(NODE_NOT, &value, &truth, err);
    drop(&value);
    if (ok) *out = value_bool(!truth);
    return ok;
}

/* ---- brackets ---- */

static bool eval_items(Frame *frame, const NodeList *nodes, ValueKind kind, Value *out,
                       Error *err) {
    if (!value_list_new(out, kind, (size_t)nodes->count, err)) return false;
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->items[i];
        Value item;
        bool star = node->kind == NODE_STAR;
        if (!eval(frame, star ? node->operand : node, &item, err)) return value_if(false, out);
        if (!star && out->list->count < out->list->capacity) {
            out->list->items[out->list->count++] = item;
            continue;
        }
        out->kind = VALUE_LIST; /* also of a tuple that is being made */
        bool ok = star ? value_extend(out, &item, err) || place_error(frame, node, err)
                       : list_append(out->list, item, err);
        out->kind = kind;
        drop(&item);
        if (!ok) return value_if(false, out);
    }
    return true;
}

/* [a, b], and [A, B; C, D] of numbers or of blocks. */
static bool eval_array(Frame *frame, const Node *node, Value *out, Error *err) {
    if (!node->rows) {
        if (node->spaced) note_spaced_sign(frame, node);
        return eval_items(frame, &node->list, VALUE_LIST, out, err);
    }
    LocalValue rows = VALUE_MISSING;
    if (!value_list_new(&rows, VALUE_LIST, (size_t)node->list.count, err)) return false;
    for (int i = 0; i < node->list.count; i++) {
        LocalValue row = VALUE_MISSING;
        if (!eval_items(frame, &node->list.items[i]->list, VALUE_LIST, &row, err) ||
            !list_append(rows.list, row, err))
            return false;
    }
    return value_from_rows(out, rows.list, err);
}

/* {**record} */
static bool set_all_fields(Value *record, const Value *from, Error *err) {
    if (instance_value(from)) from = instance_value(from);
    if (from->kind != VALUE_RECORD)
        return error_set(err, ERR_TYPE, "** takes the fields of a record, not %s",
                         value_words(from));
    return record_put_all(record->record, from->record, err);
}

static bool eval_record(Frame *frame, const Node *node, Value *out, Error *err) {
    if (!value_record_new(out, err)) return false;
    if (node->record.comprehension)
        return value_if(gather_comprehension(frame, node->record.values[0], out, err), out);
    for (int i = 0; i < node->record.count; i++) {
        const Node *from = node->record.values[i], *key_node = node->record.keys[i];
        LocalValue key = VALUE_MISSING, value = VALUE_MISSING;
        bool ok = (!key_node || eval(frame, key_node, &key, err)) && eval(frame, from, &value, err);
        if (ok && key_node)
            ok = record_put(out->record, &key, value, err) || place_error(frame, key_node, err);
        else if (ok) ok = set_all_fields(out, &value, err) || place_error(frame, from, err);
        if (!ok) return value_if(false, out);
    }
    return true;
}

/* True for constants, signs before them, and tuples of them. */
static bool all_constant(const NodeList *list) {
    for (int i = 0; i < list->count; i++) {
        const Node *item = list->items[i];
        if (item->kind == NODE_UNARY) item = item->operand;
        if (item->kind > NODE_CONSTANT && !(item->kind == NODE_TUPLE && all_constant(&item->list)))
            return false;
    }
    return true;
}

/* {a, b}, and {f(x) for x in xs}. Where all of three or more items are constants, CPython makes a
 * set of them when it compiles, another one of its items, and copies that: the order shows it. */
static bool eval_set(Frame *frame, const Node *node, Value *out, Error *err) {
    LocalValue items = VALUE_MISSING, made = VALUE_MISSING;
    const Node *first = node->list.items[0];
    bool ok = first->kind == NODE_COMPREHENSION
                  ? eval(frame, first, &items, err)
                  : eval_items(frame, &node->list, VALUE_LIST, &items, err);
    bool constants = node->list.count > 2 && all_constant(&node->list);
    ok = ok && value_set_of(&items, false, out, err);
    for (int again = 0; ok && constants && again < 2; again++) {
        drop(&items);
        items = *out;
        *out = VALUE_MISSING;
        if (again == 0)
            ok = value_list_new(&made, VALUE_LIST, 0, err) && value_extend(&made, &items, err);
        ok = ok && value_set_of(again == 0 ? &made : &items, false, out, err);
    }
    return ok || place_error(frame, node, err);
}

/* ---- f-strings: values as text, with their formats ---- */

static bool write_with_spec(Frame *frame, const FStringPart *part, const Value *value, Text *out,
                            Error *err) {
    int digits = frame->interp->digits;
    /* A format that has no {fields} of its own is there already. */
    const Node *node = part->spec;
    const char *format = node->fstring.count == 0 ? "" : NULL;
    if (node->fstring.count == 1 && !node->fstring.parts->value) format = node->fstring.parts->text;
    LocalValue spec = VALUE_MISSING; /* a string */
    if (!format) {
        if (!eval(frame, part->spec, &spec, err)) return false;
        format = spec.string->data;
    }
    return part->conversion
               ? value_format_converted(out, value, part->conversion == 'r', format, digits, err)
               : value_format(out, value, format, digits, err);
}

static bool eval_fstring(Frame *frame, const Node *node, Value *out, Error *err) {
    LocalText text = TEXT_EMPTY;
    for (int i = 0; i < node->fstring.count; i++) {
        const FStringPart *part = &node->fstring.parts[i];
        LocalValue value = VALUE_MISSING;
        bool ok = true;
        if (part->text) text_bytes(&text, part->text, part->length);
        if (!part->value) continue;
        if (!eval(frame, part->value, &value, err)) return false;
        bool quoted = part->conversion == 'r' || (part->debug && part->conversion != 's');
        bool object = value.kind == VALUE_INSTANCE;
        if (object && !part->spec && !quoted && !part->conversion)
            ok = value_format(&text, &value, "", frame->interp->digits, err);
        else if (part->spec) ok = write_with_spec(frame, part, &value, &text, err);
        else
            value_write(&text, &value, frame->interp->digits,
                        quoted && (object || value.kind == VALUE_STRING));
        if (!ok) return place_error(frame, part->value, err);
    }
    return value_text(out, &text, err);
}

/* ---- all of them ---- */

/* Evaluates an expression by the function for its kind; eval_node has those of operators on two
 * values and of x.f(y). */
static bool eval_inner(Frame *frame, const Node *node, Value *out, Error *err) {
    switch (node->kind) {
    case NODE_NUMBER: *out = value_number(node->number); return true;
    case NODE_STRING:
    case NODE_CONSTANT: *out = value_ref(node->constant); return true;
    case NODE_NAME: return eval_name(frame, node, out, err);
    case NODE_FSTRING: return eval_fstring(frame, node, out, err);
    case NODE_ARRAY: return eval_array(frame, node, out, err);
    case NODE_TUPLE: return eval_items(frame, &node->list, VALUE_TUPLE, out, err);
    case NODE_RECORD: return eval_record(frame, node, out, err);
    case NODE_SET: return eval_set(frame, node, out, err);
    case NODE_UNARY: return eval_unary(frame, node, out, err);
    case NODE_PLUS: return eval_plus(frame, node, out, err);
    case NODE_COMPARE: return eval_compare(frame, node, out, err);
    case NODE_NOT: return eval_not(frame, node, out, err);
    case NODE_AND:
    case NODE_OR: return eval_logical(frame, node, out, err);
    case NODE_NAMED: return eval_named(frame, node, out, err);
    case NODE_CALL: return eval_call(frame, node, out, err);
    case NODE_INDEX: return eval_index(frame, node, out, err);
    case NODE_ATTRIBUTE: return eval_attribute(frame, node, out, err);
    case NODE_LAMBDA: return make_function(frame, node->function, out, err);
    case NODE_MODULE: return eval_module(frame, node, out, err);
    case NODE_COMPREHENSION: return eval_comprehension(frame, node, out, err);
    default: return error_set(err, ERR_SYNTAX, "this cannot be used here");
    }
}

NOT_INLINED bool eval_nested(Frame *frame, const Node *node, Value *out, Error *err) {
    return eval_deeper(frame, node, eval_inner, out, err);
}

/* A loop walks a chain of these, since it may be long. */
static NOT_INLINED bool eval_conditional(Frame *frame, const Node *node, Value *out, Error *err) {
    while (node->kind == NODE_CONDITIONAL) {
        bool truth;
        if (!eval_truth(frame, node->conditional.condition, &truth, err)) return false;
        node = truth ? node->conditional.then : node->conditional.otherwise;
    }
    return eval(frame, node, out, err);
}

bool operator_number(const Frame *frame, const Node *node, double *out) {
    double left, right;
    Value result;
    if (!leaf_number(frame, node->binary.left, &left) ||
        !leaf_number(frame, node->binary.right, &right) ||
        !number_binary(node->op, left, right, &result))
        return false;
    *out = result.number;
    return true;
}

static NOT_INLINED bool eval_long_binary(Frame *frame, const Node *node, Value *out, Error *err) {
    return eval_deeper(frame, node, eval_binary, out, err);
}

static NOT_INLINED bool eval_short_binary(Frame *frame, const Node *node, Value *out, Error *err) {
    double left, right;
    if (short_number(frame, node->binary.left, &left) &&
        short_number(frame, node->binary.right, &right) &&
        number_binary(node->op, left, right, out))
        return true;
    return eval_long_binary(frame, node, out, err);
}

static NOT_INLINED bool eval_part(Frame *frame, const Node *node, Value *out, Error *err) {
    const Value *part = part_place(frame, node);
    if (!part || part->kind == VALUE_UNSET) return eval_nested(frame, node, out, err);
    *out = value_ref(*part);
    return true;
}

static NOT_INLINED bool eval_short_compare(Frame *frame, const Node *node, Value *out, Error *err) {
    bool truth;
    if (tape_gap() || !compare_leaves(frame, node, &truth))
        return eval_nested(frame, node, out, err);
    *out = value_bool(truth);
    return true;
}

/* Calls, operators, elements, attributes and comparisons, of which most expressions consist, have
 * quick paths. Each is a function of its own, so that eval_node only jumps to it and needs no frame
 * on the stack. */
bool eval_node(Frame *frame, const Node *node, Value *out, Error *err) {
    switch (node->kind) {
    case NODE_CALL:
        return node->call.callee->kind == NODE_ATTRIBUTE
                   ? eval_call_of_method(frame, node, out, err)
                   : eval_call_of_name(frame, node, out, err);
    case NODE_CONDITIONAL: return eval_conditional(frame, node, out, err);
    case NODE_BINARY:
        return node->binary.left->kind == NODE_CALL ? eval_long_binary(frame, node, out, err)
                                                    : eval_short_binary(frame, node, out, err);
    case NODE_INDEX:
    case NODE_ATTRIBUTE: return eval_part(frame, node, out, err);
    case NODE_COMPARE: return eval_short_compare(frame, node, out, err);
    default: return eval_nested(frame, node, out, err);
    }
}
