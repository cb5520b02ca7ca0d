#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/eval/eval.h"
#include "lang/token.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

/* ---- arguments ---- */

void arguments_init(Arguments *arguments) {
    arguments->items = arguments->few;
    arguments->count = 0;
    arguments->capacity = sizeof arguments->few / sizeof arguments->few[0];
    arguments->frame = NULL;
}

bool arguments_add(Arguments *arguments, Value taken, const char *keyword, const Node *node,
                   Error *err) {
    if (arguments->count == arguments->capacity) {
        size_t bytes = (size_t)arguments->capacity * sizeof *arguments->items;
        bool inside = arguments->items == arguments->few;
        Argument *items = mem_resize(inside ? NULL : arguments->items, 2 * bytes, err);
        if (!items) return value_if(false, &taken);
        if (inside) memcpy(items, arguments->few, bytes);
        arguments->items = items;
        arguments->capacity *= 2;
    }
    arguments->items[arguments->count++] =
        (Argument){.value = taken, .keyword = keyword, .node = node};
    return true;
}

/* *xs: each element is an argument of its own. */
static bool add_star(Frame *frame, const Node *star, Arguments *arguments, Error *err) {
    LocalValue source = VALUE_MISSING;
    Value item;
    if (!eval(frame, star->operand, &source, err)) return false;
    LocalIterator iterator;
    if (!iterator_init(&iterator, &source, err)) return place_error(frame, star, err);
    while (!iterator_done(&iterator))
        if (!iterator_next(&iterator, &item, err) ||
            !arguments_add(arguments, item, NULL, star, err))
            return false;
    return true;
}

/* **d: each field is an argument by its name. */
static bool add_double_star(Frame *frame, const Node *stars, Arguments *arguments, Error *err) {
    LocalValue source = VALUE_MISSING;
    if (!eval(frame, stars->operand, &source, err)) return false;
    const Value *held = instance_value(&source);
    if (held) value_replace(&source, value_ref(*held));
    bool ok = source.kind == VALUE_RECORD ||
              error_set(err, ERR_TYPE, "** hands over the fields of a record, not %s",
                        value_words(&source)) ||
              place_error(frame, stars, err);
    for (size_t i = 0; ok && i < source.record->count; i++) {
        const char *name = record_name_for(source.record, i, "**", err);
        Symbol *symbol = name ? interp_symbol(frame->interp, name, strlen(name), err) : NULL;
        ok = symbol && arguments_add(arguments, value_ref(source.record->values[i]), symbol->name,
                                     stars, err);
    }
    return ok;
}

bool arguments_eval(Frame *frame, const Node *call, Arguments *arguments, Error *err) {
    arguments->frame = frame;
    for (int i = 0; i < call->call.count; i++) {
        const CallArgument *argument = &call->call.arguments[i];
        Value value;
        bool ok;
        if (argument->value->kind == NODE_STAR)
            ok = add_star(frame, argument->value, arguments, err);
        else if (argument->value->kind == NODE_DOUBLE_STAR)
            ok = add_double_star(frame, argument->value, arguments, err);
        else
            ok = eval(frame, argument->value, &value, err) &&
                 arguments_add(arguments, value, argument->keyword, argument->value, err);
        if (!ok) return false;
    }
    return true;
}

bool arguments_prepend(Arguments *arguments, const Value *first, Error *err) {
    if (!arguments_add(arguments, value_ref(*first), NULL, NULL, err)) return false;
    Argument added = arguments->items[arguments->count - 1];
    memmove(arguments->items + 1, arguments->items, (size_t)(arguments->count - 1) * sizeof added);
    arguments->items[0] = added;
    return true;
}

void arguments_release(Arguments *arguments) {
    for (int i = 0; i < arguments->count; i++) drop(&arguments->items[i].value);
    if (arguments->items != arguments->few) mem_free(arguments->items);
    arguments->count = 0;
}

/* ---- functions of the language ---- */

bool function_new(Chunk *chunk, FunctionCode *code, Value *out, Error *err) {
    size_t count = (size_t)code->capture_count + (size_t)code->parameter_count + 1;
    Function *function = mem_zeroed(1, sizeof *function, err);
    if (!function) return false;
    shared_begin(&function->shared, VALUE_FUNCTION);
    function->code = code;
    function->chunk = chunk_ref(chunk);
    *out = (Value){.kind = VALUE_FUNCTION, .function = function};
    function->captured = mem_zeroed(count, sizeof *function->captured, err);
    if (!function->captured) return value_if(false, out);
    function->count = count;
    function->fallbacks = function->captured + code->capture_count;
    return true;
}

bool make_function(Frame *frame, FunctionCode *code, Value *out, Error *err) {
    if (!function_new(frame->chunk, code, out, err)) return false;
    Function *function = out->function;
    bool ok = true;
    for (int i = 0; i < code->capture_count; i++)
        function->captured[i] = value_ref(frame->slots[code->captures[i].from]);
    for (int i = 0; ok && i < code->parameter_count; i++) {
        const Node *fallback = code->parameters[i].fallback;
        ok = !fallback || eval(frame, fallback, &function->fallbacks[i], err);
    }
    return value_if(ok, out);
}

