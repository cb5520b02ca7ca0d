/* X and Y, which attend makes from the tokens, and what tokens are beside vectors of a person's. */
#include "session/bench/attend.h"
#include "session/bench/result_view.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 8, FIRST_OF_QKV = 2 };
static const char *const names[KNOWN] = {"X", "Y", "Q", "K", "V"};

/* Remembers the array that a variable holds now as the one that attend made. */
static void remember(Session *session, size_t i) {
    const Symbol *symbol = session_variable(session, names[i]);
    Tensor **made = &session->bench.inputs.made[i];
    tensor_unref(*made);
    *made = symbol && symbol->value.kind == VALUE_TENSOR ? tensor_ref(symbol->value.tensor) : NULL;
}

/* True if the variable still holds the array that was remembered. */
static bool is_made(const Session *session, size_t i) {
    const Symbol *symbol = session_variable(session, names[i]);
    const Tensor *made = session->bench.inputs.made[i];
    return made && symbol && symbol->value.kind == VALUE_TENSOR && symbol->value.tensor == made;
}

/* True if the X (0), or the Y for the keys (1), to which the bench attends is one that attend made.
 */
static bool is_made_input(const Session *session, size_t i) {
    const Symbol *name = session->bench.inputs.items[i].name;
    return session->bench.inputs.kind == INPUTS_X && name && strcmp(name->name, names[i]) == 0 &&
           is_made(session, i);
}

/* A builtin of the tokens, as a person would call it: embed(tokens, width), tokens(text). */
static bool call_builtin(Session *session, const char *name, Value argument, size_t width,
                         Value *out, Error *err) {
    const Symbol *symbol = interp_find(&session->interp, name);
    Value builtin = {.kind = VALUE_BUILTIN, .builtin = symbol->builtin};
    Value arguments[] = {argument, value_number((double)width)};
    return interp_call(&session->interp, &builtin, arguments, width ? 2 : 1, out, err);
}

/* Appends embed(tokens("the cat sat"), 8); or embed(['the', 'cat sat'], 8) where tokens() would
 * split the text otherwise. */
static void write_embed(Session *session, Value list, Text *out) {
    Error ignored = {.kind = ERR_NONE};
    LocalText text = TEXT_FOR(out);
    LocalValue sentence = VALUE_MISSING, split = VALUE_MISSING;
    for (size_t i = 0; i < list.list->count; i++)
        text_format(&text, i ? " %s" : "%s", list.list->items[i].string->data);
    bool alike = !strpbrk(text.data, "\"\\") &&
                 value_string(&sentence, text.data, text.length, &ignored) &&
                 call_builtin(session, "tokens", sentence, 0, &split, &ignored) &&
                 value_equal(&split, &list);
    text_string(out, alike ? "embed(tokens(" : "embed(");
    if (alike) text_format(out, "\"%s\")", text.data);
    else value_write(out, &list, session->bench.settings.digits, true);
    text_format(out, ", %d)", WIDTH);
}

/* Appends how vectors of the tokens, and of the keys' own tokens behind `between`, are made. */
static void write_vectors(Session *session, const char *between, Text *out) {
    const Settings *settings = &session->bench.settings;
    write_embed(session, settings->tokens, out);
    if (!between || settings->key_tokens.kind == VALUE_NONE) return;
    text_string(out, between);
    write_embed(session, settings->key_tokens, out);
}

/* Notes `what` about tokens that only label rows, with the lines that help: attend to vectors of
 * the tokens, which are written so that they can be typed; or go without tokens. */
static void note_mere_labels(Session *session, const char *what) {
    LocalText made = TEXT_EMPTY;
    write_vectors(session, " from ", &made);
    host_note(session->interp.host,
              "(%s; vectors of the tokens: attend %s; without tokens: set tokens none)\n", what,
              made.data);
}

static bool note_misfit(Session *session, Value tokens, size_t count, const char *one,
                        const char *many) {
    if (tokens.kind == VALUE_NONE || tokens.list->count == count) return false;
    char what[120];
    snprintf(what, sizeof what, "%zu token%s for %zu %s: numbers are shown instead",
             tokens.list->count, tokens.list->count == 1 ? "" : "s", count,
             count == 1 ? one : many);
    note_mere_labels(session, what);
    return true;
}

bool note_labels(Session *session, const Run *run) {
    Value queries = session->bench.settings.tokens,
          keys = settings_key_tokens(&session->bench.settings);
    /* One query q over the tokens: it has no name among theirs. */
    if (run->queries == 1 && key_labels(session, run->keys).kind != VALUE_NONE) return false;
    bool noted = note_misfit(session, queries, run->queries, "query", "queries");
    bool same = run->keys == run->queries && session->bench.settings.key_tokens.kind == VALUE_NONE;
    if (noted && same) return true;
    return note_misfit(session, keys, run->keys, "key", "keys") || noted;
}

/* ---- making ---- */

static bool make_one(Session *session, size_t i, Value tokens, Error *err) {
    LocalValue vectors = VALUE_MISSING;
    bool ok = call_builtin(session, "embed", tokens, WIDTH, &vectors, err) &&
              session_set_variable(session, names[i], &vectors, err);
    if (ok) remember(session, i);
    return ok;
}

