#include "base/interrupt.h"
#include "engine/tensor/recording.h"
#include "lang/eval/eval.h"
#include "lang/exception.h"

#include <string.h>

/* ---- blocks ---- */

/* The same as run_statements, for loops and blocks: without a call. */
static inline Flow run_in_order(Frame *frame, const NodeList *statements, Error *err);

static bool enter_block(Frame *frame, Error *err) {
    if (!enter(frame->interp, err)) {
        /* This error takes the place of the yield, so a handler begins anew. */
        if (frame->resumption) frame->resumption->resumes = false;
        return false;
    }
    frame->blocks++;
    return true;
}

static void leave_block(Frame *frame) {
    frame->blocks--;
    leave(frame->interp);
}

Flow run_block(Frame *frame, const NodeList *statements, Error *err) {
    if (!enter_block(frame, err)) return FLOW_ERROR;
    Flow flow = run_in_order(frame, statements, err);
    leave_block(frame);
    return flow;
}

/* ---- values ---- */

static Flow flow_of(bool ok) { return ok ? FLOW_NEXT : FLOW_ERROR; }

/* Evaluates what a statement keeps or shows. Ctrl-C cuts comparisons and conversions short, whose
 * value is then wrong: it is an error instead. */
static bool eval_to_keep(Frame *frame, const Node *node, Value *out, Error *err) {
    if (!eval(frame, node, out, err)) return false;
    return !interrupt_flag || value_if(interrupt_error(err), out);
}

/* a = b = value: each target from left to right. x = yield value: what is sent; x = yield from f():
 * what f returns. */
static Flow run_assign(Frame *frame, const Node *node, Error *err) {
    const NodeList *targets = &node->assign.targets;
    Value value;
    bool ok;
    if (targets->count == 1 && targets->items[0]->kind == NODE_TUPLE &&
        assign_in_turn(frame, targets->items[0], node->assign.value, &ok, err))
        return flow_of(ok);
    const NodeKind kind = node->assign.value->kind;
    if (kind == NODE_YIELD || kind == NODE_YIELD_FROM) {
        Flow flow = run_yield(frame, node->assign.value, &value, err);
        if (flow != FLOW_NEXT) return flow;
    } else if (!eval_to_keep(frame, node->assign.value, &value, err)) return FLOW_ERROR;
    for (int i = 0; i + 1 < targets->count; i++) {
        Value copy = value_ref(value);
        if (assign(frame, targets->items[i], &copy, err)) continue;
        drop(&value);
        return FLOW_ERROR;
    }
    return flow_of(assign(frame, targets->items[targets->count - 1], &value, err));
}

static Flow run_return(Frame *frame, const Node *node, Error *err) {
    Value value = VALUE_NOTHING;
    if (node->operand && !eval(frame, node->operand, &value, err)) return FLOW_ERROR;
    drop(&frame->result);
    frame->result = value;
    return FLOW_RETURN;
}

/* ---- branches and loops ---- */

/* An `if` of a function with yield. It keeps how many elifs are before its branch, or -1 for the
 * else. */
static NOT_INLINED Flow run_if_by_parts(Frame *frame, const Node *node, Error *err) {
    const bool resumed = is_resumed(frame);
    const int taken = resumed ? (int)resumption_take(frame).number : 0;
    for (int i = 0;; node = node_elif(node), i++) {
        bool truth = i == taken;
        if (!resumed && !eval_truth(frame, node->branch.condition, &truth, err)) return FLOW_ERROR;
        if (!truth && node_elif(node)) continue;
        Flow flow = run_block(frame, truth ? &node->branch.then : &node->branch.otherwise, err);
        if (flow != FLOW_YIELD) return flow;
        return resumption_keep(frame, value_number(truth ? i : -1), err);
    }
}

/* A loop walks the elifs, since a chain of them may be long. */
static Flow run_if(Frame *frame, const Node *node, Error *err) {
    if (frame->resumption) return run_if_by_parts(frame, node, err);
    for (;; node = node_elif(node)) {
        bool truth;
        if (!eval_truth(frame, node->branch.condition, &truth, err)) return FLOW_ERROR;
        if (truth) return run_block(frame, &node->branch.then, err);
        if (!node_elif(node)) return run_block(frame, &node->branch.otherwise, err);
    }
}

/* True if a loop continues after its body ended so. */
static bool loop_goes_on(Flow flow) { return flow == FLOW_NEXT || flow == FLOW_CONTINUE; }

