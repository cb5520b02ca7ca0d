/* Runs a command, and takes its arguments from left to right. */
#include "base/number.h"
#include "lang/eval/eval.h"
#include "lang/remedy.h"
#include "lang/token.h"

#include <string.h>

/* A command and what reads its arguments take more of the stack than a statement. */
enum { COMMAND_LEVELS = 4 };

bool run_command(Frame *frame, const Node *node, Error *err) {
    const InterpHooks *hooks = &frame->interp->hooks;
    CommandCall call = {.interp = frame->interp,
                        .frame = frame,
                        .node = node,
                        .quiet = node->quiet,
                        .top_level = frame->blocks == 0};
    if (!hooks->run_command) return error_set(err, ERR_SYNTAX, "there are no commands here");
    frame->interp->depth += COMMAND_LEVELS;
    bool ok = hooks->run_command(hooks->context, &call, err);
    frame->interp->depth -= COMMAND_LEVELS;
    return ok;
}

/* ---- words ---- */

bool command_at_end(const CommandCall *call) { return call->next >= call->node->command.count; }

static const CommandArgument *next_argument(const CommandCall *call) {
    return command_at_end(call) ? NULL : &call->node->command.arguments[call->next];
}

static const char *next_word(const CommandCall *call) {
    const CommandArgument *argument = next_argument(call);
    return argument ? argument->word : NULL;
}

bool command_next_is(const CommandCall *call, const char *word) {
    const char *next = next_word(call);
    return next && strcmp(next, word) == 0;
}

bool command_take(CommandCall *call, const char *word) {
    if (!command_next_is(call, word)) return false;
    call->next++;
    return true;
}

bool command_next_is_word(const CommandCall *call) { return next_word(call) != NULL; }

const char *command_take_word(CommandCall *call) {
    const char *word = next_word(call);
    call->next += word != NULL;
    return word;
}

const char *command_argument_name(const CommandCall *call, int index) {
    if (index < 0 || index >= call->node->command.count) return NULL;
    const CommandArgument *argument = &call->node->command.arguments[index];
    if (argument->word) return argument->word;
    bool name = argument->value->kind == NODE_NAME && !argument->value->parenthesised;
    return name ? argument->value->name.symbol->name : NULL;
}

const char *command_take_name(CommandCall *call) {
    const char *name = command_argument_name(call, call->next);
    call->next += name != NULL;
    return name;
}

/* ---- the text and place of an argument ---- */

bool command_error_at(const CommandCall *call, int index, Error *err) {
    if (index < 0 || index >= call->node->command.count)
        return place_error(call->frame, call->node, err);
    return place_span(call->frame, call->node->command.arguments[index].span, err);
}

const char *command_argument_text(const CommandCall *call, int index, size_t *length) {
    Span span = call->node->command.arguments[index].span;
    *length = span.end - span.begin;
    return call->frame->chunk->text + span.begin;
}

/* ---- values ---- */

/* False if what a name without a value is near to, or has as its counterpart, is a function: lens
 * layer 1 means no layernorm. */
static bool means_value(const CommandCall *call, const char *name) {
    const char *here = foreign_word(FOREIGN_NAMES, name),
               *near = interp_nearest(call->interp, name, NULL), *own = call->node->command.name;
    const CommandSyntax *row = command_find(call->interp->hooks.commands, own, strlen(own));
    if (here) return strchr(here, '[') || strchr(here, ' ');
    const Symbol *symbol = near ? interp_find(call->interp, near) : NULL;
    return !near || command_has_word(row, near, strlen(near)) ||
           (symbol && !value_is_function(&symbol->value) &&
            !(symbol->builtin && symbol->builtin->call) &&
            !command_find(call->interp->hooks.commands, near, strlen(near)));
}

