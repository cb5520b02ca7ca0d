/* Notes on changes that are lost: of a loop's variable, of a parameter. Arrays are copied, so their
 * sources stay as they were; where nothing uses the name after the change, that was meant. */
#include "lang/eval/eval.h"

#include <string.h>

/* ---- names in a text ---- */

/* The first occurrence of the name as a word from `begin` to `end`, also in a string or in a
 * comment; NULL: none. */
static const char *find_word(const char *begin, const char *end, const Symbol *name) {
    for (const char *at = begin; at + name->length <= end; at++) {
        if (at > begin && is_word_byte(at[-1])) continue;
        if (memcmp(at, name->name, name->length) != 0) continue;
        if (at + name->length == end || !is_word_byte(at[name->length])) return at;
    }
    return NULL;
}

/* ---- what a block does with a name ---- */

typedef struct Trace {
    const char *text;
    const Symbol *name;
    const Node *change; /* the first statement that changes its value; NULL: none */
    bool used;          /* the changed value may be used, or the name is given another one */
    bool used_in_loop;  /* it was named in a loop, in which a change may have come before */
    int loops;          /* those around */
} Trace;

static void trace_text(Trace *trace, Span span) {
    const char *text = trace->text;
    if ((!trace->change && !trace->loops) || trace->used) return;
    if (!find_word(text + span.begin, text + span.end, trace->name)) return;
    if (trace->change) trace->used = true;
    else trace->used_in_loop = true;
}

static void trace_target(Trace *trace, const Node *target) {
    if (target->kind == NODE_TUPLE || target->kind == NODE_ARRAY)
        for (int i = 0; i < target->list.count; i++) trace_target(trace, target->list.items[i]);
    else if (target->kind == NODE_STAR) trace_target(trace, target->operand);
    else if (target->kind == NODE_NAME && target->name.symbol == trace->name) trace->used = true;
}

/* The name of which a statement changes a part: A of A[0] = 5, A.x = 5, A += 1, del A[0],
 * A.append(5). An assignment to the name itself is no change of its value. */
static const Node *changed_value(const Node *statement) {
    const Node *target = NULL;
    if (statement->kind == NODE_AUGMENTED) return node_root(statement->augmented.target);
    if (statement->kind == NODE_ASSIGN && statement->assign.targets.count == 1)
        target = statement->assign.targets.items[0];
    if (statement->kind == NODE_DEL && statement->targets.count == 1)
        target = statement->targets.items[0];
    if (statement->kind == NODE_EXPRESSION && statement->operand->kind == NODE_CALL) {
        target = statement->operand->call.callee;
        const Symbol *method = target->kind == NODE_ATTRIBUTE ? target->attribute.symbol : NULL;
        if (!method || !symbol_changes_receiver(method)) return NULL;
    }
    return target && target->kind != NODE_NAME ? node_root(target) : NULL;
}

static void trace_statement(Trace *trace, const Node *node);

static void trace_block(Trace *trace, const NodeList *block) {
    for (int i = 0; i < block->count && !trace->used; i++) trace_statement(trace, block->items[i]);
}

/* Blocks of a statement, from number `first` on. */
static void trace_blocks(Trace *trace, const Node *node, int first) {
    Block block;
    for (int i = first; (block = node_block(node, i)).statements; i++) {
        if (block.target) trace_target(trace, block.target);
        trace_block(trace, block.statements);
    }
}

/* condition: NULL for one that is not evaluated again. */
static void trace_loop(Trace *trace, const Node *loop, const Node *condition) {
    trace->loops++;
    if (condition) trace_text(trace, condition->span);
    trace_block(trace, node_block(loop, 0).statements);
    if (--trace->loops == 0) {
        if (trace->change && trace->used_in_loop) trace->used = true;
        trace->used_in_loop = false;
    }
    trace_blocks(trace, loop, 1);
}

