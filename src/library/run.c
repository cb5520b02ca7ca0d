#include "library/run.h"

#include "base/memory.h"
#include "base/number.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* ---- life cycle ---- */

static void run_free(Object *object) {
    Run *run = (Run *)object;
    attention_given_release(&run->given);
    attention_result_release(&run->result);
    attention_trace_release(&run->trace);
    mem_free(run->names);
    mem_free(run->settings);
    mem_free(run->origin.what);
    mem_free(run->origin.name);
    mem_free(run->origin.run);
    object_unref(run->origin.model);
    tensor_unref(run->origin.parameters);
    mem_free(run);
}

/* The last size of w, or of x where w is the identity. */
static size_t columns_after(const Tensor *x, const Tensor *w) {
    const Shape *shape = w ? &w->shape : &x->shape;
    return shape_columns(shape);
}

Run *run_new(AttentionGiven *given, RunTrace trace, Error *err) {
    Run *run = mem_zeroed(1, sizeof *run, err);
    if (!run) {
        attention_given_release(given);
        return NULL;
    }
    run->object = (Object){.refs = 1, .type = &run_type};
    run->given = *given;
    run->max_weight = -1;
    run->origin.asked = SIZE_MAX;
    const Tensor *q = given->q, *k = given->k ? given->k : q, *v = given->v ? given->v : k;
    run->heads = given->spec.heads;
    if (q->shape.axes >= 2 && k->shape.axes >= 2) { /* others are refused below */
        run->queries = shape_rows(&q->shape);
        run->keys = shape_rows(&k->shape);
    }
    bool traced = trace == TRACE_AT_ONCE || (trace == TRACE_SMALL && run_is_small(run));
    if (!attention_given_run(&run->given, &run->result, traced ? &run->trace : NULL, err)) {
        object_unref(run);
        return NULL;
    }
    run->d_k = columns_after(q, given->weights.q) / run->heads;
    run->d_v = columns_after(v, given->weights.v) / run->heads;
    return run;
}

/* Copies a string, or NULL. */
static bool copy_words(char **to, const char *from, Error *err) {
    return !from || (*to = mem_string(from, strlen(from), err)) != NULL;
}

bool run_copy_origin(Run *run, const Run *from, Error *err) {
    RunOrigin *to = &run->origin;
    to->model = object_ref(from->origin.model);
    to->parameters = tensor_ref(from->origin.parameters);
    to->asked = from->origin.asked;
    return copy_words(&to->what, from->origin.what, err) &&
           copy_words(&to->name, from->origin.name, err) &&
           copy_words(&to->run, from->origin.run, err);
}

Run *run_of(const Value *value) {
    bool is_run = value->kind == VALUE_OBJECT && value->object->type == &run_type;
    return is_run ? (Run *)value->object : NULL;
}

/* ---- the trace, when it is first read ---- */

bool run_is_small(const Run *run) {
    enum { CELLS_MOST = 1 << 16 };
    return run->heads * run->queries * run->keys <= CELLS_MOST;
}

bool run_is_traced(const Run *run) { return run->trace.exponentials != NULL; }

bool run_need_trace(Run *run, Error *err) {
    AttentionTrace trace;
    if (run_is_traced(run)) return true;
    if (!attention_given_trace(&run->given, &trace, err)) return false;
    attention_trace_release(&run->trace);
    run->trace = trace;
    return true;
}

bool run_need_weights(Run *run, Error *err) {
    if (run->trace.weights) return true;
    if (!run_need_trace(run, err)) return false;
    AttentionTrace kept = {.scale = run->trace.scale,
                           .scores = tensor_ref(run->trace.scores),
                           .weights = tensor_ref(run->trace.weights)};
    attention_trace_release(&run->trace);
    run->trace = kept;
    return true;
}

size_t tensor_bytes(const Tensor *tensor) {
    return tensor ? tensor->count * dtype_size(tensor->dtype) : 0;
}

size_t run_bytes(const Run *run) {
    if (!run) return 0;
    const AttentionTrace *t = &run->trace;
    const Tensor *const arrays[] = {t->q,     t->k,      t->v,       t->products,     t->position,
                                    t->added, t->scores, t->visible, t->exponentials, t->weights};
    size_t bytes = sizeof *run + tensor_bytes(run->result.output);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) bytes += tensor_bytes(arrays[i]);
    return bytes;
}

size_t runs_bytes(Run *const *runs, size_t count) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) bytes += run_bytes(runs[i]);
    return bytes;
}

static size_t run_object_bytes(const Object *run, const Object *other) {
    (void)other; /* two runs may share inputs, which are not counted */
    return run_bytes((const Run *)run);
}

