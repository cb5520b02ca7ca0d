#include "session/bench.h"

#include "base/memory.h"
#include "base/number.h"
#include "session/measure.h"
#include "session/session.h"

#include <string.h>

/* ---- inputs ---- */

static Input input_ref(Input input) {
    if (input.tensor) tensor_ref(input.tensor);
    return input;
}

void inputs_release(Inputs *inputs) {
    Input *all[] = {&inputs->q, &inputs->k, &inputs->v, &inputs->x, &inputs->y};
    for (size_t i = 0; i < 5; i++) tensor_unref(all[i]->tensor);
    *inputs = (Inputs){.kind = INPUTS_NONE};
}

void inputs_copy(Inputs *out, const Inputs *inputs) {
    *out = (Inputs){inputs->kind,         input_ref(inputs->q), input_ref(inputs->k),
                    input_ref(inputs->v), input_ref(inputs->x), input_ref(inputs->y)};
}

bool inputs_equal(const Inputs *a, const Inputs *b) {
    const Input *p[] = {&a->q, &a->k, &a->v, &a->x, &a->y},
                *q[] = {&b->q, &b->k, &b->v, &b->x, &b->y};
    for (size_t i = 0; i < 5; i++)
        if (p[i]->name != q[i]->name || p[i]->tensor != q[i]->tensor) return false;
    return a->kind == b->kind;
}

const char *const projection_names[] = {"Wq", "Wk", "Wv", "Wo"};

bool inputs_use(const Inputs *inputs, const Symbol *symbol) {
    if (inputs->kind == INPUTS_QKV)
        return symbol == inputs->q.name || symbol == inputs->k.name || symbol == inputs->v.name;
    if (inputs->kind != INPUTS_X) return false;
    if (symbol == inputs->x.name || symbol == inputs->y.name) return true;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(symbol->name, projection_names[i]) == 0) return true;
    return false;
}

static const char *input_name(const Input *input, const char *fallback) {
    return input->name ? input->name->name : fallback;
}

static void not_a_matrix(const Tensor *tensor, const char *name, Error *err) {
    const char *kind = !tensor->count ? "empty: " : tensor->shape.axes == 1 ? "a vector of " : "";
    error_set(err, ERR_SHAPE, "%s must be a matrix with a row for each token, but it is %s%s", name,
              kind, shape_words(&tensor->shape));
    if (tensor->count && tensor->shape.axes == 3)
        error_hint(
            err,
            "Attend to one sample at a time, here %s[0]; attention(Q, K, V) takes all at once.",
            name);
}

/* A new reference to the matrix of an input. */
static Tensor *input_matrix(const Input *input, const char *role, Error *err) {
    const char *name = input_name(input, role);
    Tensor *matrix;
    if (input->tensor) {
        matrix = tensor_ref(input->tensor);
    } else if (input->name->value.kind == VALUE_UNSET) {
        error_set(err, ERR_NAME, "%s is not defined", name);
        error_hint(err, "define it first, for example: %s = randn(4, 8)", name);
        return NULL;
    } else if (!(matrix = value_as_tensor(&input->name->value, name, err))) {
        return NULL;
    }
    if (matrix->shape.axes == 2 && matrix->count > 0) return matrix;
    not_a_matrix(matrix, name, err);
    tensor_unref(matrix);
    return NULL;
}

/* Wq, Wk, Wv, Wo where they exist: new references, NULL for the identity. */
static bool projection_weights(Session *session, AttentionWeights *weights, Error *err) {
    Tensor **slots[] = {&weights->q, &weights->k, &weights->v, &weights->o};
    *weights = (AttentionWeights){NULL, NULL, NULL, NULL};
    for (size_t i = 0; i < 4; i++) {
        const Symbol *symbol = interp_find(&session->interp, projection_names[i]);
        if (!symbol || symbol->value.kind == VALUE_UNSET) continue;
        *slots[i] = value_as_tensor(&symbol->value, projection_names[i], err);
        if (!*slots[i]) return false;
    }
    return true;
}

static void projection_weights_release(AttentionWeights *weights) {
    tensor_unref(weights->q);
    tensor_unref(weights->k);
    tensor_unref(weights->v);
    tensor_unref(weights->o);
}

/* ---- the run as an object ---- */

static const char *const run_attributes[] = {"weights", "scores",    "entropy",
                                             "output",  "logsumexp", NULL};

bool run_has(const char *name) {
    for (const char *const *own = run_attributes; *own; own++)
        if (strcmp(*own, name) == 0) return true;
    return false;
}

static bool run_attribute(Object *object, const char *name, Value *out, Error *err) {
    Run *run = (Run *)object;
    Tensor *const *const tensors[] = {&run->trace.weights, &run->trace.scores, &run->result.entropy,
                                      &run->result.output, &run->result.logsumexp};
    size_t i = 0;
    while (run_attributes[i] && strcmp(run_attributes[i], name) != 0) i++;
    if (!run_attributes[i]) return error_set(err, ERR_NAME, "a result of attend has no %s", name);
    if (!*tensors[i] && !run_need_trace(run, err)) return false;
    *out = value_tensor(tensor_ref(*tensors[i]));
    return true;
}

static void run_write(Object *object, Text *text, int digits) {
    const Run *run = (const Run *)object;
    RunSummary summary = run_means(run);
    text_format(text, "attention over %s: mean entropy ", run->names);
    number_write(text, summary.entropy, digits);
    text_string(text, " of ");
    number_write(text, summary.ceiling, digits);
    text_string(text, "; .weights .scores .entropy .output .logsumexp");
}