static void trace_statement(Trace *trace, const Node *node) {
    const Node *changed = changed_value(node);
    if (changed && changed->kind == NODE_NAME && changed->name.symbol == trace->name) {
        if (!trace->change) trace->change = node;
        return;
    }
    switch (node->kind) {
    case NODE_IF:
        trace_text(trace, node->branch.condition->span);
        trace_blocks(trace, node, 0);
        break;
    case NODE_FOR:
        trace_text(trace, node->loop.iterable->span);
        trace_target(trace, node->loop.target);
        trace_loop(trace, node, NULL);
        break;
    case NODE_WHILE: trace_loop(trace, node, node->while_loop.condition); break;
    case NODE_TRY: trace_blocks(trace, node, 0); break;
    case NODE_ASSIGN:
        for (int i = 0; i < node->assign.targets.count; i++)
            trace_target(trace, node->assign.targets.items[i]);
        trace_text(trace, node->span);
        break;
    default: trace_text(trace, node->span);
    }
}

/* True if the block changes the value of the name, and nothing in it uses it afterwards. */
static bool change_is_lost(const Chunk *chunk, const NodeList *block, const Symbol *name) {
    Trace trace = {.text = chunk->text, .name = name};
    trace_block(&trace, block);
    return trace.change && !trace.used;
}

/* ---- loops ---- */

/* The source of the values that a loop gives a name, and how the note writes one of them. */
typedef struct Source {
    const Node *node; /* NULL: from what nobody else holds, or nobody knows */
    enum { SOURCE_NAMES, SOURCE_ELEMENTS, SOURCE_FIELDS } kind;
} Source;

static bool is_called(const Node *node, const char *name) {
    return node->kind == NODE_CALL && node->call.callee->kind == NODE_NAME &&
           node->call.count > 0 && strcmp(node->call.callee->name.symbol->name, name) == 0;
}

/* The receiver of a call of a method; NULL: it is none. */
static const Node *receiver_of(const Node *node, const char *method) {
    const Node *callee = node->kind == NODE_CALL ? node->call.callee : NULL;
    bool named =
        callee && callee->kind == NODE_ATTRIBUTE && strcmp(callee->attribute.name, method) == 0;
    return named ? callee->attribute.object : NULL;
}

/* for NAME in [W, b], in A, in d.values() */
static Source source_of_name(const Node *iterable) {
    const Node *record = receiver_of(iterable, "values");
    if (record && node_root(record)->kind == NODE_NAME) return (Source){record, SOURCE_FIELDS};
    if (node_root(iterable)->kind == NODE_NAME) return (Source){iterable, SOURCE_ELEMENTS};
    if (iterable->kind != NODE_ARRAY && iterable->kind != NODE_TUPLE) return (Source){0};
    for (int i = 0; i < iterable->list.count; i++)
        if (iterable->list.items[i]->kind != NODE_NAME) return (Source){0};
    return (Source){iterable->list.count ? iterable->list.items[0] : NULL, SOURCE_NAMES};
}

/* The same within a tuple: zip, enumerate, items. */
static Source source_of(const Node *target, const Node *iterable, const Symbol *name) {
    if (target->kind == NODE_NAME)
        return target->name.symbol == name ? source_of_name(iterable) : (Source){0};
    if (target->kind != NODE_TUPLE) return (Source){0};
    const NodeList *names = &target->list;
    const Node *record = receiver_of(iterable, "items"), *last = names->items[names->count - 1];
    if (record && last->kind == NODE_NAME && last->name.symbol == name)
        return node_root(record)->kind == NODE_NAME ? (Source){record, SOURCE_FIELDS} : (Source){0};
    if (is_called(iterable, "enumerate") && names->count == 2)
        return source_of(last, iterable->call.arguments[0].value, name);
    if (!is_called(iterable, "zip") || iterable->call.count != names->count) return (Source){0};
    for (int i = 0; i < names->count; i++) {
        Source source = source_of(names->items[i], iterable->call.arguments[i].value, name);
        if (source.node) return source;
    }
    return (Source){0};
}