bool make_cells(Value *slots, const int *cells, int count, Error *err) {
    for (int i = 0; i < count; i++) {
        Value held = slots[cells[i]];
        slots[cells[i]] = VALUE_MISSING;
        if (!value_cell(&slots[cells[i]], &held, err)) return false;
    }
    return true;
}

static bool holds_array(const Value *slots, int count) {
    for (int i = 0; i < count; i++)
        if (slots[i].kind == VALUE_TENSOR) return true;
    return false;
}

/* Runs the body of a function whose slots are all set; of one with yield, makes the iterator. */
static bool run_body(Interp *interp, Function *function, Value *slots, Value *out, Error *err) {
    const FunctionCode *code = function->code;
    for (int i = 0; i < code->capture_count; i++)
        slots[code->captures[i].to] = value_ref(function->captured[i]);
    if (code->cell_count > 0 && !make_cells(slots, code->cells, code->cell_count, err))
        return false;
    if (code->sets_fields) { /* __init__ of a dataclass has no body */
        *out = VALUE_NOTHING;
        return set_fields(interp, function, slots, err);
    }
    if (code->yields) return generator_new(interp, function, slots, out, err);
    Frame frame = frame_of_body(interp, function->chunk, code, slots);
    frame.caller = interp->running;
    interp->running = &frame;
    const Node *only = code->body.count == 1 ? code->body.items[0] : NULL;
    bool ok;
    if (only && only->kind == NODE_RETURN && only->operand) { /* as in every lambda */
        ok = !interrupted(err) && eval(&frame, only->operand, out, err);
    } else {
        ok = run_statements(&frame, &code->body, err) != FLOW_ERROR;
        if (ok) *out = frame.result;
        else drop(&frame.result);
    }
    interp->running = frame.caller;
    if (ok && interp->notes && holds_array(slots, code->positional)) note_parameter_change(&frame);
    return ok;
}

/* Runs a function with its parameters in their slots, which are the first: `given` of them are set,
 * the other parameters get their defaults, and the other slots no value. The slots are released,
 * on failure too. */
static bool run_function(Interp *interp, const Value *callee, Value *slots, int given, Value *out,
                         Error *err) {
    Function *function = callee->function;
    const FunctionCode *code = function->code;
    int i = given;
    for (; i < code->parameter_count; i++) slots[i] = value_ref(function->fallbacks[i]);
    for (; i < code->slot_count; i++) slots[i] = VALUE_MISSING;
    bool ok = !(interp->rewriting && interp_leaves_out(interp, err)) && enter(interp, err);
    if (ok) {
        ok = run_body(interp, function, slots, out, err);
        leave(interp);
    }
    for (i = 0; i < code->slot_count; i++) drop(&slots[i]);
    return ok;
}

static bool call_function(Interp *interp, const Value *callee, Arguments *arguments, Value *out,
                          Error *err) {
    int count = callee->function->code->slot_count;
    Value few[SLOTS_FEW], *slots = few;
    if (count > SLOTS_FEW) slots = mem_alloc((size_t)count * sizeof *slots, err);
    if (!slots) return false;
    for (int i = 0; i < count; i++) slots[i] = VALUE_MISSING;
    bool ok = bind_function(callee->function, arguments, slots, err);
    if (ok) ok = run_function(interp, callee, slots, count, out, err);
    else
        while (count > 0) drop(&slots[--count]);
    if (slots != few) mem_free(slots);
    return ok;
}

/* True if `count` values, by position, are arguments for all parameters without a default, and fit
 * into few slots. */
static inline bool fits_directly(const Function *function, int count) {
    const FunctionCode *code = function->code;
    if (!code->direct || count > code->positional || code->sets_fields) return false;
    for (int i = count; i < code->parameter_count; i++)
        if (function->fallbacks[i].kind == VALUE_UNSET) return false;
    return true;
}

bool call_positional(Interp *interp, const Value *callee, const Value *values, size_t count,
                     Value *out, Error *err) {
    if (callee->kind == VALUE_FUNCTION && fits_directly(callee->function, (int)count)) {
        Value slots[SLOTS_FEW];
        for (size_t i = 0; i < count; i++) slots[i] = value_ref(values[i]);
        return run_function(interp, callee, slots, (int)count, out, err);
    }
    LocalArguments arguments;
    arguments_init(&arguments);
    for (size_t i = 0; i < count; i++)
        if (!arguments_add(&arguments, value_ref(values[i]), NULL, NULL, err)) return false;
    return call_value(interp, callee, &arguments, out, err);
}

/* ---- builtins ---- */

/* exp(2) and the like, without an array: `count` numbers in, a number out. False: it is no such
 * call. */