/* The end of the loop when its body ended so. */
static Flow flow_of_loop(Flow flow) {
    return flow == FLOW_RETURN || flow == FLOW_ERROR ? flow : FLOW_NEXT;
}

/* The `else` of a loop, which keeps None where it yields. */
static Flow run_loop_else(Frame *frame, const NodeList *block, Error *err) {
    Flow flow = run_block(frame, block, err);
    return flow == FLOW_YIELD ? resumption_keep(frame, VALUE_NOTHING, err) : flow;
}

/* Ends a generator that nothing else refers to, and those that an iterator goes through. */
static bool end_generators(Interp *interp, const Value *source, int depth, Error *err) {
    enum { DEPTH_MOST = 100 };
    if (source->kind != VALUE_ITERATOR || source->list->shared.refs > 1 || depth == DEPTH_MOST)
        return true;
    if (((const IteratorState *)source->list)->role == ITERATOR_FUNCTION)
        return generator_close(interp, source, err);
    for (size_t i = source->list->count; i-- > 0;)
        if (!end_generators(interp, &source->list->items[i], depth + 1, err)) return false;
    return true;
}

/* A loop that is left early ends its generators, as in Python. An error of this does not replace
 * the one with which the loop was left. */
static Flow leave_generators(Frame *frame, const Value *source, Flow flow, Error *err) {
    if (flow == FLOW_ERROR && (err->kind == ERR_INTERRUPT || err->kind == ERR_EXIT)) return flow;
    Error own = {.kind = ERR_NONE};
    if (end_generators(frame->interp, source, 0, &own) || flow == FLOW_ERROR) return flow;
    *err = own;
    return FLOW_ERROR;
}

static Flow run_for(Frame *frame, const Node *node, Error *err) {
    Iterator iterator;
    Value item;
    Flow flow = FLOW_NEXT;
    const bool resumed = is_resumed(frame);
    if (resumed) {
        if (resumption_take(frame).kind == VALUE_NONE)
            return run_loop_else(frame, &node->loop.otherwise, err);
        iterator = resumption_take_iterator(frame);
    } else if (!iterator_eval(frame, node->loop.iterable, &iterator, err)) return FLOW_ERROR;
    if (!enter_block(frame, err)) {
        iterator_release(&iterator);
        return FLOW_ERROR;
    }
    if (resumed) flow = run_block(frame, &node->loop.body, err);
    while (loop_goes_on(flow) && !iterator_done(&iterator)) {
        bool ok =
            iterator_next(&iterator, &item, err) && assign(frame, node->loop.target, &item, err);
        flow = ok ? run_in_order(frame, &node->loop.body, err) : FLOW_ERROR;
    }
    leave_block(frame);
    if (flow == FLOW_YIELD) {
        flow = resumption_keep_iterator(frame, &iterator, err);
        return flow == FLOW_YIELD ? resumption_keep(frame, value_bool(true), err) : flow;
    }
    bool ended = loop_goes_on(flow);
    if (!ended) flow = leave_generators(frame, &iterator.source, flow, err);
    iterator_release(&iterator);
    flow = flow_of_loop(flow);
    if (flow == FLOW_NEXT && frame->interp->notes) note_loop_change(frame, node);
    return ended ? run_loop_else(frame, &node->loop.otherwise, err) : flow;
}

static Flow run_while(Frame *frame, const Node *node, Error *err) {
    const NodeList *body = &node->while_loop.body, *otherwise = &node->while_loop.otherwise;
    Flow flow = FLOW_NEXT;
    if (is_resumed(frame)) {
        if (resumption_take(frame).kind == VALUE_NONE) return run_loop_else(frame, otherwise, err);
        flow = run_block(frame, body, err);
    }
    while (loop_goes_on(flow)) {
        bool truth;
        if (interrupted(err) || !eval_truth(frame, node->while_loop.condition, &truth, err))
            return FLOW_ERROR;
        if (!truth) return run_loop_else(frame, otherwise, err);
        flow = run_block(frame, body, err);
    }
    return flow == FLOW_YIELD ? resumption_keep(frame, value_bool(true), err) : flow_of_loop(flow);
}

/* ---- assert ---- */

/* "A.shape is (2, 3)", unless the value is written as its source is. */
static void write_side(Text *text, const Frame *frame, const Node *node, const Value *value) {
    enum { LONGEST = 120 };
    Quote quote = quote_node(frame, node);
    LocalText written = TEXT_EMPTY;
    value_write(&written, value, frame->interp->digits, true);
    if (strcmp(quote.text, written.data) != 0) {
        if (text->length) text_string(text, ", ");
        text_format(text, "%s is %.*s%s", quote.text, LONGEST, written.data,
                    written.length > LONGEST ? "…" : "");
    }
}