/* Makes X, and Y for key tokens unless Y is a person's. Sets *both to whether Y was made. */
static bool make_all(Session *session, bool *both, Error *err) {
    const Settings *settings = &session->bench.settings;
    *both = settings->key_tokens.kind != VALUE_NONE &&
            (!session_variable(session, names[1]) || is_made(session, 1));
    return make_one(session, 0, settings->tokens, err) &&
           (!*both || make_one(session, 1, settings->key_tokens, err));
}

/* Makes the inputs X, or X from Y. */
static bool use_made(Session *session, bool both, Error *err) {
    Inputs *inputs = &session->bench.inputs;
    for (size_t i = 0; i < INPUTS_MOST; i++) tensor_unref(inputs->items[i].tensor);
    memset(inputs->items, 0, sizeof inputs->items);
    inputs->kind = INPUTS_X;
    for (size_t i = 0; i < (both ? 2 : 1); i++) {
        inputs->items[i].name = interp_symbol(&session->interp, names[i], 1, err);
        if (!inputs->items[i].name) return false;
    }
    return true;
}

static void note_made(Session *session, bool both, const char *what) {
    LocalText made = TEXT_EMPTY;
    write_vectors(session, both ? ", Y = " : NULL, &made);
    host_note(session->interp.host, "(X = %s: %s)\n", made.data, what);
}

/* Says once a session that random numbers carry no meaning, and what does. */
static void note_random(Session *session, const char *what) {
    if (interp_first_in_session(&session->interp, what))
        host_note(
            session->interp.host,
            "(%s are random numbers and carry no meaning; what a model has learned does: "
            "inspect pronoun \"The animal didn't cross the street because it was too tired\")\n",
            what);
}

void embedding_note_positions(Session *session, const Settings *settings) {
    if (settings->position.kind == &learned_position) note_random(session, "learned positions");
}

bool embedding_make(Session *session, Error *err) {
    bool both;
    if (!make_all(session, &both, err) || !use_made(session, both, err)) return false;
    for (size_t i = FIRST_OF_QKV; i < KNOWN; i++) remember(session, i);
    session->bench.inputs.named = false;
    note_made(session, both, "a vector for each token");
    note_random(session, "these vectors");
    return true;
}

bool embedding_gives_way(const Session *session) {
    if (session->bench.inputs.named || !is_made_input(session, 0)) return false;
    for (size_t i = FIRST_OF_QKV; i < KNOWN; i++)
        if (!session_variable(session, names[i]) || is_made(session, i)) return false;
    return true;
}

/* ---- after the tokens changed ---- */

/* True if a bare attend takes Q, K and V. */
static bool takes_products(const Session *session) {
    InputKind kind = session->bench.inputs.kind;
    for (size_t i = FIRST_OF_QKV; i < KNOWN && kind == INPUTS_NONE; i++)
        if (!session_variable(session, names[i])) return false;
    return kind != INPUTS_X;
}

/* Says of a person's vectors, those of the bench or the X that a bare attend would take, that the
 * labels are new and the vectors are not, with the line that makes new ones of the tokens as they
 * were typed. */
static bool note_old_vectors(Session *session, const CommandCall *call, Error *err) {
    const Input *input = &session->bench.inputs.items[0];
    const Symbol *x = input->name ? input->name : session_variable(session, names[0]);
    Value tokens = session->bench.settings.tokens, held = {.kind = VALUE_TENSOR};
    held.tensor = input->tensor;
    if (!held.tensor && x && x->value.kind == VALUE_TENSOR) held.tensor = x->value.tensor;
    if (!held.tensor || held.tensor->shape.axes != 2) return true;
    size_t rows = held.tensor->shape.size[0], width = held.tensor->shape.size[1], length;
    LocalValue made = VALUE_MISSING;
    if (rows == tokens.list->count) {
        if (!call_builtin(session, "embed", tokens, width, &made, err)) return false;
        if (value_equal(&held, &made)) return true; /* they are X = embed("cat", 8) of the new */
    }
    const char *typed = command_argument_text(call, 1, &length);
    host_note(session->interp.host,
              "(the labels are new, the vectors are not; new ones: %s%s embed(%.*s, %zu))\n",
              input->tensor ? "attend" : x->name, input->tensor ? "" : " =", (int)length, typed,
              width);
    return true;
}

bool embedding_follow(Session *session, const CommandCall *call, bool labelled, Error *err) {
    Bench *bench = &session->bench;
    const Input *keys = &bench->inputs.items[1];
    bool both, quiet = call->quiet;
    if (bench->settings.tokens.kind == VALUE_NONE) return true;
    if (is_made(session, 0)) {
        /* Inputs that the person named otherwise stay on the bench. */
        bool own_keys = (keys->name || keys->tensor) && !is_made_input(session, 1);
        bool used = is_made_input(session, 0) && !own_keys;
        if (!make_all(session, &both, err)) return false;
        if (!quiet) note_made(session, both, "made again from the new tokens");
        /* The end of the entry answers the change at a prompt, as that of any input. */
        if (used)
            return use_made(session, both, err) && (session->interp.host->interactive ||
                                                    session_answer(session, "X", NULL, quiet, err));
    }
    if (quiet || (bench->run && note_labels(session, bench->run))) return true;
    if (!takes_products(session)) return note_old_vectors(session, call, err);
    if (labelled)
        note_mere_labels(session, "the labels are new, Q, K and V are not: make them again");
    else if (bench->run && interp_first_in_session(&session->interp, "labels"))
        note_mere_labels(session, "the tokens name the rows of Q, K and V, nothing else");
    return true;
}
