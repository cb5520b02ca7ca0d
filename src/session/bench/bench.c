#include "session/bench/bench.h"

#include "base/memory.h"
#include "engine/operators/compute.h"
#include "session/session.h"

#include <string.h>

/* ---- inputs ---- */

void inputs_release(Inputs *inputs) {
    for (size_t i = 0; i < INPUTS_MOST; i++) tensor_unref(inputs->items[i].tensor);
    for (size_t i = 0; i < KNOWN; i++) tensor_unref(inputs->made[i]);
    *inputs = (Inputs){.kind = INPUTS_NONE};
}

void inputs_copy(Inputs *out, const Inputs *inputs) {
    *out = *inputs;
    for (size_t i = 0; i < INPUTS_MOST; i++)
        if (out->items[i].tensor) tensor_ref(out->items[i].tensor);
    for (size_t i = 0; i < KNOWN; i++)
        if (out->made[i]) tensor_ref(out->made[i]);
}

bool inputs_equal(const Inputs *a, const Inputs *b) {
    for (size_t i = 0; i < INPUTS_MOST; i++)
        if (a->items[i].name != b->items[i].name || a->items[i].tensor != b->items[i].tensor)
            return false;
    for (size_t i = 0; i < KNOWN; i++)
        if (a->made[i] != b->made[i]) return false;
    return a->kind == b->kind;
}

const char *const projection_names[] = {"Wq", "Wk", "Wv", "Wo"};

void inputs_replace(Inputs *inputs, Inputs *taken) {
    memcpy(taken->made, inputs->made, sizeof taken->made);
    memset(inputs->made, 0, sizeof inputs->made);
    inputs_release(inputs);
    *inputs = *taken;
}

bool inputs_use(const Inputs *inputs, const Symbol *symbol) {
    for (size_t i = 0; i < INPUTS_MOST; i++)
        if (inputs->items[i].name == symbol) return true;
    for (size_t i = 0; inputs->kind == INPUTS_X && i < 4; i++)
        if (strcmp(symbol->name, projection_names[i]) == 0) return true;
    return false;
}

static const char *input_name(const Input *input, const char *fallback) {
    return input->name ? input->name->name : fallback;
}

/* The matrix of an input: a new reference. role: what it is called where it has no name.
 * one_query: NULL, or set to whether it is a vector, which is then the only row. */
static Tensor *input_matrix(const Input *input, const char *role, bool *one_query, Error *err) {
    const char *name = input_name(input, role);
    Tensor *matrix = NULL;
    if (input->tensor) {
        matrix = tensor_ref(input->tensor);
    } else if (input->name->value.kind == VALUE_UNSET) {
        error_set(err, ERR_NAME, "%s is not defined", name);
        error_hint(err, "define it first, for example: %s = randn(4, 8)", name);
    } else {
        matrix = value_as_tensor(&input->name->value, name, err);
    }
    if (matrix && one_query && matrix->shape.axes == 1 && matrix->count > 0) {
        Shape row = shape_2d(1, matrix->count);
        matrix = compute_reshape(matrix, &row, err);
        *one_query = true;
    }
    if (!matrix || (matrix->shape.axes == 2 && matrix->count > 0)) return matrix;

    int axes = matrix->shape.axes;
    const char *kind = axes == 1 ? "a vector of " : "";
    if (matrix->count == 0) kind = "empty: ";
    error_set(err, ERR_SHAPE, "%s must be a matrix with a row for each token, but it is %s%s", name,
              kind, shape_words(&matrix->shape));
    if (matrix->count > 0 && axes == 3)
        error_hint(
            err,
            "Attend to one sample at a time, here %s[0]; attention(Q, K, V) takes all at once.",
            name);
    tensor_unref(matrix);
    return NULL;
}

/* Finds Wq, Wk, Wv and Wo: new references, NULL for those that do not exist. */
static bool projection_weights(Session *session, AttentionWeights *weights, Error *err) {
    Tensor **slots[] = {&weights->q, &weights->k, &weights->v, &weights->o};
    *weights = (AttentionWeights){NULL, NULL, NULL, NULL};
    for (size_t i = 0; i < 4; i++) {
        const Symbol *symbol = session_variable(session, projection_names[i]);
        if (!symbol) continue;
        *slots[i] = value_as_tensor(&symbol->value, projection_names[i], err);
        if (!*slots[i]) return false;
    }
    return true;
}

/* ---- the whole bench ---- */

enum { OBJECTS = sizeof((Bench *)NULL)->objects / sizeof(Object *) };