/* A comparison of two sides, whose values the error shows. */
static bool assert_comparison(Frame *frame, const Node *condition, Error *err) {
    LocalValue left = VALUE_MISSING, right = VALUE_MISSING, result = VALUE_MISSING;
    const NodeList *sides = &condition->compare.operands;
    bool truth;
    if (!eval(frame, sides->items[0], &left, err)) return false;
    if (!eval(frame, sides->items[1], &right, err) ||
        !value_compare(frame->interp, condition->compare.comparisons[0], &left, &right, &result,
                       err) ||
        !value_truth(&result, &truth, err))
        return place_error(frame, condition, err);
    if (truth) return true;
    LocalText text = TEXT_EMPTY;
    write_side(&text, frame, sides->items[0], &left);
    write_side(&text, frame, sides->items[1], &right);
    error_set(err, ERR_CHECK, "%s is not true%s%s", quote_node(frame, condition).text,
              text.length ? ": " : "", text.data);
    error_python(err, " ");
    return place_error(frame, condition, err);
}

static bool check_assertion(Frame *frame, const Node *node, Error *err) {
    const Node *condition = node->assertion.condition;
    bool truth;
    if (!node->assertion.message && condition->kind == NODE_COMPARE &&
        condition->compare.operands.count == 2)
        return assert_comparison(frame, condition, err);
    if (!eval_truth(frame, condition, &truth, err)) return false;
    if (truth) return true;
    if (node->assertion.message) {
        LocalValue message = VALUE_MISSING;
        LocalText text = TEXT_EMPTY;
        if (!eval(frame, node->assertion.message, &message, err)) return false;
        value_write(&text, &message, frame->interp->digits, false);
        error_set(err, ERR_CHECK, "%s", text.data);
    } else {
        error_set(err, ERR_CHECK, "%s is not true", quote_node(frame, condition).text);
        error_python(err, " ");
    }
    return place_error(frame, condition, err);
}

static bool run_assert(Frame *frame, const Node *node, Error *err) {
    TapeGap *gap = tape_set_gap(NULL); /* what is asserted is no part of the result */
    bool ok = check_assertion(frame, node, err);
    tape_set_gap(gap);
    return ok;
}

/* ---- try and raise ---- */

/* Sets *out to whether an `except` catches the error, by the class that stands there, or a tuple of
 * classes. *err is read; on a failure of its own it is written. */
static bool kind_catches(Frame *frame, const Handler *handler, int i, bool *out, Error *err) {
    const Node *node = handler->kinds.items[i];
    const Exception *exception = handler->exceptions[i];
    bool hidden = node->kind == NODE_NAME && name_place(frame, node)->kind == VALUE_CLASS;
    *out = exception && !hidden && exception_catches(exception, err);
    if (exception && !hidden) return true;
    Error own = {.kind = ERR_NONE};
    LocalValue kind = VALUE_MISSING;
    bool ok = eval(frame, node, &kind, &own);
    size_t count = ok && value_is_list(&kind) ? kind.list->count : 1;
    for (size_t k = 0; ok && k < count; k++) {
        const Value *class = value_is_list(&kind) ? &kind.list->items[k] : &kind;
        ok = class->kind == VALUE_CLASS && class->class->exception;
        if (ok && class_catches(frame->interp, class->class, err)) *out = true;
    }
    if (ok) return true;
    if (own.kind == ERR_NONE || own.kind == ERR_NAME) {
        error_set(&own, ERR_NAME, "%s is no kind of error", quote_node(frame, node).text);
        error_hint(&own, "syntax, name, shape, type, value, file, limit, plot, check; a class that "
                         "extends Exception; or `except:` alone");
        place_error(frame, node, &own);
    }
    *err = own;
    return false;
}

/* The handler that catches the error; NULL: none, or an error of its own, which is then *err. */
static const Handler *find_handler(Frame *frame, const Node *node, Error *err) {
    for (int i = 0; i < node->try_block.count; i++) {
        const Handler *handler = &node->try_block.handlers[i];
        bool catches = handler->kinds.count == 0;
        for (int k = 0; !catches && k < handler->kinds.count; k++)
            if (!kind_catches(frame, handler, k, &catches, err)) return NULL;
        if (catches) return handler;
    }
    return NULL;
}