void run_put_aside(Run *run) {
    enum { BYTES_MOST = 1 << 20 };
    if (run_bytes(run) > BYTES_MOST) attention_trace_release(&run->trace);
}

/* ---- attributes ---- */

static bool is_batched(const Run *run) { return run->result.output->shape.axes == 3; }

/* An array whose axis of queries is the last but `behind`, as the run's attribute. The engine
 * leaves the axis of one head out. */
static Tensor *as_attribute(const Run *run, Tensor *tensor, int behind, Error *err) {
    Shape shape = tensor->shape;
    if (run->one_query) {
        shape = shape_remove(&tensor->shape, tensor->shape.axes - 1 - behind);
    } else if (!run->head_axis || run->heads != 1 || tensor == run->result.output) {
        return tensor_ref(tensor);
    } else if (!shape_insert(&tensor->shape, is_batched(run), 1, &shape, err)) return NULL;
    return compute_reshape(tensor_ref(tensor), &shape, err);
}

static const char *const attribute_names[] = {"output",  "weights",   "scores",
                                              "entropy", "logsumexp", NULL};

bool run_has(const char *name) {
    for (const char *const *own = attribute_names; *own; own++)
        if (strcmp(*own, name) == 0) return true;
    return false;
}

static bool run_attribute(Object *object, const char *name, Value *out, Error *err) {
    Run *run = (Run *)object;
    if (!run_has(name)) {
        error_set(err, ERR_NAME, "the result of attention has no %s", name);
        return error_hint(err, "It has output, weights, scores, entropy and logsumexp.");
    }
    if (strcmp(name, "output") == 0)
        return give(as_attribute(run, run->result.output, 1, err), out);
    if (strcmp(name, "entropy") == 0)
        return give(as_attribute(run, run->result.entropy, 0, err), out);
    if (strcmp(name, "logsumexp") == 0)
        return give(as_attribute(run, run->result.logsumexp, 0, err), out);
    if (!run_need_weights(run, err)) return false;
    Tensor *found = strcmp(name, "weights") == 0 ? run->trace.weights : run->trace.scores;
    return give(as_attribute(run, found, 1, err), out);
}

/* ---- what print shows ---- */

RunSummary run_means(const Run *run) {
    RunSummary means = {.empty_rows = run->result.empty_rows};
    const Tensor *visible = run->result.visible;
    for (size_t i = 0; i < visible->count; i++) {
        double keys = tensor_get(visible, i);
        if (keys < 1) continue;
        means.rows++;
        means.entropy += tensor_get(run->result.entropy, i);
        means.ceiling += log(keys);
    }
    means.entropy /= (double)means.rows; /* 0 / 0 is nan */
    means.ceiling /= (double)means.rows;
    return means;
}

static void run_write(Object *object, Text *text, int digits) {
    const Run *run = (const Run *)object;
    const Tensor *output = run->result.output;
    size_t samples = output->shape.size[0];
    text_string(text, "attention of ");
    if (is_batched(run))
        text_format(text, "%zu %s, each of ", samples, samples == 1 ? "sample" : "samples");
    text_format(text, "%zu %s over %zu %s", run->queries, run->queries == 1 ? "query" : "queries",
                run->keys, run->keys == 1 ? "key" : "keys");
    if (run->heads > 1) text_format(text, ", %zu heads", run->heads);
    if (run->names) text_format(text, " (%s)", run->names);

    if (run->one_query) text_format(text, "\n  output   %zu\n  weights  ", output->count);
    else text_format(text, "\n  output   %s\n  weights  ", shape_words(&output->shape));
    if (is_batched(run)) text_format(text, "%zu×", samples);
    if (run->heads > 1 || run->head_axis) text_format(text, "%zu×", run->heads);
    if (!run->one_query) text_format(text, "%zu×", run->queries);
    text_format(text, "%zu\n", run->keys);

    RunSummary means = run_means(run);
    if (means.rows == 0) {
        text_string(text, "  no query sees a key");
        return;
    }
    text_string(text, "  mean entropy ");
    number_write(text, means.entropy, digits);
    text_string(text, " of at most ");
    number_write(text, means.ceiling, digits);
    if (means.empty_rows > 0)
        text_format(text, "\n  %zu %s no key", means.empty_rows,
                    means.empty_rows == 1 ? "query sees" : "queries see");
}

const ObjectType run_type = {
    .name = "attention",
    .attributes = attribute_names,
    .attribute = run_attribute,
    .write = run_write,
    .free = run_free,
    .bytes = run_object_bytes,
};