static void run_free(Object *object) {
    Run *run = (Run *)object;
    attention_given_release(&run->given);
    attention_result_release(&run->result);
    attention_trace_release(&run->trace);
    mem_free(run->names);
    mem_free(run->settings);
    mem_free(run);
}

const ObjectType run_type = {.name = "attention",
                             .attributes = run_attributes,
                             .attribute = run_attribute,
                             .write = run_write,
                             .free = run_free};

Run *run_ref(Run *run) {
    if (run) run->object.refs++;
    return run;
}

void run_unref(Run *run) {
    if (run && --run->object.refs == 0) run_free(&run->object);
}

size_t tensor_bytes(const Tensor *tensor) {
    return tensor ? tensor->count * dtype_size(tensor->dtype) : 0;
}

size_t run_bytes(const Run *run) {
    if (!run) return 0;
    const AttentionTrace *t = &run->trace;
    const Tensor *arrays[] = {t->q,
                              t->k,
                              t->v,
                              t->products,
                              t->position,
                              t->added,
                              t->scores,
                              t->visible,
                              t->exponentials,
                              t->weights,
                              run->result.output};
    size_t bytes = sizeof *run;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) bytes += tensor_bytes(arrays[i]);
    return bytes;
}

/* ---- the trace ---- */

bool run_is_traced(const Run *run) { return run->trace.weights != NULL; }

bool run_need_trace(Run *run, Error *err) {
    return run_is_traced(run) || attention_given_trace(&run->given, &run->trace, err);
}

void run_put_aside(Run *run) {
    enum { BYTES_MOST = 1 << 20 };
    if (run_bytes(run) > BYTES_MOST) attention_trace_release(&run->trace);
}

/* ---- running ---- */

/* "Q 3×4", after what joins it to the one before. */
static void write_input(Text *names, const char *joint, const Input *input, const char *role,
                        const Tensor *matrix) {
    text_format(names, "%s%s %s", joint, input_name(input, role), shape_words(&matrix->shape));
}

static bool give_qkv(const Inputs *inputs, const AttentionSpec *spec, AttentionGiven *given,
                     Text *names, Error *err) {
    Tensor *q = input_matrix(&inputs->q, "Q", err);
    Tensor *k = q ? input_matrix(&inputs->k, "K", err) : NULL;
    Tensor *v = k ? input_matrix(&inputs->v, "V", err) : NULL;
    bool ok = v && attention_given_init(given, spec, q, k, v, err);
    if (ok) {
        write_input(names, "", &inputs->q, "Q", q);
        write_input(names, " ", &inputs->k, "K", k);
        write_input(names, " ", &inputs->v, "V", v);
    }
    tensor_unref(q);
    tensor_unref(k);
    tensor_unref(v);
    return ok;
}

static bool give_x(Session *session, const Inputs *inputs, const AttentionSpec *spec,
                   AttentionGiven *given, Text *names, Error *err) {
    bool crossed = inputs->y.name || inputs->y.tensor;
    AttentionWeights weights = {NULL, NULL, NULL, NULL};
    Tensor *x = input_matrix(&inputs->x, "X", err);
    Tensor *y = x && crossed ? input_matrix(&inputs->y, "Y", err) : NULL;
    bool ok = x && (y || !crossed) && projection_weights(session, &weights, err) &&
              attention_given_init_multihead(given, spec, &weights, x, y, err);
    if (ok) write_input(names, "", &inputs->x, "X", x);
    if (ok && y) write_input(names, " from ", &inputs->y, "Y", y);
    projection_weights_release(&weights);
    tensor_unref(x);
    tensor_unref(y);
    return ok;
}

static bool give(Session *session, const Inputs *inputs, const Settings *settings,
                 AttentionGiven *given, Text *names, Error *err) {
    AttentionSpec spec;
    if (!settings_spec(settings, &spec, err)) return false;
    bool ok = inputs->kind == INPUTS_QKV ? give_qkv(inputs, &spec, given, names, err)
                                         : give_x(session, inputs, &spec, given, names, err);
    attention_spec_release(&spec);
    return ok;
}

static size_t columns_after(const Tensor *x, const Tensor *w) { return (w ? w : x)->shape.size[1]; }

static void run_sizes(Run *run) {
    const AttentionGiven *given = &run->given;
    const Tensor *keys = given->k ? given->k : given->q, *values = given->v ? given->v : keys;
    run->heads = given->spec.heads;
    run->queries = given->q->shape.size[0];
    run->keys = keys->shape.size[0];
    run->d_k = columns_after(given->q, given->weights.q) / run->heads;
    run->d_v = columns_after(values, given->weights.v) / run->heads;
}

Run *bench_run(Session *session, const Inputs *inputs, const Settings *settings, Error *err) {
    Run *run = mem_zeroed(1, sizeof *run, err);
    if (!run) return NULL;
    run->object = (Object){1, &run_type};
    run->max_weight = -1;
    Text names, line;
    text_init(&names);
    text_init(&line);
    bool ok = give(session, inputs, settings, &run->given, &names, err) &&
              attention_given_run(&run->given, &run->result, NULL, err) &&
              (run->names = text_take(&names, err));
    if (ok) settings_write_line(settings, &line);
    ok = ok && (run->settings = text_take(&line, err));
    if (ok) run_sizes(run);
    text_release(&names);
    text_release(&line);
    if (!ok) return run_unref(run), NULL;
    return run;
}
