#include "session/bench/run_words.h"

#include "base/nearest.h"
#include "base/size.h"
#include "base/translate.h"
#include "engine/operators/compute.h"
#include "view/label.h"

#include <math.h>
#include <string.h>

/* ---- headings ---- */

/* True if the variable still holds the array that the run was given. */
static bool holds(const Symbol *symbol, const Tensor *given) {
    if (symbol->value.kind == VALUE_TENSOR && symbol->value.tensor == given) return true;
    Error ignored = {.kind = ERR_NONE};
    LocalTensor *now = value_as_tensor(&symbol->value, symbol->name, &ignored);
    Shape row = shape_2d(1, now ? now->count : 0); /* a run takes one query as one row */
    if (now && now->shape.axes == 1 && given->shape.axes == 2)
        now = compute_reshape(now, &row, &ignored);
    bool same = now && shape_equal(&now->shape, &given->shape);
    for (size_t i = 0; same && i < given->count; i++) {
        double x = tensor_get(now, i), y = tensor_get(given, i);
        same = x == y || (isnan(x) && isnan(y));
    }
    return same;
}

/* Appends what became of a variable: "del Q", "Q changed". given: NULL where there was none. */
static void write_if_changed(const Symbol *symbol, const Tensor *given, Text *out) {
    if (!symbol) return;
    bool gone = symbol->value.kind == VALUE_UNSET;
    if (gone ? given == NULL : given && holds(symbol, given)) return;
    if (out->length) text_string(out, ", ");
    if (gone) text_format(out, "del %s", symbol->name);
    else text_format(out, "%s changed", symbol->name);
}

void run_heading_write_stale(const Session *session, const Run *run, Text *out) {
    const Bench *bench = &session->bench;
    LocalText changes = TEXT_FOR(out);
    if (run != bench->run) return;
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (!row->steers_attention || setting_equal(row, &bench->ran_with, &bench->settings))
            continue;
        text_format(&changes, "%sset %s ", changes.length ? "; " : "", row->name);
        setting_write_short(row, &bench->settings, &changes);
    }
    bool misfit = changes.length > 0; /* a setting that fits is followed at once */
    if (!misfit) {
        const AttentionGiven *given = &run->given;
        const AttentionWeights *weights = &given->weights;
        const Tensor *arrays[INPUTS_MOST] = {given->q, given->k, given->v},
                     *projections[] = {weights->q, weights->k, weights->v, weights->o};
        for (size_t i = 0; i < INPUTS_MOST; i++)
            write_if_changed(bench->inputs.items[i].name, arrays[i], &changes);
        for (size_t i = 0; bench->inputs.kind == INPUTS_X && i < 4; i++)
            write_if_changed(interp_find(&session->interp, projection_names[i]), projections[i],
                             &changes);
        for (int t = 0; t < bench->settings.mask.count && t < given->spec.mask.count; t++)
            write_if_changed(bench->settings.mask_names[t], given->spec.mask.terms[t].array,
                             &changes);
    }
    if (changes.length)
        text_format(out, " (before %s%s)", changes.data,
                    misfit ? "; these settings do not fit" : "");
}

void run_heading_write(const Session *session, const Run *run, Text *out) {
    text_format(out, "%s: %s", run->names, run->settings);
    run_heading_write_stale(session, run, out);
}

void run_heading_write_if_stale(const Session *session, const Run *run, Text *out) {
    LocalText heading = TEXT_EMPTY, stale = TEXT_FOR(&heading);
    run_heading_write_origin(session, run, out);
    run_heading_write_stale(session, run, &stale);
    const Run *head = session->bench.head;
    bool of_head = run->origin.what && head && run->given.q == head->given.q;
    if (stale.length || (of_head && strcmp(run->settings, head->settings) != 0))
        run_heading_write(session, run, &heading);
    text_say_lines(out, &heading, session_columns(session));
}

bool name_is_of_other_model(const Session *session, const char *name, const Model *model) {
    const Symbol *symbol = interp_find(&session->interp, name);
    return symbol && symbol->value.kind != VALUE_UNSET && model_of(&symbol->value) != model;
}

void run_heading_write_inputs(const Session *session, const Run *run, Text *out) {
    const RunOrigin *origin = &run->origin;
    if (!origin->model) {
        text_string(out, origin->what ? origin->what : run->names);
        return;
    }
    const Model *model = (const Model *)origin->model;
    bool is_other = name_is_of_other_model(session, origin->name, model);
    bool is_stale = model_transformer(model)->parameters.block != origin->parameters;
    text_format(out, "%s %s%s%s%s", origin->what, is_other ? "another " : "", origin->name,
                is_stale ? " before it changed" : "", origin->run);
}

void run_heading_write_settings(const Session *session, const Run *run, Text *title) {
    if (run->origin.what) {
        text_string(title, ", ");
        run_heading_write_inputs(session, run, title);
    }
    text_format(title, "%s %s", run->origin.what ? ";" : ":", run->settings);
    run_heading_write_stale(session, run, title);
}

void run_heading_write_origin(const Session *session, const Run *run, Text *out) {
    LocalText line = TEXT_FOR(out);
    if (!run->origin.what) return;
    run_heading_write_inputs(session, run, &line);
    text_say_lines(out, &line, session_columns(session));
}

/* ---- queries, keys and heads ---- */

