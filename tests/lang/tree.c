#include "tests/lang/tree.h"

#include "base/memory.h"
#include "lang/exception.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const CommandSyntax settings[] = {
    {.name = "temperature", .expression = true},
    {.name = "mask", .words = "none causal window padding segments and"},
    {.name = "position", .words = "none sinusoidal relative rope"},
    {.name = "tokens", .words = "from", .expression = true},
    {.name = NULL},
};

static const CommandSyntax commands[] = {
    {.name = "plot", .words = "weights scores entropy heads head to as text", .expression = true},
    {.name = "set", .sub = settings},
    {.name = "compare", .words = "against", .sub = settings},
    {.name = "attend", .words = "from"},
    {.name = "trace", .words = "head"},
    {.name = "sweep", .words = "temperature scale"},
    {.name = "train", .words = "on for steps rate", .is_function = true},
    {.name = "entropy", .is_function = true, .shows = true},
    {.name = "weights", .shows = true},
    {.name = "scores", .shows = true},
    {.name = "help", .words = "if for while"},
    {.name = NULL},
};

static void write_node(Text *out, const Node *node);

static void write_list(Text *out, NodeList list) {
    for (int i = 0; i < list.count; i++) {
        text_char(out, ' ');
        write_node(out, list.items[i]);
    }
}

static void write_block(Text *out, NodeList list) {
    text_string(out, " {");
    for (int i = 0; i < list.count; i++) {
        if (i) text_char(out, ' ');
        write_node(out, list.items[i]);
    }
    text_char(out, '}');
}

static void write_maybe(Text *out, const Node *node) {
    text_char(out, ' ');
    if (node) write_node(out, node);
    else text_char(out, '_');
}

static void write_form(Text *out, const char *head, NodeList list) {
    text_format(out, "(%s", head);
    write_list(out, list);
    text_char(out, ')');
}

static void write_two(Text *out, const char *head, const Node *a, const Node *b) {
    text_format(out, "(%s", head);
    write_maybe(out, a);
    if (b) write_maybe(out, b);
    text_char(out, ')');
}

static void write_name(Text *out, const Symbol *symbol, int slot) {
    text_string(out, symbol->name);
    if (slot >= 0) text_format(out, "#%d", slot);
}

static void write_function(Text *out, const FunctionCode *code) {
    for (int i = 0; i < code->parameter_count; i++) {
        text_char(out, ' ');
        write_name(out, code->parameters[i].name, code->parameters[i].slot);
        if (!code->parameters[i].fallback) continue;
        text_char(out, '=');
        write_node(out, code->parameters[i].fallback);
    }
    for (int i = 0; i < code->capture_count; i++)
        text_format(out, " %d->%d", code->captures[i].from, code->captures[i].to);
    for (int i = 0; i < code->cell_count; i++) text_format(out, " cell:%d", code->cells[i]);
    write_block(out, code->body);
}

static void write_compare(Text *out, const Node *node) {
    static const char *const signs[] = {"==", "!=", "<",      "<=", ">",
                                        ">=", "in", "not-in", "is", "is-not"};
    text_string(out, "(cmp ");
    for (int i = 0; i < node->compare.operands.count; i++) {
        if (i) text_format(out, " %s ", signs[node->compare.comparisons[i - 1]]);
        write_node(out, node->compare.operands.items[i]);
    }
    text_char(out, ')');
}

static void write_fstring(Text *out, const Node *node) {
    text_string(out, "(f");
    for (int i = 0; i < node->fstring.count; i++) {
        const FStringPart *part = &node->fstring.parts[i];
        text_char(out, ' ');
        if (part->text) text_format(out, "'%.*s'", (int)part->length, part->text);
        if (!part->value) continue;
        text_char(out, '{');
        write_node(out, part->value);
        if (part->debug) text_char(out, '=');
        if (part->conversion) text_format(out, "!%c", part->conversion);
        if (part->spec) {
            text_char(out, ':');
            write_node(out, part->spec);
        }
        text_char(out, '}');
    }
    text_char(out, ')');
}

static void write_call(Text *out, const Node *node) {
    text_string(out, "(call ");
    write_node(out, node->call.callee);
    for (int i = 0; i < node->call.count; i++) {
        text_char(out, ' ');
        if (node->call.arguments[i].keyword)
            text_format(out, "%s=", node->call.arguments[i].keyword);
        write_node(out, node->call.arguments[i].value);
    }
    text_char(out, ')');
}

static void write_comprehension(Text *out, const Node *node) {
    text_string(out, "(comp ");
    write_node(out, node->comprehension.element);
    for (int i = 0; i < node->comprehension.count; i++) {
        const ComprehensionFor *part = &node->comprehension.fors[i];
        write_two(out, "for", part->target, part->iterable);
        if (part->conditions.count) write_form(out, "if", part->conditions);
    }
    text_char(out, ')');
}

