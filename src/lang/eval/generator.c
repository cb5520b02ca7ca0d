/* Generators: iterators whose code stops where it has given an element, and goes on from there. */
#include "base/interrupt.h"
#include "lang/eval/eval.h"
#include "lang/exception.h"

/* ---- generator expressions ---- */

bool make_generator(Frame *frame, const Node *node, Value *out, Error *err) {
    FunctionCode *code = node->comprehension.generator;
    const Node *iterable = node->comprehension.fors[0].iterable;
    const int levels = node->comprehension.count;
    LocalValue source = VALUE_MISSING;
    if (!eval(frame, iterable, &source, err) ||
        !value_list_new(out, VALUE_ITERATOR, (size_t)(2 + levels + code->slot_count), err))
        return false;
    IteratorState *state = (IteratorState *)out->list;
    Value *parts = out->list->items, *slots = parts + 2 + levels;
    state->interp = frame->interp;
    state->role = ITERATOR_GENERATOR;
    out->list->count = out->list->capacity;
    parts[1] = value_number(0);
    bool ok = value_iterator(&source, &parts[2], err) || place_error(frame, iterable, err);
    ok = ok && make_function(frame, code, &parts[0], err);
    for (int i = 0; ok && i < code->capture_count; i++)
        slots[code->captures[i].to] = value_ref(parts[0].function->captured[i]);
    if (ok) ok = make_cells(slots, code->cells, code->cell_count, err);
    if (ok) parts[0].function->code->comprehension = node;
    return value_if(ok, out);
}

bool generator_next(IteratorState *state, bool *ended, Value *out, Error *err) {
    Value *parts = state->list.items;
    LocalValue function = value_ref(parts[0]);
    const FunctionCode *code = function.function->code;
    const Node *node = code->comprehension;
    const int levels = node->comprehension.count;
    Frame frame = frame_of_body(state->interp, function.function->chunk, code, parts + 2 + levels);
    int level = (int)parts[1].number;
    bool ok = !state->thrown || raise_value(state->interp, state->thrown, err), given = false;
    while (ok && !given && level >= 0) {
        const ComprehensionFor *part = &node->comprehension.fors[level];
        bool done, wanted = true;
        Value value;
        ok = !interrupted(err) && value_next(&parts[2 + level], &done, &value, err);
        if (!ok) break;
        if (done) {
            drop(&parts[2 + level--]);
            continue;
        }
        ok = assign(&frame, part->target, &value, err);
        for (int i = 0; ok && wanted && i < part->conditions.count; i++)
            ok = eval_truth(&frame, part->conditions.items[i], &wanted, err);
        if (!ok || !wanted) continue;
        if (level == levels - 1) {
            ok = given = eval(&frame, node->comprehension.element, out, err);
        } else if ((ok = eval(&frame, part[1].iterable, &value, err))) {
            ok = value_iterator(&value, &parts[2 + ++level], err) ||
                 place_error(&frame, part[1].iterable, err);
            drop(&value);
        }
    }
    parts[1].number = level;
    *ended = ok && !given;
    return ok;
}

/* ---- functions with yield ---- */

bool generator_new(Interp *interp, Function *function, Value *slots, Value *out, Error *err) {
    enum { KEPT_FEW = 16 };
    const size_t count = (size_t)function->code->slot_count;
    if (!value_list_new(out, VALUE_ITERATOR, 1 + count + KEPT_FEW, err)) return false;
    IteratorState *state = (IteratorState *)out->list;
    const Value callee = {.kind = VALUE_FUNCTION, .function = function};
    state->interp = interp;
    state->role = ITERATOR_FUNCTION;
    state->list.items[0] = value_ref(callee);
    for (size_t i = 0; i < count; i++) {
        state->list.items[1 + i] = slots[i];
        slots[i] = VALUE_MISSING;
    }
    state->list.count = 1 + count;
    return true;
}

/* Keeps a value where the list is full. The items may move, and with them the slots, which a
 * handler still needs if a later value finds no room. */
static NOT_INLINED Flow keep_in_new_room(Frame *frame, Value taken, Error *err) {
    List *kept = frame->resumption->kept;
    bool ok = list_append(kept, taken, err);
    drop(&taken);
    frame->slots = kept->items + 1;
    return ok ? FLOW_YIELD : FLOW_ERROR;
}

Flow resumption_keep(Frame *frame, Value taken, Error *err) {
    List *kept = frame->resumption->kept;
    if (kept->count == kept->capacity) return keep_in_new_room(frame, taken, err);
    kept->items[kept->count++] = taken;
    return FLOW_YIELD;
}

Flow resumption_keep_iterator(Frame *frame, Iterator *taken, Error *err) {
    const Value parts[] = {taken->source,
                           taken->ahead,
                           value_number((double)taken->index),
                           value_number((double)taken->count),
                           value_number(taken->start),
                           value_number(taken->step),
                           value_number(taken->part),
                           value_bool(taken->indexed)};
    Flow flow = FLOW_YIELD;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Value part = parts[i];
        if (flow == FLOW_YIELD) flow = resumption_keep(frame, part, err);
        else drop(&part);
    }
    return flow;
}

Iterator resumption_take_iterator(Frame *frame) {
    Iterator iterator;
    iterator.indexed = resumption_take(frame).boolean;
    iterator.part = (char)resumption_take(frame).number;
    iterator.step = resumption_take(frame).number;
    iterator.start = resumption_take(frame).number;
    iterator.count = (size_t)resumption_take(frame).number;
    iterator.index = (size_t)resumption_take(frame).number;
    iterator.ahead = resumption_take(frame);
    iterator.source = resumption_take(frame);
    return iterator;
}