bool command_value(CommandCall *call, const char *what, Value *out, Error *err) {
    const CommandArgument *argument = next_argument(call);
    if (!argument) {
        size_t end = call->node->span.end;
        error_set(err, ERR_SYNTAX, "%s is missing", what);
        return place_span(call->frame, (Span){end, end}, err);
    }
    int index = call->next++;
    if (!argument->value) {
        error_set(err, ERR_SYNTAX, "%s is missing: %s is a word of the command itself", what,
                  argument->word);
        if (leading_word(argument->word) > 0)
            error_hint(err, "In parentheses it is the variable: (%s).", argument->word);
        return command_error_at(call, index, err);
    }
    if (eval(call->frame, argument->value, out, err)) return true;
    const char *name = command_argument_name(call, index);
    if (name && err && err->kind == ERR_NAME && !means_value(call, name)) *err->hint = '\0';
    return command_error_at(call, index, err);
}

bool command_number(CommandCall *call, const char *what, double *out, Error *err) {
    LocalValue value = VALUE_MISSING;
    return command_value(call, what, &value, err) &&
           (value_plain_number(&value, what, out, err) || command_error_last(call, err));
}

bool command_text(CommandCall *call, const char *what, Value *out, Error *err) {
    const int at = call->next, count = call->node->command.count;
    if (command_value(call, what, out, err)) return true;
    if (err->kind != ERR_NAME || at >= count) return false;
    /* w.png or the cat sat, without quotes, was read as variables. */
    const CommandArgument *arguments = call->node->command.arguments;
    int last = at;
    while (last + 1 < count && !arguments[last + 1].word) last++;
    if (*err->hint && last == at && command_argument_name(call, at)) return false;
    const char *text = call->frame->chunk->text + arguments[at].span.begin;
    const size_t length = arguments[last].span.end - arguments[at].span.begin;
    if (length <= 60 && strcspn(text, "\"([{=") >= length)
        error_hint(err, "Put it in quotes: \"%.*s\"", (int)length, text);
    return false;
}

bool command_string(CommandCall *call, const char *what, Value *out, Error *err) {
    if (!command_text(call, what, out, err)) return false;
    if (out->kind == VALUE_STRING) return true;
    error_set(err, ERR_TYPE, "%s must be a string, not %s", what, value_words(out));
    error_hint(err, "Put it in quotes.");
    drop(out);
    return command_error_last(call, err);
}

bool command_finish(CommandCall *call, Error *err) {
    size_t length;
    if (command_at_end(call)) return true;
    const char *text = command_argument_text(call, call->next, &length);
    error_set(err, ERR_SYNTAX, "%s does not take %.*s%s here", call->node->command.name,
              (int)(length > 60 ? 60 : length), text, length > 60 ? "…" : "");
    return command_error_at(call, call->next, err);
}

/* ---- numbers within an argument ---- */

static void write_numbers(const CommandCall *call, const Node *node, Text *out) {
    const Value *value = node && node->kind == NODE_NAME ? name_place(call->frame, node) : NULL;
    if (value && value->kind == VALUE_NUMBER) { /* ", t = 0.5", unless the text has it already */
        LocalText words = TEXT_FOR(out);
        text_format(&words, ", %s = ", node->name.symbol->name);
        number_write(&words, value->number, call->interp->digits);
        if (!strstr(out->data, words.data)) text_string(out, words.data);
    }
    if (!node) return;
    const NodeList *list = NULL;
    switch (node->kind) {
    case NODE_UNARY:
    case NODE_PLUS:
    case NODE_NOT: write_numbers(call, node->operand, out); break;
    case NODE_BINARY:
    case NODE_AND:
    case NODE_OR:
        write_numbers(call, node->binary.left, out);
        write_numbers(call, node->binary.right, out);
        break;
    case NODE_COMPARE: list = &node->compare.operands; break;
    case NODE_ARRAY:
    case NODE_TUPLE: list = &node->list; break;
    case NODE_CALL:
        for (int i = 0; i < node->call.count; i++)
            write_numbers(call, node->call.arguments[i].value, out);
        break;
    case NODE_INDEX:
        write_numbers(call, node->index.object, out);
        list = &node->index.items;
        break;
    default: break;
    }
    for (int i = 0; list && i < list->count; i++) write_numbers(call, list->items[i], out);
}

void command_write_numbers(const CommandCall *call, int index, Text *out) {
    write_numbers(call, call->node->command.arguments[index].value, out);
}