static bool call_on_numbers(const BuiltinDef *builtin, const double *x, int count, Value *out) {
    Op op = (Op)builtin->op;
    if (count == 0 || op_scalar_inputs(op) != count) return false;
    double y = count == 1 ? op_scalar_unary(op, x[0]) : op_scalar_binary(op, x[0], x[1]);
    if (!isfinite(y) && builtin->constant == 1) return false; /* the function may refuse it */
    *out = op_gives_bool(op) ? value_bool(y != 0) : value_number(y);
    return true;
}

/* True if a builtin only computes: it writes, reads and changes nothing, and is soon done. */
static bool only_computes(const BuiltinDef *builtin) {
    static const char others[] = "print time exit quit seed set_printoptions map filter";
    const char *group = builtin->group ? builtin->group : "";
    bool method = builtin->receiver && strcmp(builtin->receiver, "string") != 0;
    return !method && !words_contain("models files derivative", group, strlen(group)) &&
           !words_contain(others, builtin->name, strlen(builtin->name));
}

/* abs(x) and the like of an object, which its own method answers. False: it has none. */
static bool call_on_object(const BuiltinDef *builtin, const Arguments *arguments, bool *ok,
                           Value *out, Error *err) {
    static const struct {
        const char *name;
        Special special;
    } rows[] = {{"abs", SPECIAL_ABS},
                {"round", SPECIAL_ROUND},
                {"divmod", SPECIAL_DIVMOD},
                {"reversed", SPECIAL_REVERSED},
                {"hash", SPECIAL_HASH}};
    const Value *x = &arguments->items[0].value;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, builtin->name) != 0) continue;
        bool found, more = arguments->count > 1;
        *ok = call_special(x, rows[i].special, more ? &arguments->items[1].value : NULL, more,
                           &found, out, err);
        return found;
    }
    return false;
}

/* Evaluates the arguments of a call, behind `self` (NULL: none), which is taken over. */
static NOT_INLINED bool gather_arguments(Frame *frame, const Node *node, Value *self,
                                         Arguments *arguments, Error *err) {
    arguments_init(arguments);
    bool ok = !self || arguments_add(arguments, *self, NULL, NULL, err);
    return ok && arguments_eval(frame, node, arguments, err);
}

/* Makes arguments of values that are evaluated already, of which `before` are not from the node.
 * They are taken over. */
static NOT_INLINED bool arguments_of(Frame *frame, const Node *node, Value *values, int count,
                                     int before, Arguments *arguments, Error *err) {
    bool ok = true;
    arguments_init(arguments);
    arguments->frame = frame;
    for (int i = 0; i < count; i++) {
        const Node *argument = i < before ? NULL : node->call.arguments[i - before].value;
        if (ok) ok = arguments_add(arguments, values[i], NULL, argument, err);
        else drop(&values[i]);
    }
    return ok;
}

/* Evaluates the arguments of a call, behind `self` (NULL: none), which is taken over. Most go
 * straight to `bound`, where the builtin reads them, as they are: *signature is set then. Others
 * become arguments that are to be bound. */
static INLINED bool bind_in_tree(Frame *frame, const Node *node, const BuiltinDef *builtin,
                                 Value *self, const Signature **signature, Value *bound,
                                 Arguments *arguments, Error *err) {
    const Signature *row = interp_signature(frame->interp, builtin, err);
    const int before = self != NULL, count = node->call.count + before;
    *signature = NULL;
    if (!row) {
        arguments_init(arguments);
        if (self) drop(self);
        return false;
    }
    if (node->call.mixed || count < row->least || count > row->positional)
        return gather_arguments(frame, node, self, arguments, err);
    if (self) bound[0] = *self;
    bool fits = !self || argument_fits(row->parameters, self);
    for (int i = before; i < count; i++) {
        if (!eval(frame, node->call.arguments[i - before].value, &bound[i], err)) {
            arguments_init(arguments);
            while (i > 0) drop(&bound[--i]);
            return false;
        }
        fits &= argument_fits(&row->parameters[i], &bound[i]);
    }
    for (int i = count; i < PARAMETERS_FEW; i++) bound[i] = VALUE_MISSING;
    if (!fits || bound[0].kind == VALUE_INSTANCE)
        return arguments_of(frame, node, bound, count, before, arguments, err);
    for (int i = count; i < row->count; i++) bound[i] = value_ref(row->parameters[i].fallback);
    *signature = row;
    return true;
}

/* The receiver that a method changes: a value, or the value of the variable that `target` names. */
typedef struct Receiver {
    Frame *frame;
    Value *value;
    const Node *target;
} Receiver;

static bool change_receiver(const Receiver *receiver, const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    if (receiver->target)
        return change_by_method(receiver->frame, receiver->target, call, out, err);
    if (call->builtin->change) return call->builtin->change(receiver->value, call, out, err);
    return value_append(receiver->value, &call->arguments[1], err);
}

