#include "library/attention_given.h"

#include "engine/operators/compute.h"

#include <assert.h>

/* ---- life cycle ---- */

void attention_given_init(AttentionGiven *given, const AttentionSpec *spec, Tensor *q, Tensor *k,
                          Tensor *v) {
    *given = (AttentionGiven){.q = tensor_ref(q), .k = tensor_ref(k), .v = tensor_ref(v)};
    attention_spec_copy(&given->spec, spec);
}

void attention_given_init_multihead(AttentionGiven *given, const AttentionSpec *spec,
                                    const AttentionWeights *weights, Tensor *x, Tensor *context) {
    attention_given_init(given, spec, x, context, NULL);
    given->multihead = true;
    given->weights = (AttentionWeights){tensor_ref(weights->q), tensor_ref(weights->k),
                                        tensor_ref(weights->v), tensor_ref(weights->o)};
}

void attention_given_release(AttentionGiven *given) {
    Tensor *const held[] = {given->q,         given->k,         given->v,        given->weights.q,
                            given->weights.k, given->weights.v, given->weights.o};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tensor_unref(held[i]);
    attention_spec_release(&given->spec);
    *given = (AttentionGiven){.multihead = false};
}

/* ---- running ---- */

bool attention_given_run(const AttentionGiven *given, AttentionResult *result,
                         AttentionTrace *trace, Error *err) {
    if (given->multihead)
        return attention_multihead(&given->spec, &given->weights, given->q, given->k, result, trace,
                                   err);
    return attention_forward(&given->spec, given->q, given->k, given->v, result, trace, err);
}

bool attention_given_trace(const AttentionGiven *given, AttentionTrace *trace, Error *err) {
    LocalResult again = {.output = NULL};
    return attention_given_run(given, &again, trace, err);
}

/* ---- some of the queries ---- */

/* (x + positions) w, by the operators that attention_multihead takes: the same numbers to the last
 * bit. */
static Tensor *project(const AttentionGiven *given, Tensor *x, long long offset, Tensor *w,
                       Error *err) {
    Tensor *placed = position_added(x, &given->spec.position, offset, err);
    return w ? compute_binary(OP_MATMUL, placed, tensor_ref(w), err) : placed;
}

bool attention_given_project(AttentionGiven *out, const AttentionGiven *given, Error *err) {
    attention_given_init(out, &given->spec, given->q, given->k, given->v);
    if (!given->multihead) return true;
    Tensor *x = given->q, *source = given->k ? given->k : x;
    tensor_unref(out->q);
    tensor_unref(out->k);
    out->q = project(given, x, given->spec.offset, given->weights.q, err);
    out->k = out->q ? project(given, source, 0, given->weights.k, err) : NULL;
    out->v = out->k ? project(given, source, 0, given->weights.v, err) : NULL;
    if (position_is_additive(given->spec.position.kind))
        out->spec.position.kind = &no_position; /* they are in x already */
    if (!out->v) attention_given_release(out);
    return out->v != NULL;
}

/* Replaces an array by its items first .. first + count - 1 along an axis. */
static bool cut(Tensor **array, int axis, size_t first, size_t count, Error *err) {
    *array = compute_range(*array, axis, first, count, err);
    return *array != NULL;
}

bool attention_given_rows(AttentionGiven *out, const AttentionGiven *projected, size_t first,
                          size_t count, Error *err) {
    assert(!projected->multihead);
    attention_given_init(out, &projected->spec, projected->q, projected->k, projected->v);
    out->spec.offset += (long long)first;

    /* The arrays that are laid over the scores, unless they have one row for all queries. */
    Tensor **laid[MASK_TERMS_MAX + 1] = {&out->spec.bias};
    size_t arrays = 1;
    for (int t = 0; t < out->spec.mask.count; t++)
        if (out->spec.mask.terms[t].kind->over_scores)
            laid[arrays++] = &out->spec.mask.terms[t].array;
    bool ok = cut(&out->q, 0, first, count, err);
    for (size_t i = 0; ok && i < arrays; i++) {
        int axis = *laid[i] ? (*laid[i])->shape.axes - 2 : -1;
        if (axis >= 0 && (*laid[i])->shape.size[axis] != 1)
            ok = cut(laid[i], axis, first, count, err);
    }
    if (!ok) attention_given_release(out);
    return ok;
}
