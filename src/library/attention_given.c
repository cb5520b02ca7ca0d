#include "library/attention_given.h"

#include "engine/operators/compute.h"

#include <assert.h>

static Tensor *ref_or_null(Tensor *tensor) { return tensor ? tensor_ref(tensor) : NULL; }

/* ---- life cycle ---- */

bool attention_given_init(AttentionGiven *given, const AttentionSpec *spec, Tensor *q, Tensor *k,
                          Tensor *v, Error *err) {
    *given = (AttentionGiven){.multihead = false};
    (void)err;
    attention_spec_copy(&given->spec, spec);
    given->q = tensor_ref(q);
    given->k = ref_or_null(k);
    given->v = ref_or_null(v);
    return true;
}

bool attention_given_init_multihead(AttentionGiven *given, const AttentionSpec *spec,
                                    const AttentionWeights *weights, Tensor *x, Tensor *context,
                                    Error *err) {
    if (!attention_given_init(given, spec, x, context, NULL, err)) return false;
    given->multihead = true;
    given->weights = (AttentionWeights){ref_or_null(weights->q), ref_or_null(weights->k),
                                        ref_or_null(weights->v), ref_or_null(weights->o)};
    return true;
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
    return given->multihead
               ? attention_multihead(&given->spec, &given->weights, given->q, given->k, result,
                                     trace, err)
               : attention_forward(&given->spec, given->q, given->k, given->v, result, trace, err);
}

bool attention_given_trace(const AttentionGiven *given, AttentionTrace *trace, Error *err) {
    AttentionResult again;
    if (!attention_given_run(given, &again, trace, err)) return false;
    attention_result_release(&again);
    return true;
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
    if (!attention_given_init(out, &given->spec, given->q, given->k, given->v, err)) return false;
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

static bool cut(Tensor **array, int axis, size_t first, size_t count, Error *err) {
    IndexItem slice = {.kind = INDEX_SLICE,
                       .has_start = true,
                       .has_stop = true,
                       .start = (long long)first,
                       .stop = (long long)(first + count)};
    *array = compute_slice(*array, axis, &slice, err);
    return *array != NULL;
}

/* Of an array that is laid over the scores. One row for all queries stays as it is. */
static bool cut_grid(Tensor **array, size_t first, size_t count, Error *err) {
    int axis = *array ? (*array)->shape.axes - 2 : -1;
    return axis < 0 || (*array)->shape.size[axis] == 1 || cut(array, axis, first, count, err);
}

static bool cut_spec(AttentionSpec *spec, size_t first, size_t count, Error *err) {
    spec->offset += (long long)first;
    for (int t = 0; t < spec->mask.count; t++)
        if (spec->mask.terms[t].kind->over_scores &&
            !cut_grid(&spec->mask.terms[t].array, first, count, err))
            return false;
    return cut_grid(&spec->bias, first, count, err);
}

bool attention_given_rows(AttentionGiven *out, const AttentionGiven *projected, size_t first,
                          size_t count, Error *err) {
    assert(!projected->multihead);
    if (!attention_given_init(out, &projected->spec, projected->q, projected->k, projected->v, err))
        return false;
    if (cut(&out->q, 0, first, count, err) && cut_spec(&out->spec, first, count, err)) return true;
    attention_given_release(out);
    return false;
}