/* *err is read; on a failure of its own it is written. */
static Flow run_handler(Frame *frame, const Handler *handler, Error *err) {
    Value caught = VALUE_MISSING;
    /* It becomes a value only where the block can ask for it. */
    bool ok = true, asked = handler->target || frame->chunk->raises_again;
    if (is_resumed(frame)) {
        caught = resumption_take(frame);
    } else {
        if (asked && !value_of_error(frame->interp, &caught, err)) return FLOW_ERROR;
        *err = (Error){.kind = ERR_NONE};
        if (handler->target) {
            Value named = value_ref(caught);
            ok = assign(frame, handler->target, &named, err);
        }
    }
    const Value *outer = frame->handled;
    frame->handled = &caught;
    Flow flow = ok ? run_block(frame, &handler->body, err) : FLOW_ERROR;
    frame->handled = outer;
    if (flow == FLOW_YIELD) return resumption_keep(frame, caught, err);
    drop(&caught);
    /* The name ends with the block, as in Python. */
    bool named = handler->target && frame->chunk->python &&
                 name_place(frame, handler->target)->kind != VALUE_UNSET;
    if (named && flow != FLOW_ERROR && !delete_target(frame, handler->target, err))
        flow = FLOW_ERROR;
    return flow;
}

/* `flow` and *err say how the rest of the try ended. As in Python, a return, a break or an error in
 * the block itself replaces them. */
static Flow run_finally(Frame *frame, const NodeList *block, Flow flow, Error *err) {
    if (flow != FLOW_ERROR) {
        Flow own = run_block(frame, block, err);
        return own == FLOW_NEXT ? flow : own;
    }
    if (err->kind == ERR_INTERRUPT) return flow; /* Ctrl-C stops all that runs */
    LocalValue pending = VALUE_MISSING;
    if (!value_of_error(frame->interp, &pending, err)) return FLOW_ERROR;
    *err = (Error){.kind = ERR_NONE};
    Flow own = run_block(frame, block, err);
    if (own != FLOW_NEXT) return own;
    raise_value(frame->interp, &pending, err);
    return flow;
}

enum { TRY_BODY, TRY_ELSE, TRY_HANDLER }; /* the part that runs; TRY_HANDLER + i: handler i */

static Flow run_try(Frame *frame, const Node *node, Error *err) {
    const NodeList *finally = &node->try_block.finally;
    const Handler *handler = NULL;
    Flow flow = FLOW_NEXT;
    int part = is_resumed(frame) ? (int)resumption_take(frame).number : TRY_BODY;
    if (part >= TRY_HANDLER) handler = &node->try_block.handlers[part - TRY_HANDLER];
    if (part == TRY_BODY) {
        flow = run_block(frame, &node->try_block.body, err);
        if (flow == FLOW_YIELD) return resumption_keep(frame, value_number(part), err);
        bool caught = flow == FLOW_ERROR && err->kind != ERR_INTERRUPT &&
                      (err->kind != ERR_EXIT || err->exception); /* SystemExit */
        if (caught) handler = find_handler(frame, node, err);
        if (flow != FLOW_ERROR) note_division_handler(frame, node);
        part = handler ? TRY_HANDLER + (int)(handler - node->try_block.handlers) : TRY_ELSE;
    }
    if (handler) flow = run_handler(frame, handler, err);
    else if (flow == FLOW_NEXT) flow = run_block(frame, &node->try_block.otherwise, err);
    if (flow == FLOW_YIELD) return resumption_keep(frame, value_number(part), err);
    return finally->count > 0 ? run_finally(frame, finally, flow, err) : flow;
}

static bool run_raise(Frame *frame, const Node *node, Error *err) {
    const Exception *exception = node->raise.exception;
    LocalValue value = VALUE_MISSING, cause = VALUE_MISSING;
    if (node->raise.value && !eval(frame, node->raise.value, &value, err)) return false;
    if (node->raise.cause && !eval(frame, node->raise.cause, &cause, err)) return false;
    if (exception) {
        LocalText message = TEXT_EMPTY;
        if (node->raise.value) value_write(&message, &value, frame->interp->digits, false);
        error_set(err, exception->kind, "%s", message.length ? message.data : exception->name);
    } else raise_value(frame->interp, node->raise.value ? &value : frame->handled, err);
    Value *raised = &frame->interp->raised;
    bool caused = cause.kind == VALUE_INSTANCE && err->raised && raised->kind == VALUE_INSTANCE;
    if (caused && shared_keep(raised->shared, NULL))
        fields_set(raised->record, frame->interp->specials[SPECIAL_CAUSE]->text, cause, NULL);
    return false;
}