/* The offset at which the last statement of a block ends. */
static size_t end_of(const NodeList *block) {
    const Node *last = block->items[block->count - 1];
    if (last->kind == NODE_FOR) return end_of(&last->loop.body);
    if (last->kind == NODE_WHILE) return end_of(&last->while_loop.body);
    if (last->kind == NODE_IF && last->branch.otherwise.count > 0)
        return end_of(&last->branch.otherwise);
    return last->span.end;
}

/* True if the name is used after the loop, before it is given another value. */
static bool used_after(const Frame *frame, const Node *loop, const Symbol *name) {
    const char *text = frame->chunk->text, *begin = text + end_of(&loop->loop.body);
    const char *end = text + (frame->code ? frame->code->span.end : frame->chunk->length);
    const char *found = begin < end ? find_word(begin, end, name) : NULL;
    if (!found) return false;
    bool next_loop = found - begin >= 4 && memcmp(found - 4, "for ", 4) == 0;
    const char *after = found + name->length;
    while (after < end && *after == ' ') after++;
    return !next_loop && !(after + 1 < end && after[0] == '=' && after[1] != '=');
}

static void note_loop_name(Frame *frame, const Node *loop, const Node *name) {
    const Symbol *symbol = name->name.symbol;
    const char *own = symbol->name;
    Source source = source_of(loop->loop.target, loop->loop.iterable, symbol);
    if (!source.node || !value_is_array(name_place(frame, name))) return;
    if (!change_is_lost(frame->chunk, &loop->loop.body, symbol) || used_after(frame, loop, symbol))
        return;
    if (!interp_first_in_session(frame->interp, "loop")) return;
    Quote from = quote_node(frame, source.node);
    LocalText cure = TEXT_EMPTY;
    switch (source.kind) {
    case SOURCE_NAMES: text_format(&cure, "write a line for each, with %s", from.text); break;
    case SOURCE_ELEMENTS:
        text_format(&cure, "write for i in range(len(%s)), and %s[i]", from.text, from.text);
        break;
    case SOURCE_FIELDS:
        text_format(&cure, "write for key in %s.keys(), and %s[key]", from.text, from.text);
    }
    host_note(frame->interp->host,
              "(a change of %s leaves %s as it is, since arrays are copied: %s for %s)", own,
              from.text, cure.data, own);
}

static void note_loop_target(Frame *frame, const Node *loop, const Node *target) {
    if (target->kind == NODE_NAME) note_loop_name(frame, loop, target);
    if (target->kind != NODE_TUPLE) return;
    for (int i = 0; i < target->list.count; i++)
        note_loop_target(frame, loop, target->list.items[i]);
}

void note_loop_change(Frame *frame, const Node *loop) {
    if (frame->chunk->module || frame->chunk->python) return; /* note_alias tells of it */
    note_loop_target(frame, loop, loop->loop.target);
}

/* ---- parameters ---- */

void note_parameter_change(Frame *frame) {
    if (frame->chunk->module || frame->chunk->python) return;
    const FunctionCode *code = frame->code;
    for (int i = 0; code->name && i < code->positional; i++) {
        const FunctionParameter *parameter = &code->parameters[i];
        if (parameter->fallback || !value_is_array(&frame->slots[parameter->slot])) continue;
        if (!change_is_lost(frame->chunk, &code->body, parameter->name)) continue;
        if (!interp_first_in_session(frame->interp, "parameter")) return;
        const char *own = parameter->name->name, *function = code->name->name;
        LocalText call = TEXT_EMPTY;
        text_format(&call, "%s = %s(", own, function);
        for (int k = 0; k < code->positional && !code->parameters[k].fallback; k++)
            text_format(&call, k ? ", %s" : "%s", code->parameters[k].name->name);
        host_note(frame->interp->host,
                  "(a change of %s in %s stays there, since arrays are copied: let %s return %s, "
                  "and write %s))",
                  own, function, function, own, call.data);
        return;
    }
}