/* A builtin that failed may have left there what it released. Returns false. */
static bool no_result(Value *out) {
    *out = VALUE_MISSING;
    return false;
}

/* Binds the arguments and runs the builtin, on a receiver if it changes one. */
static bool call_bound(Interp *interp, const BuiltinDef *builtin, Arguments *arguments,
                       const Receiver *receiver, Value *out, Error *err) {
    const Signature *signature = interp_signature(interp, builtin, err);
    if (!signature) return false;
    Value few[PARAMETERS_FEW], *values = few;
    size_t rest_count, rest_room = signature->rest >= 0 ? 2 * (size_t)arguments->count : 0,
                       count = (size_t)signature->count + rest_room;
    if (count < PARAMETERS_FEW) count = PARAMETERS_FEW;
    if (count > PARAMETERS_FEW) values = mem_alloc(count * sizeof *values, err);
    if (!values) return false;
    for (size_t i = 0; i < count; i++) values[i] = VALUE_MISSING;
    Value *rest = values + signature->count;
    bool ok = bind_builtin(signature, arguments, values, rest, &rest_count, err);
    if (ok) {
        Call call = {.interp = interp,
                     .builtin = builtin,
                     .arguments = values,
                     .rest = rest,
                     .rest_count = rest_count};
        ok = receiver ? change_receiver(receiver, &call, out, err) : builtin->call(&call, out, err);
        if (!ok) no_result(out);
    }
    for (int i = 0; i < signature->count; i++) drop(&values[i]);
    for (size_t i = 0; i < rest_count; i++) drop(&rest[i]);
    if (values != few) mem_free(values);
    return ok;
}

bool call_builtin(Interp *interp, const BuiltinDef *builtin, Arguments *arguments, Value *out,
                  Error *err) {
    bool ok;
    if (arguments->count > 0 && arguments->items[0].value.kind == VALUE_INSTANCE &&
        call_on_object(builtin, arguments, &ok, out, err))
        return ok;
    double x[2];
    int numbers = 0;
    for (; numbers < arguments->count && numbers < 2; numbers++) {
        const Argument *item = &arguments->items[numbers];
        if (item->value.kind != VALUE_NUMBER || item->keyword) break;
        x[numbers] = item->value.number;
    }
    if (numbers == arguments->count && call_on_numbers(builtin, x, numbers, out)) return true;
    if (interp->rewriting && !only_computes(builtin)) return !interp_leaves_out(interp, err);
    return call_bound(interp, builtin, arguments, NULL, out, err);
}

/* Changes a receiver by a builtin. The row's own function could not do so, as its arguments are
 * borrowed. */
static bool change_by_builtin(const Receiver *receiver, const BuiltinDef *builtin,
                              Arguments *arguments, Value *out, Error *err) {
    Interp *interp = receiver->frame->interp;
    return !interp_leaves_out(interp, err) &&
           call_bound(interp, builtin, arguments, receiver, out, err);
}

/* ---- any callee ---- */

bool value_is_callable(const Value *value) {
    switch (value->kind) {
    case VALUE_FUNCTION:
    case VALUE_BUILTIN:
    case VALUE_CLASS: return true;
    case VALUE_METHOD:
        return value->method->role == METHOD_BOUND || value->method->role == METHOD_STATIC;
    case VALUE_INSTANCE: return class_special(class_of(value), SPECIAL_CALL) != NULL;
    case VALUE_OBJECT: return value->object->type->call != NULL;
    default: return false;
    }
}

/* x(...) of an object, and x.f(...). */
static bool call_with_self(Interp *interp, const Value *callee, Arguments *arguments, Value *out,
                           Error *err) {
    const Value *self = callee, *function = NULL;
    if (callee->kind == VALUE_INSTANCE) {
        function = class_special(class_of(callee), SPECIAL_CALL);
        if (function->kind != VALUE_FUNCTION) self = NULL; /* a function of another kind */
    } else {
        function = &callee->method->parts[1];
        self = callee->method->role == METHOD_BOUND ? &callee->method->parts[0] : NULL;
    }
    LocalValue held = value_ref(*function); /* it may take itself out of the class */
    if (self && !arguments_prepend(arguments, self, err)) return false;
    if (!self || held.kind != VALUE_BUILTIN || !held.builtin->changes_receiver)
        return call_value(interp, &held, arguments, out, err);
    LocalValue changed = value_ref(*self); /* xs.append, taken from xs */
    const Receiver receiver = {&(Frame){.interp = interp}, &changed, NULL};
    return change_by_builtin(&receiver, held.builtin, arguments, out, err);
}

