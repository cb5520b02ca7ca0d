#include "session/bench/embedding.h"

#include "session/bench/result_view.h"

#include <string.h>

enum { WIDTH = 8 };
static const char *const names[EMBEDDED] = {"X", "Y"};

static const Symbol *variable(const Session *session, const char *name) {
    const Symbol *symbol = interp_find(&session->interp, name);
    return symbol && symbol->value.kind != VALUE_UNSET ? symbol : NULL;
}

/* True while the variable holds what attend made. */
static bool is_made(const Session *session, size_t i) {
    const Symbol *symbol = variable(session, names[i]);
    const Tensor *made = session->bench.inputs.made[i];
    return made && symbol && symbol->value.kind == VALUE_TENSOR && symbol->value.tensor == made;
}

/* embed(tokens, width), as a person would call it. */
static bool embed(Session *session, Value tokens, size_t width, Value *out, Error *err) {
    const Symbol *symbol = interp_find(&session->interp, "embed");
    Value builtin = {.kind = VALUE_BUILTIN, .builtin = symbol->builtin};
    Value arguments[] = {tokens, value_number((double)width)};
    return interp_call(&session->interp, &builtin, arguments, 2, out, err);
}

static bool make_one(Session *session, size_t i, Value tokens, Error *err) {
    Tensor **made = &session->bench.inputs.made[i];
    Value vectors = VALUE_MISSING;
    bool ok = embed(session, tokens, WIDTH, &vectors, err) &&
              session_set_variable(session, names[i], &vectors, err);
    if (ok) {
        tensor_unref(*made);
        *made = tensor_ref(vectors.tensor);
    }
    value_release(&vectors);
    return ok;
}

/* Makes X, and Y for key tokens unless a person's Y is in the place. Sets *both to whether Y was
 * made. */
static bool make_all(Session *session, bool *both, Error *err) {
    const Settings *settings = &session->bench.settings;
    *both = settings->key_tokens.kind != VALUE_NONE &&
            (!variable(session, names[1]) || is_made(session, 1));
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

bool embedding_make(Session *session, Error *err) {
    bool both;
    if (!make_all(session, &both, err) || !use_made(session, both, err)) return false;
    if (both)
        host_note(session->interp.host,
                  "(X and Y = embed(tokens, %d): a vector for each token of "
                  "the queries, and of the keys)\n",
                  WIDTH);
    else
        host_note(session->interp.host, "(X = embed(tokens, %d): a vector for each token)\n",
                  WIDTH);
    return true;
}

/* ---- after the tokens changed ---- */

/* The person's vectors that the tokens now label: the X of the bench, or the one that a bare attend
 * would take. NULL: there are none, or they are what attend made. */
static const Symbol *labelled_vectors(const Session *session) {
    const Inputs *inputs = &session->bench.inputs;
    if (inputs->kind == INPUTS_QKV) return NULL;
    if (inputs->kind == INPUTS_X) {
        const Symbol *name = inputs->items[0].name;
        return name && name->value.kind == VALUE_TENSOR ? name : NULL;
    }
    bool all = variable(session, "Q") && variable(session, "K") && variable(session, "V");
    const Symbol *x = variable(session, names[0]);
    return !all && x && x->value.kind == VALUE_TENSOR ? x : NULL;
}

/* Are the vectors those of the tokens already, as after X = embed("the cat sat", 8)? */
static bool is_embedding(Session *session, const Tensor *vectors, bool *out, Error *err) {
    Value tokens = session->bench.settings.tokens, made = VALUE_MISSING;
    *out = false;
    if (vectors->shape.axes != 2 || vectors->shape.size[0] != tokens.list->count) return true;
    if (!embed(session, tokens, vectors->shape.size[1], &made, err)) return false;
    Value held = {.kind = VALUE_TENSOR, .tensor = (Tensor *)vectors};
    *out = value_equal(&held, &made);
    value_release(&made);
    return true;
}

/* Says that the labels are new and the vectors are not, with the line that makes new ones of the
 * tokens as they were typed. */
static bool note_old_vectors(Session *session, const CommandCall *call, Error *err) {
    const Symbol *symbol = labelled_vectors(session);
    const Tensor *vectors = symbol ? symbol->value.tensor : NULL;
    size_t length;
    const char *typed = command_argument_text(call, 1, &length);
    bool same;
    if (!vectors || vectors->shape.axes != 2) return true;
    if (!is_embedding(session, vectors, &same, err)) return false;
    if (!same)
        host_note(session->interp.host,
                  "(the labels are new, the vectors of %s are not; new ones: %s = embed(%.*s, "
                  "%zu))\n",
                  symbol->name, symbol->name, (int)length, typed, vectors->shape.size[1]);
    return true;
}

/* The same of Q, K and V, however they came from the old tokens. */
static void note_old_products(Session *session) {
    host_note(session->interp.host, "(the labels are new, Q, K and V are not: make them again)\n");
}

bool embedding_follow(Session *session, const CommandCall *call, bool labelled, Error *err) {
    Bench *bench = &session->bench;
    bool both, quiet = call->quiet;
    if (bench->settings.tokens.kind == VALUE_NONE) return true;
    bool products = labelled && !quiet && bench->inputs.kind == INPUTS_QKV;
    if (!is_made(session, 0)) {
        bool noted = quiet || (bench->run && note_labels(session, bench->run));
        if (products && !noted) note_old_products(session);
        return noted || note_old_vectors(session, call, err);
    }

    /* Inputs that the person named otherwise stay on the bench. */
    const Symbol *x = bench->inputs.items[0].name, *y = bench->inputs.items[1].name;
    bool own_keys = y || bench->inputs.items[1].tensor;
    bool made_keys = y && strcmp(y->name, names[1]) == 0 && is_made(session, 1);
    bool used = bench->inputs.kind == INPUTS_X && x && strcmp(x->name, names[0]) == 0 &&
                (!own_keys || made_keys);
    if (!make_all(session, &both, err)) return false;
    if (!quiet)
        host_note(session->interp.host,
                  "(%s = embed(tokens, %d), made again from the new tokens)\n",
                  both ? "X and Y" : "X", WIDTH);
    if (products) note_old_products(session);
    if (!used) return true;
    /* At a prompt the end of the entry answers the change, as that of any input. */
    return use_made(session, both, err) &&
           (session->interp.host->interactive || session_answer(session, "X", quiet, err));
}