/* ---- with ---- */

/* Ends what `with` began. *flow and *err say how its block ended; an error may be swallowed. */
static bool leave_with(Frame *frame, const Value *context, Flow *flow, Error *err) {
    const ObjectType *type = context->kind == VALUE_OBJECT ? context->object->type : NULL;
    if (type) return !type->leave || type->leave(context->object, err);
    LocalValue pending = VALUE_NOTHING, answer = VALUE_MISSING;
    bool failed = *flow == FLOW_ERROR, found, swallowed = false;
    if (failed && err->kind == ERR_INTERRUPT) return true;
    if (failed && !value_of_error(frame->interp, &pending, err)) return false;
    if (failed) *err = (Error){.kind = ERR_NONE};
    const Value class = {.kind = VALUE_CLASS, .class = failed ? class_of(&pending) : NULL};
    const Value arguments[] = {failed ? class : VALUE_NOTHING, pending, VALUE_NOTHING};
    if (!call_special(context, SPECIAL_EXIT, arguments, 3, &found, &answer, err) ||
        (found && !value_truth(&answer, &swallowed, err)))
        return false;
    if (failed && swallowed) *flow = FLOW_NEXT;
    if (*flow == FLOW_ERROR) raise_value(frame->interp, &pending, err);
    return true;
}

/* Begins the use of an object: *entered is the value of `as`. */
static bool enter_with(Frame *frame, const Node *node, const Value *context, Value *entered,
                       Error *err) {
    bool is_instance = context->kind == VALUE_INSTANCE, found;
    const ObjectType *type = context->kind == VALUE_OBJECT ? context->object->type : NULL;
    if (is_instance && class_special(class_of(context), SPECIAL_ENTER))
        return call_special(context, SPECIAL_ENTER, NULL, 0, &found, entered, err);
    if (type && type->leave) {
        *entered = value_ref(*context);
        return true;
    }
    error_set(err, ERR_TYPE, "with begins and ends the use of an object, and this is %s",
              value_words(context));
    error_python(err, "'%s' object does not support the context manager protocol",
                 value_type_name(context));
    if (is_instance)
        error_hint(err,
                   "Methods __enter__(self) and __exit__(self, kind, error, place) of %s do it.",
                   value_words(context));
    return place_error(frame, node->with.value, err);
}

static Flow run_with(Frame *frame, const Node *node, Error *err) {
    LocalValue context = VALUE_MISSING;
    Flow flow = FLOW_NEXT;
    if (is_resumed(frame)) {
        context = resumption_take(frame);
    } else {
        Value entered;
        if (!eval(frame, node->with.value, &context, err) ||
            !enter_with(frame, node, &context, &entered, err))
            return FLOW_ERROR;
        if (!node->with.target) drop(&entered);
        else if (!assign(frame, node->with.target, &entered, err)) flow = FLOW_ERROR;
    }
    if (flow == FLOW_NEXT) flow = run_block(frame, &node->with.body, err);
    if (flow == FLOW_YIELD) return resumption_keep(frame, value_ref(context), err);
    return leave_with(frame, &context, &flow, err) ? flow : FLOW_ERROR;
}

/* ---- all of them ---- */

/* An expression alone, whose value nobody sees. */
static bool run_expression(Frame *frame, const Node *node, Error *err) {
    const Node *expression = node->operand;
    Value value;
    bool ok;
    if (expression->kind == NODE_CALL && expression->call.grows &&
        append_in_place(frame, expression, &ok, err))
        return ok;
    if (!eval(frame, expression, &value, err)) return false;
    drop(&value);
    return true;
}

/* The same at the top level, where its value is shown. */
static bool show_expression(Frame *frame, const Node *node, Error *err) {
    const InterpHooks *hooks = &frame->interp->hooks;
    Value value;
    if (!eval_to_keep(frame, node->operand, &value, err)) return false;
    bool shown = hooks->show && !frame->chunk->python && !node->quiet;
    bool ok = !shown || value.kind == VALUE_NONE || hooks->show(hooks->context, &value, err);
    bool method = value.kind == VALUE_METHOD && value.method->parts[1].kind == VALUE_BUILTIN;
    if (ok && shown && (method || value.kind == VALUE_ITERATOR))
        note_shown(frame, node->operand, method);
    drop(&value);
    return ok;
}