bool call_value(Interp *interp, const Value *callee, Arguments *arguments, Value *out, Error *err) {
    if (!value_is_callable(callee))
        return error_set(err, ERR_TYPE, "%s cannot be called", value_words(callee));
    if (callee->kind == VALUE_FUNCTION) return call_function(interp, callee, arguments, out, err);
    if (callee->kind == VALUE_BUILTIN)
        return call_builtin(interp, callee->builtin, arguments, out, err);
    if (callee->kind == VALUE_CLASS) return instantiate(interp, callee, arguments, out, err);
    if (callee->kind == VALUE_INSTANCE || callee->kind == VALUE_METHOD)
        return call_with_self(interp, callee, arguments, out, err);
    /* The builtin of an object's type gets the object as its first argument. */
    if (!arguments_prepend(arguments, callee, err)) return false;
    return call_builtin(interp, callee->object->type->call, arguments, out, err);
}

/* Reports that a value is called that is no function, and hints at what was meant. */
static bool not_callable(Frame *frame, const Node *call, const Value *value, Error *err) {
    const Node *callee = call->call.callee;
    Quote quote = quote_node(frame, callee);
    error_set(err, ERR_TYPE, "%s is %s, not a function", quote.text, value_words(value));
    error_python(err, "'%s' object is not callable", value_type_name(value));
    bool attribute = callee->kind == NODE_ATTRIBUTE;
    const BuiltinDef *hidden = callee->kind == NODE_NAME ? callee->name.symbol->builtin : NULL;
    const Node *only = call->call.count == 1 ? call->call.arguments[0].value : NULL;
    if (hidden && hidden->call && !hidden->indexed && callee->name.slot < 0)
        error_hint(err, "The variable hides the function; del %s brings it back.", quote.text);
    else if (attribute && call->call.count == 0 && strcmp(callee->attribute.name, "size") == 0)
        error_hint(err, "%s counts the elements; write %.*sshape", quote.text,
                   (int)(strlen(quote.text) - 4), quote.text); /* x.size() of PyTorch */
    else if (attribute && call->call.count == 0) propose_part(frame, call->span, quote.text, err);
    else if (attribute && only && strcmp(callee->attribute.name, "size") == 0) { /* x.size(0) */
        char size[sizeof quote.text * 2];
        snprintf(size, sizeof size, "%.*sshape[%s]", (int)(strlen(quote.text) - 4), quote.text,
                 quote_node(frame, only).text);
        propose_part(frame, call->span, size, err);
    } else if (value_is_array(value) || value->kind == VALUE_LIST)
        error_hint(err, "Elements are taken with brackets: %s[0].", quote.text);
    else if (value_is_scalar(value)) error_hint(err, "A product is written with *.");
    return place_error(frame, callee, err);
}

/* Calls a builtin by a call node, whose arguments are evaluated already. shuffle(xs) changes what
 * is its first argument. */
static bool call_builtin_at(Frame *frame, const Node *node, const BuiltinDef *builtin,
                            Arguments *arguments, Value *out, Error *err) {
    if (!builtin->changes_argument || node->call.count == 0)
        return call_builtin(frame->interp, builtin, arguments, out, err);
    LocalValue first = value_ref(arguments->items[0].value);
    bool given = arguments->count == node->call.count; /* else the first is the receiver */
    const Node *target = node->call.arguments[0].value, *callee = node->call.callee;
    if (given && first.kind == VALUE_LIST) target = NULL;
    else if (callee->kind == NODE_ATTRIBUTE && !callee->attribute.member && !builtin->receiver)
        target = callee->attribute.object; /* A.put(i, v) is put(A, i, v) */
    const Receiver receiver = {frame, &first, target};
    return change_by_builtin(&receiver, builtin, arguments, out, err);
}

/* Calls a builtin as a method; the object, its first argument, is taken over. NULL: len(x), and
 * np.exp(x). receiver: what it changes; NULL: nothing but perhaps its first argument.
 * The caller calls no_result where it fails. */
static INLINED bool call_method(Frame *frame, const Node *node, const BuiltinDef *builtin,
                                Value *object, const Receiver *receiver, Value *out, Error *err) {
    Arguments arguments;
    const Signature *signature = NULL;
    Value bound[PARAMETERS_FEW];
    bool ok = bind_in_tree(frame, node, builtin, object, &signature, bound, &arguments, err);
    if (signature) {
        Interp *interp = frame->interp;
        const Call call = {.interp = interp, .builtin = builtin, .arguments = bound};
        ok = !interp->rewriting || (!receiver && only_computes(builtin)) ||
             !interp_leaves_out(interp, err);
        if (ok && receiver) ok = change_receiver(receiver, &call, out, err);
        else if (ok) ok = builtin->call(&call, out, err);
        for (int i = 0; i < signature->count; i++) drop(&bound[i]);
        return ok;
    }
    if (ok && receiver) ok = change_by_builtin(receiver, builtin, &arguments, out, err);
    else if (ok) ok = call_builtin_at(frame, node, builtin, &arguments, out, err);
    arguments_release(&arguments);
    return ok;
}

/* Calls a value with the arguments of a call node, behind self (NULL: none). Not inlined: it is
 * rare, and its frame would grow that of every call. */
