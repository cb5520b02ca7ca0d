#include "lang/eval/eval.h"

#include <string.h>

/* ---- running ---- */

bool run_command(Frame *frame, const Node *node, Error *err) {
    const InterpHooks *hooks = &frame->interp->hooks;
    CommandCall call = {.interp = frame->interp,
                        .frame = frame,
                        .node = node,
                        .quiet = node->quiet,
                        .top_level = frame->blocks == 0};
    if (!hooks->run_command) return error_set(err, ERR_SYNTAX, "there are no commands here");
    return hooks->run_command(hooks->context, &call, err);
}

/* ---- arguments, from left to right ---- */

static const CommandArgument *next_argument(const CommandCall *call) {
    return command_at_end(call) ? NULL : &call->node->command.arguments[call->next];
}

bool command_at_end(const CommandCall *call) { return call->next >= call->node->command.count; }

bool command_next_is(const CommandCall *call, const char *word) {
    const CommandArgument *argument = next_argument(call);
    return argument && argument->kind == ARGUMENT_WORD && strcmp(argument->word, word) == 0;
}

bool command_take(CommandCall *call, const char *word) {
    if (!command_next_is(call, word)) return false;
    call->next++;
    return true;
}

const char *command_take_word(CommandCall *call) {
    const CommandArgument *argument = next_argument(call);
    if (!argument || argument->kind != ARGUMENT_WORD) return NULL;
    call->next++;
    return argument->word;
}

const char *command_take_name(CommandCall *call) {
    const CommandArgument *argument = next_argument(call);
    if (!argument) return NULL;
    bool name = argument->kind == ARGUMENT_VALUE && argument->value->kind == NODE_NAME &&
                !argument->value->parenthesised;
    if (argument->kind != ARGUMENT_WORD && !name) return NULL;
    call->next++;
    return name ? argument->value->name.symbol->name : argument->word;
}

static bool is_missing(const CommandCall *call, const char *what, Error *err) {
    error_set(err, ERR_SYNTAX, "%s is missing", what);
    Span end = {call->node->span.end, call->node->span.end};
    return place_span(call->frame, end, err);
}

/* Only the word itself stands there, and it is no value. */
static bool is_word(CommandCall *call, const char *what, const char *word, Error *err) {
    call->next++;
    error_set(err, ERR_SYNTAX, "%s is missing: %s is a word of the command itself", what, word);
    error_hint(err, "In parentheses it is the variable: (%s).", word);
    return command_error_at(call, call->next - 1, err);
}

bool command_value(CommandCall *call, const char *what, Value *out, Error *err) {
    const CommandArgument *argument = next_argument(call);
    if (!argument) return is_missing(call, what, err);
    if (!argument->value) return is_word(call, what, argument->word, err);
    call->next++;
    return eval(call->frame, argument->value, out, err) ||
           command_error_at(call, call->next - 1, err);
}

bool command_number(CommandCall *call, const char *what, double *out, Error *err) {
    Value value;
    if (!command_value(call, what, &value, err)) return false;
    bool ok = value_is_scalar(&value);
    if (ok) ok = value_plain_number(&value, what, out, err);
    else error_set(err, ERR_TYPE, "%s must be a number, not %s", what, value_words(&value));
    if (!ok) command_error_at(call, call->next - 1, err);
    drop(&value);
    return ok;
}

/* w.png without quotes was read as a variable. */
static bool quotes_missing(const CommandCall *call, int at, Error *err) {
    size_t length;
    if (at >= call->node->command.count) return false;
    const char *text = command_argument_text(call, at, &length);
    return length > 60 ? false : error_hint(err, "put it in quotes: \"%.*s\"", (int)length, text);
}

bool command_string(CommandCall *call, const char *what, Value *out, Error *err) {
    int at = call->next;
    if (!command_value(call, what, out, err))
        return err->kind == ERR_NAME ? quotes_missing(call, at, err) : false;
    if (out->kind == VALUE_STRING) return true;
    error_set(err, ERR_TYPE, "%s must be a string, not %s", what, value_words(out));
    error_hint(err, "Put it in quotes.");
    drop(out);
    return command_error_at(call, call->next - 1, err);
}

bool command_finish(CommandCall *call, Error *err) {
    size_t length;
    if (command_at_end(call)) return true;
    const char *text = command_argument_text(call, call->next, &length);
    error_set(err, ERR_SYNTAX, "%s does not take %.*s%s here", call->node->command.name,
              (int)(length > 60 ? 60 : length), text, length > 60 ? "…" : "");
    return command_error_at(call, call->next, err);
}

/* ---- places ---- */

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