bool generator_begun(const IteratorState *state) {
    const List *list = &state->list;
    return state->role != ITERATOR_FUNCTION || state->runs || list->count == 0 ||
           list->count > 1 + (size_t)list->items[0].function->code->slot_count;
}

bool generator_resume(Interp *interp, const Value *iterator, const Value *sent, const Value *thrown,
                      Value *returned, bool *ended, Value *out, Error *err) {
    IteratorState *state =
        iterator->kind == VALUE_ITERATOR ? (IteratorState *)iterator->list : NULL;
    const bool generator = state && state->list.count > 0 && state->role >= ITERATOR_GENERATOR;
    if (thrown && !generator) return raise_value(interp, thrown, err);
    if (sent && sent->kind != VALUE_NONE && !generator) {
        error_set(err, ERR_NAME, "%s takes nothing that is sent: only a generator does",
                  value_words(iterator));
        error_python(err, "'%s' object has no attribute 'send'", value_type_name(iterator));
        return error_mark(err, "AttributeError");
    }
    if (!generator || state->runs) return value_next(iterator, ended, out, err);
    state->sent = sent;
    state->thrown = thrown;
    state->returned = returned;
    bool ok = value_next(iterator, ended, out, err);
    state->sent = state->thrown = state->returned = NULL;
    return ok;
}

bool generator_close(Interp *interp, const Value *generator, Error *err) {
    LocalValue class = VALUE_MISSING, given = VALUE_MISSING;
    Error own = {.kind = ERR_NONE};
    bool ended = false;
    if (!exception_class(interp, exception_find("GeneratorExit"), &class, err)) return false;
    if (!generator_resume(interp, generator, NULL, &class, NULL, &ended, &given, &own)) {
        if (error_is(&own, "GeneratorExit")) return true;
        *err = own;
        return false;
    }
    if (ended) return true;
    error_set(err, ERR_VALUE, "the generator yields where it is to end");
    error_python(err, "generator ignored GeneratorExit");
    return error_mark(err, "RuntimeError");
}

/* yield from, which hands what is sent or thrown on to a generator. */
static Flow run_yield_from(Frame *frame, const Node *node, bool resumed, Value *returned,
                           Error *err) {
    const Value *sent = NULL, *thrown = NULL;
    Value iterator = VALUE_MISSING;
    bool ended;
    if (resumed) {
        iterator = resumption_take(frame);
        sent = frame->resumption->sent;
        thrown = frame->resumption->thrown;
    } else {
        LocalValue source = VALUE_MISSING;
        if (!eval(frame, node->operand, &source, err)) return FLOW_ERROR;
        if (!value_iterator(&source, &iterator, err)) {
            place_error(frame, node->operand, err);
            return FLOW_ERROR;
        }
    }
    bool ok = generator_resume(frame->interp, &iterator, sent, thrown, returned, &ended,
                               &frame->result, err);
    if (ok && !ended) return resumption_keep(frame, iterator, err);
    drop(&iterator);
    if (ok && thrown && thrown->kind == VALUE_CLASS &&
        thrown->class->exception == exception_find("GeneratorExit"))
        ok = raise_value(frame->interp, thrown, err); /* the outer one is to end, too */
    if (!ok && returned) drop(returned);
    return ok ? FLOW_NEXT : FLOW_ERROR;
}

Flow run_yield(Frame *frame, const Node *node, Value *out, Error *err) {
    Resumption *resumption = frame->resumption;
    const bool resumed = resumption->resumes;
    resumption->resumes = false;
    drop(&frame->result); /* of a yield that an error followed */
    if (out) *out = VALUE_NOTHING;
    if (node->kind == NODE_YIELD_FROM) return run_yield_from(frame, node, resumed, out, err);
    if (resumed && !resumption->thrown) {
        if (out && resumption->sent) *out = value_ref(*resumption->sent);
        return FLOW_NEXT;
    }
    bool ok = true;
    if (resumed) ok = raise_value(frame->interp, resumption->thrown, err);
    else if (node->operand) ok = eval(frame, node->operand, &frame->result, err);
    else frame->result = VALUE_NOTHING;
    return ok ? FLOW_YIELD : FLOW_ERROR;
}

bool generator_function_next(IteratorState *state, bool *ended, Value *out, Error *err) {
    List *list = &state->list;
    Interp *interp = state->interp;
    if (interp->rewriting && interp_leaves_out(interp, err)) return false;
    LocalValue callee = value_ref(list->items[0]);
    const Function *function = callee.function;
    const bool begun = list->count > 1 + (size_t)function->code->slot_count;
    if (!begun && state->thrown) return raise_value(interp, state->thrown, err);
    Resumption resumption = {
        .kept = list, .resumes = begun, .sent = state->sent, .thrown = state->thrown};
    Frame frame = frame_of_body(interp, function->chunk, function->code, list->items + 1);
    frame.caller = interp->running;
    frame.resumption = &resumption;
    interp->running = &frame;
    Flow flow = run_statements(&frame, &function->code->body, err);
    interp->running = frame.caller;
    *ended = flow != FLOW_YIELD && flow != FLOW_ERROR;
    if (flow == FLOW_YIELD) *out = frame.result;
    else if (flow == FLOW_RETURN && state->returned) *state->returned = frame.result;
    else drop(&frame.result);
    if (flow == FLOW_ERROR && error_is(err, "StopIteration"))
        /* whoever asks for an element would take it for the end */
        return error_python(err, "generator raised StopIteration") ||
               error_mark(err, "RuntimeError");
    return flow != FLOW_ERROR;
}