static NOT_INLINED bool call_with_arguments(Frame *frame, const Node *node, const Value *callee,
                                            const Value *self, Value *out, Error *err) {
    LocalArguments arguments;
    arguments_init(&arguments);
    return arguments_eval(frame, node, &arguments, err) &&
           (!self || arguments_prepend(&arguments, self, err)) &&
           call_value(frame->interp, callee, &arguments, out, err);
}

/* Calls a function of the language with the arguments of a call node, behind self (NULL: none). As
 * a rule they are evaluated into the slots of its parameters. */
static INLINED bool call_in_tree(Frame *frame, const Node *node, const Value *function,
                                 const Value *self, Value *out, Error *err) {
    if (node->call.mixed || !fits_directly(function->function, node->call.count + (self != NULL)))
        return call_with_arguments(frame, node, function, self, out, err);
    Value slots[SLOTS_FEW];
    int given = 0;
    if (self) slots[given++] = value_ref(*self);
    for (int i = 0; i < node->call.count; i++) {
        if (eval(frame, node->call.arguments[i].value, &slots[given], err)) given++;
        else {
            while (given > 0) drop(&slots[--given]);
            return false;
        }
    }
    return run_function(frame->interp, function, slots, given, out, err);
}

/* math.cos(x) and the like: no list of arguments is made for a number. False: it is another call,
 * of which nothing is evaluated yet. */
static NOT_INLINED bool call_on_number(Frame *frame, const Node *node, const BuiltinDef *builtin,
                                       bool *ok, Value *out, Error *err) {
    if (node->call.mixed || op_scalar_inputs((Op)builtin->op) != 1) return false;
    Value x;
    *ok = eval(frame, node->call.arguments[0].value, &x, err);
    if (!*ok || (x.kind == VALUE_NUMBER && call_on_numbers(builtin, &x.number, 1, out)))
        return true;
    Arguments arguments;
    *ok = arguments_of(frame, node, &x, 1, 0, &arguments, err) &&
          call_builtin_at(frame, node, builtin, &arguments, out, err);
    arguments_release(&arguments);
    return true;
}

/* Calls a builtin that is no method of anything. */
static NOT_INLINED bool call_builtin_alone(Frame *frame, const Node *node,
                                           const BuiltinDef *builtin, Value *out, Error *err) {
    if (node->call.count == 0 && strcmp(builtin->name, "super") == 0)
        return eval_super(frame, out, err);
    const NodeKind callee = node->call.callee->kind;
    bool ok;
    if (!builtin->op || node->call.count != 1 ||
        !call_on_number(frame, node, builtin, &ok, out, err))
        ok = call_method(frame, node, builtin, NULL, NULL, out, err);
    if (ok) return true;
    if (callee == NODE_NAME || callee == NODE_ATTRIBUTE) torch_call_remedy(frame, node, err);
    return no_result(out);
}

/* Calls a callee that is evaluated already: evaluates the arguments of the call node first. */
static bool call_evaluated(Frame *frame, const Node *node, const Value *callee, Value *out,
                           Error *err) {
    if (callee->kind == VALUE_FUNCTION) return call_in_tree(frame, node, callee, NULL, out, err);
    if (callee->kind == VALUE_BUILTIN)
        return call_builtin_alone(frame, node, callee->builtin, out, err);
    if (!value_is_callable(callee)) return not_callable(frame, node, callee, err);
    return call_with_arguments(frame, node, callee, NULL, out, err);
}

/* ---- methods ---- */

bool append_in_place(Frame *frame, const Node *node, bool *ok, Error *err) {
    const Node *receiver = node->call.grows;
    if (receiver->kind == NODE_NAME && receiver->name.slot < 0) return false;
    const Value *place = leaf_place(frame, receiver);
    if (!place || place->kind != VALUE_LIST || frame->interp->rewriting) return false;
    Value list = value_ref(*place), item;
    *ok = eval(frame, node->call.arguments[0].value, &item, err);
    if (*ok && list.shared->kept == values_entry && list.list->count < list.list->capacity) {
        list.list->items[list.list->count++] = item;
    } else if (*ok) {
        *ok = value_append(&list, &item, err) || place_error(frame, node, err);
        drop(&item);
    }
    drop(&list);
    return true;
}

/* Runs a method that changes its receiver: that value, or the array in the variable that `target`
 * names. */
static NOT_INLINED bool eval_changing(Frame *frame, const Node *node, const BuiltinDef *builtin,
                                      Value *receiver, const Node *target, Value *out, Error *err) {
    Value none = VALUE_NOTHING;
    const Receiver changed = {frame, receiver, target};
    return call_method(frame, node, builtin, &none, &changed, out, err) || no_result(out);
}

/* The method by which a statement changes the array in a variable, A.sort() or net.W.sort(); NULL:
 * it is no such statement. In an expression it is the function sort, which gives a copy. */