bool is_index(double x, size_t count, size_t *out) {
    if (!(x >= 0 && x < (double)count && x == floor(x))) return false;
    *out = (size_t)x;
    return true;
}

/* The rows that a token in quotes names: those of this label, or, of labels as "cat → likes", where
 * it is said, or else where it was read; or of "␣cat", without its blank or with it. Returns how
 * many; places has the first two. */
static size_t places_of_token(Value tokens, const char *token, size_t length, size_t places[2]) {
    static const char blank[] = "␣";
    enum { WHOLE, SAID, READ, UNSPACED };
    size_t found = 0;
    for (int part = WHOLE; found == 0 && part <= UNSPACED; part++) {
        if (part == UNSPACED && *token == ' ') token++, length--;
        for (size_t i = 0; i < tokens.list->count && found < 2; i++) {
            const char *label = tokens.list->items[i].string->data,
                       *arrow = strstr(label, LABEL_ARROW), *end = label + strlen(label);
            if (part == UNSPACED && strncmp(label, blank, strlen(blank)) == 0)
                label += strlen(blank);
            else if (part != WHOLE && !arrow) continue;
            if (part == SAID) label = arrow + strlen(LABEL_ARROW);
            if (part == READ) end = arrow;
            if ((size_t)(end - label) == length && memcmp(label, token, length) == 0)
                places[found++] = i;
        }
    }
    return found;
}

void place_hint_at_quotes(const CommandCall *call, Value tokens, Error *err) {
    size_t length, places[2];
    if (err->kind != ERR_NAME || tokens.kind == VALUE_NONE) return;
    const char *typed = command_argument_text(call, call->next - 1, &length);
    if (places_of_token(tokens, typed, length, places) > 0)
        error_hint(err, "a token is written in quotes: \"%.*s\"", (int)smaller(length, 60), typed);
}

/* Reports that no token is the one that was asked for, and which there are. Returns false. */
static bool no_such_token(Value tokens, const char *what, const char *token, Error *err) {
    enum { BYTES_SHOWN = 200 };
    LocalText some = TEXT_EMPTY;
    Nearest nearest;
    nearest_begin(&nearest, token, strlen(token));
    for (size_t i = 0; i < tokens.list->count && some.length < BYTES_SHOWN; i++) {
        const char *label = tokens.list->items[i].string->data;
        nearest_offer(&nearest, label);
        text_char(&some, ' ');
        label_clean(&some, label);
    }
    if (some.length >= BYTES_SHOWN) text_string(&some, " …");
    error_set(err, ERR_VALUE, "no %s is \"%.60s\"", what, token);
    if (nearest.found) return error_hint(err, "Did you mean \"%s\"?", nearest.found);
    return error_hint(err, "The tokens are:%s", some.data ? some.data : "");
}

bool place_of_value(const Value *value, const char *what, Value tokens, size_t count, size_t *out,
                    Error *err) {
    if (value->kind != VALUE_BOOL && value_is_scalar(value)) {
        double x = value_scalar(value);
        if (x != floor(x))
            return error_set(err, ERR_VALUE,
                             "a %s is a whole number or a token in quotes, not %.15g", what, x);
        return is_index(x < 0 ? x + (double)count : x, count, out) ||
               error_set(err, ERR_VALUE, "there is no %s %.15g: there %s %zu, counted from 0", what,
                         x, count == 1 ? "is" : "are", count);
    }
    if (value->kind != VALUE_STRING)
        return error_set(err, ERR_TYPE, "a %s is a number or a token in quotes, not %s", what,
                         value_words(value));

    const char *token = value->string->data, *several = strcmp(what, "query") == 0 ? "queries"
                                                        : strcmp(what, "key") == 0 ? "keys"
                                                                                   : "places";
    size_t places[2];
    if (tokens.kind == VALUE_NONE) {
        error_set(err, ERR_VALUE, "the %s have no tokens", several);
        return error_hint(err, "give a number, or first: set tokens \"the cat sat\"");
    }
    size_t found = places_of_token(tokens, token, strlen(token), places);
    if (found == 0) return no_such_token(tokens, what, token, err);
    *out = places[0];
    if (found == 1) return true;
    error_set(err, ERR_VALUE, "\"%.60s\" is in more than one place: %s %zu and %zu among them",
              token, several, places[0], places[1]);
    return error_hint(err, "give its number");
}

bool place_argument(CommandCall *call, const char *what, Value tokens, size_t count, size_t *out,
                    Error *err) {
    LocalValue value = VALUE_MISSING;
    if (!command_value(call, what, &value, err)) {
        place_hint_at_quotes(call, tokens, err);
        return false;
    }
    return place_of_value(&value, what, tokens, count, out, err) || command_error_last(call, err);
}

bool head_argument(CommandCall *call, const Run *run, size_t *head, Error *err) {
    double x;
    if (!command_take(call, "head")) return true;
    if (!command_number(call, "the head", &x, err)) return false;
    return is_index(x, run->heads, head) || no_such_head(x, run->heads, err) ||
           command_error_last(call, err);
}

bool no_such_head(double head, size_t heads, Error *err) {
    return error_set(err, ERR_VALUE, "there is no head %.15g: there %s %zu, counted from 0", head,
                     heads == 1 ? "is" : "are", heads);
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