static void write_command(Text *out, const Node *node) {
    text_format(out, "(%s", node->command.name);
    for (int i = 0; i < node->command.count; i++) {
        const CommandArgument *argument = &node->command.arguments[i];
        text_char(out, ' ');
        if (argument->word) text_format(out, "%s:", argument->word);
        else write_node(out, argument->value);
    }
    text_char(out, ')');
}

/* A block that may be missing. */
static void write_clause(Text *out, const char *word, NodeList block) {
    if (block.count) text_format(out, " %s", word);
    if (block.count) write_block(out, block);
}

static void write_try(Text *out, const Node *node) {
    text_string(out, "(try");
    write_block(out, node->try_block.body);
    for (int i = 0; i < node->try_block.count; i++) {
        const Handler *handler = &node->try_block.handlers[i];
        text_string(out, handler->kinds.count ? "" : " *");
        for (int k = 0; k < handler->kinds.count; k++) write_maybe(out, handler->kinds.items[k]);
        if (handler->target) write_maybe(out, handler->target);
        write_block(out, handler->body);
    }
    write_clause(out, "else", node->try_block.otherwise);
    write_clause(out, "finally", node->try_block.finally);
    text_char(out, ')');
}

static void write_record(Text *out, const Node *node) {
    text_string(out, "(record");
    for (int i = 0; i < node->record.count; i++) {
        if (node->record.keys[i]) write_maybe(out, node->record.keys[i]);
        write_maybe(out, node->record.values[i]);
    }
    text_char(out, ')');
}

static void write_raise(Text *out, const Node *node) {
    text_string(out, "(raise");
    if (node->raise.exception) text_format(out, " %s", node->raise.exception->name);
    if (node->raise.value) write_maybe(out, node->raise.value);
    text_char(out, ')');
}

static void write_constant(Text *out, const Value *value) {
    if (value->kind == VALUE_STRING) text_format(out, "'%s'", value->string->data);
    else if (value->kind == VALUE_BOOL) text_string(out, value->boolean ? "True" : "False");
    else text_string(out, "None");
}