static const BuiltinDef *array_method(Frame *frame, const Node *node, const Symbol *symbol) {
    const Node *receiver = node->call.callee->attribute.object;
    const BuiltinDef *method = symbol->list_method;
    if (!method || !method->changes_arrays || node_root(receiver)->kind != NODE_NAME ||
        (symbol->builtin && !node->call.alone))
        return NULL;
    Error unseen = {.kind = ERR_NONE}; /* evaluating it again will say so */
    Value value;
    if (!eval(frame, receiver, &value, &unseen)) return NULL;
    bool array = value_is_array(&value);
    drop(&value);
    return array ? method : NULL;
}

/* x.f(...) of an object, a class or super(). A method is called as it lies in the class. The object
 * is taken over. */
static bool call_attribute(Frame *frame, const Node *node, Value *object, Value *out, Error *err) {
    const Node *attribute = node->call.callee;
    Symbol *name = attribute->attribute.symbol;
    const Value *self = object, *found = NULL;
    if (object->kind == VALUE_INSTANCE && !class_of(object)->reads_by_method &&
        !fields_find(object->record, name->text))
        found = class_find(class_of(object), name->text);
    if (object->kind == VALUE_METHOD && object->method->role == METHOD_SUPER) {
        self = &object->method->parts[0];
        if (self->kind == VALUE_INSTANCE)
            found = class_find_behind(class_of(self), object->method->parts[1].class, name->text);
    }
    Value callee;
    bool ok;
    if (found && found->kind == VALUE_FUNCTION) {
        callee = value_ref(*found); /* it may take itself out of the class */
        ok = call_in_tree(frame, node, &callee, self, out, err);
        drop(&callee);
    } else {
        ok = member_attribute(frame->interp, object, name, &callee, err);
        if (!ok && err && value_is_module(frame->interp, object))
            attribute_remedy(frame, attribute, node, err);
        if (!ok) place_span(frame, attribute->attribute.name_span, err);
        if (ok) {
            ok = call_evaluated(frame, node, &callee, out, err);
            drop(&callee);
        }
    }
    drop(object);
    return ok;
}

/* True for the values whose attributes lie in class.h. */
static bool has_members(const Value *value) {
    return value->kind >= VALUE_INSTANCE || value->kind == VALUE_FUNCTION;
}

/* The dict or its like that an object, or that of super(), holds, where the method is one of that;
 * NULL: the object has it itself. */
static const Value *method_of_held(const Value *object, const Symbol *name) {
    const Value *self = object;
    bool super = object->kind == VALUE_METHOD && object->method->role == METHOD_SUPER;
    if (super) self = &object->method->parts[0];
    const Class *class = class_of(self);
    if (!class || !class->holds || !name->text) return NULL;
    const Value *held = instance_value(self);
    if (!held || !method_of(held, name)) return NULL;
    if (super) {
        const Class *behind = object->method->parts[1].class;
        return class_find_behind(class_of(self), behind, name->text) ? NULL : held;
    }
    bool own = fields_find(self->record, name->text) || class_find(class_of(self), name->text);
    return own ? NULL : held;
}

/* Calls the method of a value that is no object of a class, or what its field holds. The value is
 * taken over. */
static bool call_method_of(Frame *frame, const Node *node, Value *object, Value *out, Error *err) {
    const Node *attribute = node->call.callee;
    const BuiltinDef *method = method_of(object, attribute->attribute.symbol);
    bool ok;
    if (call_appends(node, method) &&
        object->kind == VALUE_LIST) { /* as it is nearly always called */
        Value item;
        ok = !interp_leaves_out(frame->interp, err) &&
             eval(frame, node->call.arguments[0].value, &item, err);
        if (ok) {
            ok = value_append(object, &item, err);
            drop(&item);
        }
        *out = VALUE_NOTHING;
    } else if (method && method->changes_receiver && !value_is_array(object)) {
        ok = eval_changing(frame, node, method, object, NULL, out, err);
    } else if (method && (node->call.mixed || attribute->attribute.object->kind == NODE_CALL) &&
               value_is_arraylike(object) && /* which looks at all of a list */
               torch_remedy(frame, attribute, node, true, err)) {
        ok = false;
    } else if (method) {
        if (value_is_array(object)) note_method_of_copy(frame, node);
        if (call_method(frame, node, method, object, NULL, out, err)) return true;
        torch_call_remedy(frame, node, err);
        return no_result(out);
    } else {
        Value callee; /* a field or attribute that can be called */
        ok = value_attribute(frame->interp, object, attribute->attribute.name, &callee, err);
        if (ok) {
            ok = call_evaluated(frame, node, &callee, out, err);
            drop(&callee);
        } else {
            if (value_is_arraylike(object) || object->kind == VALUE_OBJECT ||
                object->kind == VALUE_STRING || object->kind == VALUE_LIST ||
                value_is_function(object))
                attribute_remedy(frame, attribute, node, err);
            place_span(frame, attribute->attribute.name_span, err);
        }
    }
    drop(object);
    return ok;
}