/* Runs a statement by the function for its kind. An error has no place yet. */
static Flow run_by_kind(Frame *frame, const Node *node, Error *err) {
    Value function;
    bool ok;
    switch (node->kind) {
    case NODE_EXPRESSION: return flow_of(run_expression(frame, node, err));
    case NODE_ASSIGN: return run_assign(frame, node, err);
    case NODE_AUGMENTED: return flow_of(assign_augmented(frame, node, err));
    case NODE_IF: return run_if(frame, node, err);
    case NODE_FOR: return run_for(frame, node, err);
    case NODE_WHILE: return run_while(frame, node, err);
    case NODE_BREAK: return FLOW_BREAK;
    case NODE_CONTINUE: return FLOW_CONTINUE;
    case NODE_DEF:
        ok = make_function(frame, node->def.function, &function, err) &&
             value_if(apply_decorators(frame, &node->def.decorators, &function, err), &function) &&
             assign(frame, node->def.target, &function, err);
        return flow_of(ok);
    case NODE_CLASS: return flow_of(run_class(frame, node, err));
    case NODE_WITH: return run_with(frame, node, err);
    case NODE_RETURN: return run_return(frame, node, err);
    case NODE_YIELD:
    case NODE_YIELD_FROM: return run_yield(frame, node, NULL, err);
    case NODE_ASSERT: return flow_of(run_assert(frame, node, err));
    case NODE_TRY: return run_try(frame, node, err);
    case NODE_RAISE: return flow_of(run_raise(frame, node, err));
    case NODE_PASS:
    case NODE_SCOPE:
    case NODE_IMPORT: return FLOW_NEXT;
    case NODE_DEL:
        ok = true;
        for (int i = 0; ok && i < node->targets.count; i++)
            ok = delete_target(frame, node->targets.items[i], err);
        return flow_of(ok);
    case NODE_COMMAND: return flow_of(run_command(frame, node, err));
    default: return flow_of(error_set(err, ERR_SYNTAX, "this is no statement"));
    }
}

/* The error that was kept came before the one that ended the statement; but Ctrl-C and exit go on.
 */
static bool take_first(bool ok, Error *err) {
    return late_error &&
           take_late(!ok && (err->kind == ERR_INTERRUPT || err->kind == ERR_EXIT) ? NULL : err);
}

/* Gives the error of a statement the place of the statement where it has none. After Ctrl-C it is
 * the interrupt, which may have caused it: what was cut short is not what it should be. */
static bool end_in_error(Frame *frame, const Node *node, Error *err) {
    if (interrupt_flag && err && err->kind != ERR_INTERRUPT && err->kind != ERR_EXIT)
        interrupt_error(err);
    return place_error(frame, node, err);
}

/* Runs one statement. */
static Flow run_statement(Frame *frame, const Node *node, Error *err) {
    if (interrupted(err)) return FLOW_ERROR;
    if (values_made > values_tolerated) values_collect();
    Flow flow = run_by_kind(frame, node, err);
    if (take_first(flow != FLOW_ERROR, err)) flow = FLOW_ERROR;
    if (flow == FLOW_ERROR) end_in_error(frame, node, err);
    return flow;
}

/* The statements of a function with yield: a block keeps the index of the one that yields. */
static NOT_INLINED Flow run_by_parts(Frame *frame, const NodeList *statements, Error *err) {
    Flow flow = FLOW_NEXT;
    int i = is_resumed(frame) ? (int)resumption_take(frame).number : 0;
    for (; flow == FLOW_NEXT && i < statements->count; i++)
        flow = run_statement(frame, statements->items[i], err);
    return flow == FLOW_YIELD ? resumption_keep(frame, value_number(i - 1), err) : flow;
}

static inline Flow run_in_order(Frame *frame, const NodeList *statements, Error *err) {
    if (frame->resumption) return run_by_parts(frame, statements, err);
    Flow flow = FLOW_NEXT;
    for (int i = 0; flow == FLOW_NEXT && i < statements->count; i++)
        flow = run_statement(frame, statements->items[i], err);
    return flow;
}

Flow run_statements(Frame *frame, const NodeList *statements, Error *err) {
    return run_in_order(frame, statements, err);
}

bool run_top_statement(Frame *frame, const Node *node, Error *err) {
    if (node->kind != NODE_EXPRESSION) return run_statement(frame, node, err) != FLOW_ERROR;
    if (interrupted(err)) return false;
    bool ok = show_expression(frame, node, err);
    return (!take_first(ok, err) && ok) || end_in_error(frame, node, err);
}