static void write_kind(Text *out, const Node *node) {
    char head[40];
    switch (node->kind) {
    case NODE_NUMBER: text_format(out, "%g", node->number); break;
    case NODE_STRING:
    case NODE_CONSTANT: write_constant(out, &node->constant); break;
    case NODE_NAME: write_name(out, node->name.symbol, node->name.slot); break;
    case NODE_FSTRING: write_fstring(out, node); break;
    case NODE_ARRAY: write_form(out, "array", node->list); break;
    case NODE_TUPLE: write_form(out, "tuple", node->list); break;
    case NODE_SET: write_form(out, "set", node->list); break;
    case NODE_UNARY: write_two(out, op_name(node->op), node->operand, NULL); break;
    case NODE_PLUS: write_two(out, "plus", node->operand, NULL); break;
    case NODE_NOT: write_two(out, "not", node->operand, NULL); break;
    case NODE_STAR: write_two(out, "star", node->operand, NULL); break;
    case NODE_DOUBLE_STAR: write_two(out, "stars", node->operand, NULL); break;
    case NODE_RECORD: write_record(out, node); break;
    case NODE_BINARY:
        write_two(out, op_name(node->op), node->binary.left, node->binary.right);
        break;
    case NODE_AND: write_two(out, "&&", node->binary.left, node->binary.right); break;
    case NODE_OR: write_two(out, "||", node->binary.left, node->binary.right); break;
    case NODE_COMPARE: write_compare(out, node); break;
    case NODE_CONDITIONAL:
        text_string(out, "(?");
        write_maybe(out, node->conditional.condition);
        write_maybe(out, node->conditional.then);
        write_maybe(out, node->conditional.otherwise);
        text_char(out, ')');
        break;
    case NODE_CALL: write_call(out, node); break;
    case NODE_INDEX:
        text_string(out, "(index ");
        write_node(out, node->index.object);
        write_list(out, node->index.items);
        text_char(out, ')');
        break;
    case NODE_ATTRIBUTE:
        text_string(out, "(. ");
        write_node(out, node->attribute.object);
        text_format(out, " %s)", node->attribute.name);
        break;
    case NODE_SLICE:
        text_string(out, "(slice");
        write_maybe(out, node->slice.start);
        write_maybe(out, node->slice.stop);
        write_maybe(out, node->slice.step);
        text_char(out, ')');
        break;
    case NODE_ELLIPSIS: text_string(out, "..."); break;
    case NODE_LAMBDA:
        text_string(out, "(lambda");
        write_function(out, node->function);
        text_char(out, ')');
        break;
    case NODE_COMPREHENSION: write_comprehension(out, node); break;
    case NODE_EXPRESSION: write_node(out, node->operand); break;
    case NODE_ASSIGN:
        text_string(out, "(=");
        write_list(out, node->assign.targets);
        write_maybe(out, node->assign.value);
        text_char(out, ')');
        break;
    case NODE_SCOPE:
        text_string(out, node->scope.global ? "(global" : "(nonlocal");
        write_list(out, node->scope.names);
        text_char(out, ')');
        break;
    case NODE_AUGMENTED:
        snprintf(head, sizeof head, "%s=", op_name(node->op));
        write_two(out, head, node->augmented.target, node->augmented.value);
        break;
    case NODE_NAMED: write_two(out, ":=", node->named.target, node->named.value); break;
    case NODE_IF:
        text_string(out, "(if");
        write_maybe(out, node->branch.condition);
        write_block(out, node->branch.then);
        if (node->branch.otherwise.count) write_block(out, node->branch.otherwise);
        text_char(out, ')');
        break;
    case NODE_FOR:
        text_string(out, "(for");
        write_maybe(out, node->loop.target);
        write_maybe(out, node->loop.iterable);
        write_block(out, node->loop.body);
        write_clause(out, "else", node->loop.otherwise);
        text_char(out, ')');
        break;
    case NODE_WHILE:
        text_string(out, "(while");
        write_maybe(out, node->while_loop.condition);
        write_block(out, node->while_loop.body);
        write_clause(out, "else", node->while_loop.otherwise);
        text_char(out, ')');
        break;
    case NODE_BREAK: text_string(out, "(break)"); break;
    case NODE_CONTINUE: text_string(out, "(continue)"); break;
    case NODE_PASS: text_string(out, "(pass)"); break;
    case NODE_MODULE:
    case NODE_IMPORT: text_string(out, "(import)"); break;
    case NODE_CLASS:
        text_string(out, "(class ");
        write_node(out, node->class.target);
        write_list(out, node->class.bases);
        write_block(out, node->class.body->body);
        text_char(out, ')');
        break;
    case NODE_WITH:
        text_string(out, "(with");
        write_maybe(out, node->with.value);
        if (node->with.target) write_maybe(out, node->with.target);
        write_block(out, node->with.body);
        text_char(out, ')');
        break;
    case NODE_DEF:
        text_string(out, "(def ");
        write_node(out, node->def.target);
        write_function(out, node->def.function);
        text_char(out, ')');
        break;
    case NODE_RETURN: write_two(out, "return", node->operand, NULL); break;
    case NODE_YIELD: write_two(out, "yield", node->operand, NULL); break;
    case NODE_YIELD_FROM: write_two(out, "yield from", node->operand, NULL); break;
    case NODE_ASSERT:
        write_two(out, "assert", node->assertion.condition, node->assertion.message);
        break;
    case NODE_TRY: write_try(out, node); break;
    case NODE_RAISE: write_raise(out, node); break;
    case NODE_DEL: write_form(out, "del", node->targets); break;
    case NODE_COMMAND: write_command(out, node); break;
    }
}

static void write_node(Text *out, const Node *node) {
    write_kind(out, node);
    if (node->quiet) text_char(out, ';');
}

static void write_chunk(Parsed *result, const Chunk *chunk) {
    Text out;
    text_init(&out);
    for (int i = 0; i < chunk->statements.count; i++) {
        if (i) text_string(&out, " | ");
        if (out.length < sizeof result->tree) write_node(&out, chunk->statements.items[i]);
    }
    snprintf(result->tree, sizeof result->tree, "%s", out.data);
    text_clear(&out);
    for (int i = 0; i < chunk->entry_count; i++)
        text_format(&out, i ? " %d" : "%d", chunk->entries[i].count);
    snprintf(result->entries, sizeof result->entries, "%s", out.data);
    text_release(&out);
    result->used_full_width = chunk->used_full_width;
    result->slot_count = chunk->slot_count;
}

const Parsed *parsed(const char *text, size_t length, bool lines_follow) {
    static Parsed result;
    static const BuiltinDef *const no_tables[] = {NULL};
    Host host = {.columns = 80};
    InterpHooks hooks = {.commands = commands};
    Interp interp;
    Chunk *chunk = NULL;
    size_t before = mem_used();
    memset(&result, 0, sizeof result);
    ck_assert(interp_init(&interp, &host, no_tables, &hooks, &result.err));
    result.status = parse(&interp, "", text, length, lines_follow, &chunk, &result.err);
    if (result.status == PARSE_OK) write_chunk(&result, chunk);
    else ck_assert_ptr_null(chunk);
    chunk_unref(chunk);
    interp_release(&interp);
    ck_assert_uint_eq(mem_used(), before);
    return &result;
}

const char *tree_of(const char *text) {
    const Parsed *result = parsed(text, strlen(text), false);
    ck_assert_msg(result->status == PARSE_OK, "%s: %s (%s)", text, result->err.message,
                  result->err.hint);
    return result->tree;
}