/* True for what is no array and has no members: its methods are those of its kind. */
static bool is_plain(const Value *value) {
    return value->kind >= VALUE_STRING && value->kind <= VALUE_SET && value->kind != VALUE_TENSOR;
}

static bool eval_method(Frame *frame, const Node *node, Value *out, Error *err) {
    const Node *attribute = node->call.callee;
    Value object;
    const Value *place = leaf_place(frame, attribute->attribute.object);
    if (place && has_members(place) && !method_of_held(place, attribute->attribute.symbol)) {
        object = value_ref(*place);
        return call_attribute(frame, node, &object, out, err);
    }
    if (place && is_plain(place)) {
        object = value_ref(*place);
        return call_method_of(frame, node, &object, out, err);
    }
    const BuiltinDef *member = module_member(attribute);
    if (member && attribute->attribute.habit) {
        if (torch_remedy(frame, attribute, node, false, err)) return false;
        note_seed(frame, attribute);
    }
    if (member && member->call) return call_builtin_alone(frame, node, member, out, err);
    if (member) {
        object = value_number(member->constant);
        return not_callable(frame, node, &object, err);
    }
    if (place && node_is_part(attribute->attribute.object) && !value_is_array(place) &&
        place->kind != VALUE_UNSET) { /* an element: it is not looked up again */
        object = value_ref(*place);
    } else {
        const BuiltinDef *changing = array_method(frame, node, attribute->attribute.symbol);
        const Node *target = attribute->attribute.object;
        if (changing) return eval_changing(frame, node, changing, NULL, target, out, err);
        if (!eval_receiver(frame, attribute, &object, err))
            return module_remedy(frame, attribute, node, err);
    }
    const Value *held = method_of_held(&object, attribute->attribute.symbol);
    if (held) value_replace(&object, value_ref(*held));
    if (has_members(&object)) return call_attribute(frame, node, &object, out, err);
    return call_method_of(frame, node, &object, out, err);
}

bool eval_call_of_method(Frame *frame, const Node *node, Value *out, Error *err) {
    return eval_deeper(frame, node, eval_method, out, err);
}

/* C(...) and x(...) without a list of arguments, where nothing but __init__ or __call__ is to run.
 * False: it is another callee. */
static bool eval_call_of_object(Frame *frame, const Node *node, const Value *callee, bool *ok,
                                Value *out, Error *err) {
    const Value *function = callee->kind == VALUE_CLASS ? plain_init(callee->class)
                            : callee->kind == VALUE_INSTANCE
                                ? class_special(class_of(callee), SPECIAL_CALL)
                                : NULL;
    if (!function || function->kind != VALUE_FUNCTION) return false;
    Value held = value_ref(*function), result; /* it may take itself out of the class */
    if (callee->kind == VALUE_INSTANCE) {
        *ok = call_in_tree(frame, node, &held, callee, out, err);
    } else if ((*ok = instance_new(callee->class, out, err)) != false) {
        *ok = call_in_tree(frame, node, &held, out, &result, err);
        if (*ok) drop(&result);
        else drop(out);
    }
    drop(&held);
    return true;
}

bool eval_call_of_name(Frame *frame, const Node *node, Value *out, Error *err) {
    const Node *name = node->call.callee;
    const Value *place = name->kind == NODE_NAME ? name_place(frame, name) : NULL;
    if (!place || place->kind != VALUE_FUNCTION) return eval_nested(frame, node, out, err);
    Value callee = value_ref(*place); /* it may give its name another value */
    bool ok = call_in_tree(frame, node, &callee, NULL, out, err);
    drop(&callee);
    return place_node(frame, node, ok, err);
}

/* The builtin that a name means, which no variable hides; NULL: it means something else, or a
 * constant. */
static const BuiltinDef *builtin_named(const Frame *frame, const Node *name) {
    if (name->kind != NODE_NAME || name->name.slot >= 0) return NULL;
    const BuiltinDef *builtin = name->name.symbol->builtin;
    const bool plain = builtin && builtin->call && !builtin->indexed && !builtin->make;
    return plain && name_place(frame, name)->kind == VALUE_UNSET ? builtin : NULL;
}

bool eval_call(Frame *frame, const Node *node, Value *out, Error *err) {
    Value callee;
    const BuiltinDef *builtin = builtin_named(frame, node->call.callee);
    if (builtin) return call_builtin_alone(frame, node, builtin, out, err);
    if (!eval(frame, node->call.callee, &callee, err)) return callee_remedy(frame, node, err);
    bool ok;
    if (callee.kind < VALUE_INSTANCE || !eval_call_of_object(frame, node, &callee, &ok, out, err))
        ok = call_evaluated(frame, node, &callee, out, err);
    drop(&callee);
    return ok;
}
