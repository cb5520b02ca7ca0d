#include "session/explain/place.h"

#include "view/label.h"

#include <math.h>
#include <string.h>

/* ---- by number ---- */

static bool numbered(const CommandCall *call, const char *what, double x, size_t count, size_t *out,
                     Error *err) {
    double from_start = x < 0 ? x + (double)count : x;
    if (x == floor(x) && from_start >= 0 && from_start < (double)count)
        return *out = (size_t)from_start, true;
    if (x != floor(x))
        error_set(err, ERR_VALUE, "a %s is a whole number or a token in quotes, not %g", what, x);
    else
        error_set(err, ERR_VALUE, "there is no %s %g: there %s %zu, counted from 0", what, x,
                  count == 1 ? "is" : "are", count);
    return command_error_at(call, call->next - 1, err);
}

/* ---- by token ---- */

static const char *plural(const char *what) {
    return strcmp(what, "query") == 0 ? "queries" : "keys";
}

static bool many(const char *what, const char *token, size_t first, size_t second, Error *err) {
    error_set(err, ERR_VALUE, "\"%.60s\" stands in more than one place: %s %zu and %zu among them",
              token, plural(what), first, second);
    return error_hint(err, "give its number");
}

static bool find_token(const char *what, Value tokens, const char *token, size_t *out, Error *err) {
    bool found = false;
    for (size_t i = 0; i < tokens.list->count; i++) {
        if (strcmp(tokens.list->items[i].string->data, token) != 0) continue;
        if (found) return many(what, token, *out, i, err);
        found = true;
        *out = i;
    }
    return found || error_set(err, ERR_VALUE, "no %s is \"%.60s\"", what, token);
}

static bool by_token(const CommandCall *call, const char *what, Value tokens, const char *token,
                     size_t *out, Error *err) {
    bool ok = tokens.kind != VALUE_NONE && find_token(what, tokens, token, out, err);
    if (tokens.kind == VALUE_NONE) {
        error_set(err, ERR_VALUE, "the %s have no tokens", plural(what));
        error_hint(err, "give a number, or first: set tokens \"the cat sat\"");
    }
    return ok || command_error_at(call, call->next - 1, err);
}

/* why cat sat: without quotes a token is a name, and nothing has it. */
static bool no_value(const CommandCall *call, Value tokens, Error *err) {
    if (!err || err->kind != ERR_NAME || tokens.kind == VALUE_NONE) return false;
    size_t length;
    const char *typed = command_argument_text(call, call->next - 1, &length);
    for (size_t i = 0; i < tokens.list->count; i++) {
        const String *token = tokens.list->items[i].string;
        if (token->length == length && memcmp(token->data, typed, length) == 0)
            return error_hint(err, "a token stands in quotes: \"%.60s\"", token->data);
    }
    return false;
}

bool place_argument(CommandCall *call, const char *what, Value tokens, size_t count, size_t *out,
                    Error *err) {
    Value value;
    if (!command_value(call, what, &value, err)) return no_value(call, tokens, err);
    bool ok = false;
    if (value.kind == VALUE_NUMBER) ok = numbered(call, what, value.number, count, out, err);
    else if (value.kind == VALUE_STRING)
        ok = by_token(call, what, tokens, value.string->data, out, err);
    else {
        error_set(err, ERR_TYPE, "a %s is a number or a token in quotes, not %s", what,
                  value_words(&value));
        command_error_at(call, call->next - 1, err);
    }
    value_release(&value);
    return ok;
}

bool head_argument(CommandCall *call, const Run *run, size_t *head, Error *err) {
    double x;
    if (!command_take(call, "head")) return true;
    if (!command_number(call, "the head", &x, err)) return false;
    if (x >= 0 && x < (double)run->heads && x == floor(x)) return *head = (size_t)x, true;
    error_set(err, ERR_VALUE, "there is no head %g: there %s %zu, counted from 0", x,
              run->heads == 1 ? "is" : "are", run->heads);
    return command_error_at(call, call->next - 1, err);
}

void place_write(Text *out, Value tokens, size_t place) {
    text_format(out, "%zu", place);
    if (tokens.kind == VALUE_NONE) return;
    const char *token = tokens.list->items[place].string->data,
               quote = strchr(token, '"') ? '\'' : '"';
    text_format(out, " %c", quote);
    label_clean(out, token);
    text_char(out, quote);
}