void bench_init(Bench *bench) {
    *bench = (Bench){.inputs = {.kind = INPUTS_NONE}};
    settings_init(&bench->settings);
}

void bench_copy(Bench *out, const Bench *bench) {
    settings_copy(&out->settings, &bench->settings);
    inputs_copy(&out->inputs, &bench->inputs);
    for (size_t i = 0; i < OBJECTS; i++) out->objects[i] = object_ref(bench->objects[i]);
}

void bench_release(Bench *bench) {
    settings_release(&bench->settings);
    inputs_release(&bench->inputs);
    for (size_t i = 0; i < OBJECTS; i++) {
        object_unref(bench->objects[i]);
        bench->objects[i] = NULL;
    }
}

bool bench_equal(const Bench *a, const Bench *b) {
    for (size_t i = 0; i < OBJECTS; i++)
        if (a->objects[i] != b->objects[i]) return false;
    return settings_equal(&a->settings, &b->settings) && inputs_equal(&a->inputs, &b->inputs);
}

size_t bench_bytes(const Bench *bench, const Bench *other) {
    size_t bytes = 0;
    for (size_t i = 0; i < OBJECTS; i++) {
        const Object *object = bench->objects[i];
        if (object && object != other->objects[i])
            bytes += object->type->bytes(object, other->objects[i]);
    }
    return bytes;
}

/* ---- running ---- */

/* The inputs' matrices, with the projections that X meets, as attention takes them. Appends their
 * names and shapes: "Q 3×4 K 5×4 V 5×2", "X 3×8 from Y 5×8". Sets *one_query if the queries are a
 * vector: there are keys of their own then. */
static bool give_inputs(Session *session, const Inputs *inputs, const Settings *settings,
                        AttentionGiven *given, bool *one_query, Text *names, Error *err) {
    static const char *const roles[][INPUTS_MOST] = {
        [INPUTS_QKV] = {"Q", "K", "V"}, [INPUTS_X] = {"X", "Y"}};
    const Input *items = inputs->items;
    const char *const *role = roles[inputs->kind];
    bool qkv = inputs->kind == INPUTS_QKV;
    size_t count = 0;
    while (count < INPUTS_MOST && (items[count].name || items[count].tensor)) count++;

    AttentionSpec spec;
    AttentionWeights weights = {NULL, NULL, NULL, NULL};
    Tensor *matrices[3] = {NULL, NULL, NULL};
    if (!settings_spec(settings, &spec, err)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        matrices[i] = input_matrix(&items[i], role[i], i == 0 && count > 1 ? one_query : NULL, err);
        ok = matrices[i] != NULL;
    }
    ok = ok && (qkv || projection_weights(session, &weights, err));
    if (ok && qkv) attention_given_init(given, &spec, matrices[0], matrices[1], matrices[2]);
    else if (ok) attention_given_init_multihead(given, &spec, &weights, matrices[0], matrices[1]);
    const char *between = "";
    for (size_t i = 0; ok && i < count; i++) {
        text_format(names, "%s%s ", between, input_name(&items[i], role[i]));
        if (i == 0 && *one_query) text_format(names, "%zu", matrices[i]->count);
        else text_string(names, shape_words(&matrices[i]->shape));
        between = qkv ? " " : " from ";
    }

    attention_spec_release(&spec);
    Tensor *taken[] = {weights.q,   weights.k,   weights.v,  weights.o,
                       matrices[0], matrices[1], matrices[2]};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) tensor_unref(taken[i]);
    return ok;
}

Run *bench_run(Session *session, const Inputs *inputs, const Settings *settings, Error *err) {
    Run *run = NULL;
    AttentionGiven given;
    Text names = TEXT_EMPTY, line = TEXT_EMPTY;
    bool one_query = false;
    if (give_inputs(session, inputs, settings, &given, &one_query, &names, err))
        run = run_new(&given, err);
    if (run) {
        run->one_query = one_query;
        settings_write_line(settings, NULL, &line);
        run->names = text_take(&names, err);
        run->settings = run->names ? text_take(&line, err) : NULL;
        const Run *head = session->bench.head;
        const AttentionGiven *now = &run->given;
        bool of_head =
            head && now->q == head->given.q && now->k == head->given.k && now->v == head->given.v;
        if (of_head) run->origin = mem_string(head->origin, strlen(head->origin), err);
        if (!run->settings || (of_head && !run->origin)) {
            object_unref(run);
            run = NULL;
        }
    }
    text_release(&names);
    text_release(&line);
    return run;
}
