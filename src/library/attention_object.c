#include "library/attention_object.h"

#include "base/memory.h"
#include "base/number.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

static void attention_object_free(Object *object) {
    AttentionObject *a = (AttentionObject *)object;
    attention_given_release(&a->given);
    attention_result_release(&a->result);
    tensor_unref(a->weights);
    tensor_unref(a->scores);
    mem_free(a);
}

/* ---- life cycle ---- */

/* Runs what was given (which it takes over). */
static AttentionObject *object_new(AttentionGiven *given, Error *err) {
    AttentionObject *a = mem_zeroed(1, sizeof *a, err);
    if (!a) {
        attention_given_release(given);
        return NULL;
    }
    a->object = (Object){.refs = 1, .type = &attention_object_type};
    a->given = *given;
    if (attention_given_run(&a->given, &a->result, NULL, err)) return a;
    attention_object_free(&a->object);
    return NULL;
}

AttentionObject *attention_object_new(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                                      Error *err) {
    AttentionGiven given;
    return attention_given_init(&given, spec, q, k, v, err) ? object_new(&given, err) : NULL;
}

AttentionObject *attention_object_new_multihead(const AttentionSpec *spec,
                                                const AttentionWeights *weights, Tensor *x,
                                                Tensor *context, Error *err) {
    AttentionGiven given;
    return attention_given_init_multihead(&given, spec, weights, x, context, err)
               ? object_new(&given, err)
               : NULL;
}

AttentionObject *attention_object_of(const Value *value) {
    bool is = value->kind == VALUE_OBJECT && value->object->type == &attention_object_type;
    return is ? (AttentionObject *)value->object : NULL;
}

/* ---- weights and scores, when first read ---- */

static bool fill_weights(AttentionObject *a, Error *err) {
    AttentionTrace trace;
    if (a->weights) return true;
    if (!attention_given_trace(&a->given, &trace, err)) return false;
    a->weights = tensor_ref(trace.weights);
    a->scores = tensor_ref(trace.scores);
    attention_trace_release(&trace);
    return true;
}

Tensor *attention_object_weights(AttentionObject *attention, Error *err) {
    return fill_weights(attention, err) ? attention->weights : NULL;
}

Tensor *attention_object_scores(AttentionObject *attention, Error *err) {
    return fill_weights(attention, err) ? attention->scores : NULL;
}

static bool is_batched(const AttentionObject *a) { return a->result.output->shape.axes == 3; }

/* The engine leaves the axis of one head out; the promise of multihead is ([B,] heads, Tq, Tk). */
static Tensor *with_head_axis(const AttentionObject *a, Tensor *tensor, Error *err) {
    Shape shape;
    if (!a->given.multihead || a->given.spec.heads != 1) return tensor_ref(tensor);
    return shape_insert(&tensor->shape, is_batched(a), 1, &shape, err)
               ? tensor_with_shape(tensor, &shape, err)
               : NULL;
}

static const char *const attribute_names[] = {"output",  "weights",   "scores",
                                              "entropy", "logsumexp", NULL};

static bool attention_object_attribute(Object *object, const char *name, Value *out, Error *err) {
    AttentionObject *a = (AttentionObject *)object;
    Tensor *found = NULL;
    if (strcmp(name, "output") == 0) found = a->result.output;
    else if (strcmp(name, "entropy") == 0) found = a->result.entropy;
    else if (strcmp(name, "logsumexp") == 0) found = a->result.logsumexp;
    else if (strcmp(name, "weights") == 0) found = attention_object_weights(a, err);
    else if (strcmp(name, "scores") == 0) found = attention_object_scores(a, err);
    else
        return error_set(err, ERR_NAME, "the result of attention has no %s", name) ||
               error_hint(err, "It has output, weights, scores, entropy and logsumexp.");
    return found &&
           give(found == a->result.output ? tensor_ref(found) : with_head_axis(a, found, err), out);
}

/* ---- what print shows ---- */

/* Means over the rows that see a key: entropy, and ln n_visible, its ceiling. */
static size_t mean_entropy(const AttentionResult *result, double *mean, double *ceiling) {
    size_t rows = 0;
    *mean = *ceiling = 0;
    for (size_t i = 0; i < result->entropy->count; i++) {
        double visible = tensor_get(result->visible, i);
        if (visible > 0) {
            rows++;
            *mean += tensor_get(result->entropy, i);
            *ceiling += log(visible);
        }
    }
    if (rows > 0) {
        *mean /= (double)rows;
        *ceiling /= (double)rows;
    }
    return rows;
}

static void write_sizes(const AttentionObject *a, Text *text) {
    const Tensor *keys = a->given.k ? a->given.k : a->given.q, *output = a->result.output;
    size_t queries = output->shape.size[output->shape.axes - 2],
           count = keys->shape.size[keys->shape.axes - 2];
    size_t samples = output->shape.size[0], heads = a->given.spec.heads;
    text_string(text, "attention of ");
    if (is_batched(a))
        text_format(text, "%zu %s, each of ", samples, samples == 1 ? "sample" : "samples");
    text_format(text, "%zu %s over %zu %s", queries, queries == 1 ? "query" : "queries", count,
                count == 1 ? "key" : "keys");
    if (heads > 1) text_format(text, ", %zu heads", heads);
    text_format(text, "\n  output   %s\n  weights  ", shape_words(&output->shape));
    if (is_batched(a)) text_format(text, "%zu×", samples);
    if (heads > 1 || a->given.multihead) text_format(text, "%zu×", heads);
    text_format(text, "%zu×%zu\n", queries, count);
}

static void attention_object_write(Object *object, Text *text, int digits) {
    const AttentionObject *a = (const AttentionObject *)object;
    double mean, ceiling;
    write_sizes(a, text);
    if (mean_entropy(&a->result, &mean, &ceiling) == 0) {
        text_string(text, "  no query sees a key");
        return;
    }
    text_string(text, "  mean entropy ");
    number_write(text, mean, digits);
    text_string(text, " of at most ");
    number_write(text, ceiling, digits);
    if (a->result.empty_rows > 0)
        text_format(text, "\n  %zu %s no key", a->result.empty_rows,
                    a->result.empty_rows == 1 ? "query sees" : "queries see");
}

const ObjectType attention_object_type = {
    .name = "attention",
    .attributes = attribute_names,
    .attribute = attention_object_attribute,
    .write = attention_object_write,
    .free = attention_object_free,
};
