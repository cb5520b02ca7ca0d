#include "engine/attention/attention_inputs.h"

#include "base/memory.h"
#include "engine/attention/grid.h"
#include "engine/attention/position.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/rope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- checks ---- */

static bool check_axes(const Tensor *x, const char *what, const char *one, Error *err) {
    if (x->shape.axes == 2 || x->shape.axes == 3) return true;
    error_set(err, ERR_SHAPE, "the %s must be a matrix, a row for each %s, but they are %s", what,
              one, shape_words(&x->shape));
    if (x->shape.axes == 1) error_hint(err, "x[None, :] makes a matrix of one row.");
    if (x->shape.axes > 3)
        error_hint(err,
                   "A third axis in front is for samples. Heads lie side by side in the columns.");
    return false;
}

static bool is_batched(const Tensor *x) { return x->shape.axes == 3; }

static bool check_samples(const Tensor *q, const Tensor *x, const char *what, Error *err) {
    if (is_batched(q) != is_batched(x)) {
        error_set(err, ERR_SHAPE,
                  "the queries are %s and the %s %s: one of them has an axis of samples",
                  shape_words(&q->shape), what, shape_words(&x->shape));
        return error_hint(err, "x[None, :, :] makes a matrix the only sample.");
    }
    if (!is_batched(q) || q->shape.size[0] == x->shape.size[0]) return true;
    return error_set(
        err, ERR_SHAPE,
        "the queries are %s and the %s %s, so their numbers of samples %zu and %zu differ",
        shape_words(&q->shape), what, shape_words(&x->shape), q->shape.size[0], x->shape.size[0]);
}

static bool check_heads(size_t heads, size_t width, size_t value_width, Error *err) {
    if (width % heads == 0 && value_width % heads == 0) return true;
    if (width == value_width)
        error_set(err, ERR_VALUE,
                  "%zu heads do not divide the width %zu of queries, keys and values", heads,
                  width);
    else
        error_set(err, ERR_VALUE,
                  "%zu heads do not divide the widths %zu of queries and keys and %zu of values",
                  heads, width, value_width);

    char divisors[200] = ""; /* "1, 2, 4 or 8"; long lists are cut */
    size_t used = 0, greatest = 1;
    for (size_t d = 1; d <= width; d++)
        if (width % d == 0 && value_width % d == 0) greatest = d;
    for (size_t d = 1; d <= greatest && used + 32 < sizeof divisors; d++) {
        if (greatest % d != 0) continue;
        const char *joint = d == 1 ? "" : d == greatest ? " or " : ", ";
        used += (size_t)snprintf(divisors + used, sizeof divisors - used, "%s%zu", joint, d);
    }
    return error_hint(err, "The number of heads can be %s.", divisors);
}

GridSize attention_size(const AttentionSpec *spec, const Tensor *q, const Tensor *k) {
    return (GridSize){.heads = spec->heads,
                      .queries = shape_rows(&q->shape),
                      .keys = shape_rows(&k->shape),
                      .batched = is_batched(q),
                      .samples = is_batched(q) ? q->shape.size[0] : 1};
}

bool attention_check(const AttentionSpec *spec, const Tensor *q, const Tensor *k, const Tensor *v,
                     Error *err) {
    const long long farthest = 1LL << 52; /* positions are compared as doubles */
    if (!(spec->temperature >= 0)) {
        error_set(err, ERR_VALUE, "the temperature must be 0 or more, not %g", spec->temperature);
        return error_hint(
            err,
            "0 takes the best key alone, 1 is the usual softmax, inf attends to all keys alike.");
    }
    if (spec->heads == 0) return error_set(err, ERR_VALUE, "attention needs at least 1 head");
    if (spec->offset > farthest || spec->offset < -farthest)
        return error_set(err, ERR_VALUE, "the offset %lld is too large", spec->offset);

    if (!check_axes(q, "queries", "query", err) || !check_axes(k, "keys", "key", err) ||
        !check_axes(v, "values", "value", err) || !check_samples(q, k, "keys", err) ||
        !check_samples(q, v, "values", err))
        return false;
    size_t width = shape_columns(&q->shape), keys = shape_rows(&k->shape);
    if (shape_columns(&k->shape) != width)
        return error_set(err, ERR_SHAPE,
                         "the queries are %s and the keys %s, so their widths %zu and %zu differ",
                         shape_words(&q->shape), shape_words(&k->shape), width,
                         shape_columns(&k->shape));
    if (width == 0) return error_set(err, ERR_SHAPE, "the queries and keys have no columns");
    if (shape_rows(&v->shape) != keys)
        return error_set(
            err, ERR_SHAPE,
            "the keys are %s and the values %s: each of the %zu keys needs one value, not %zu",
            shape_words(&k->shape), shape_words(&v->shape), keys, shape_rows(&v->shape));

    if (!check_heads(spec->heads, width, shape_columns(&v->shape), err)) return false;
    GridSize size = attention_size(spec, q, k);
    return mask_check(&spec->mask, size, spec->offset, err) &&
           (!spec->bias || grid_check(spec->bias, "the bias", size, err)) &&
           position_check(&spec->position, spec->heads, width / spec->heads, err);
}

/* ---- the inputs of a loop ---- */

void head_inputs_release(HeadInputs *in) {
    tensor_unref(in->q);
    tensor_unref(in->k);
    tensor_unref(in->v);
    tensor_unref(in->q_angles);
    tensor_unref(in->k_angles);
    tensor_unref(in->v_finite);
    mem_free(in->nonfinite_key);
}

/* Makes ([B,] H, T, d) of ([B,] T, H * d); with one head, a new reference. */
static Tensor *cut_heads(Tensor *x, GridSize size, Error *err) {
    if (size.heads == 1) return tensor_ref(x);
    size_t rows = shape_rows(&x->shape), heads = size.heads,
           width = shape_columns(&x->shape) / heads, bytes = width * dtype_size(x->dtype);
    Shape shape = grid_cells((GridSize){heads, rows, width, size.batched, size.samples});
    Tensor *out = tensor_new(x->dtype, &shape, err);
    for (size_t to = 0; out && to < size.samples * heads * rows; to++) {
        size_t row = to % rows, head = to / rows % heads, sample = to / rows / heads;
        size_t from = (sample * rows + row) * heads + head;
        memcpy((char *)out->data + to * bytes, (const char *)x->data + from * bytes, bytes);
    }
    return out;
}

/* The angles of RoPE. Queries at the positions of keys share theirs. */
static bool make_angles(HeadInputs *in, const AttentionSpec *spec, size_t width, Error *err) {
    long long past = spec->offset + (long long)in->size.queries;
    bool shared = spec->offset >= 0 && past <= (long long)in->size.keys;
    const PositionDef *position = spec->position.kind;
    if (!position_turns(position)) return true;
    in->first_angle = shared ? (size_t)spec->offset : 0;
    in->k_angles = position->angles(in->dtype, 0, in->size.keys, width, err);
    if (!in->k_angles) return false;
    in->q_angles =
        shared ? tensor_ref(in->k_angles)
               : position->angles(in->dtype, (double)spec->offset, in->size.queries, width, err);
    return in->q_angles != NULL;
}

bool head_inputs_init(HeadInputs *in, const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                      bool cut, Error *err) {
    bool all_float = q->dtype == DTYPE_FLOAT && k->dtype == DTYPE_FLOAT && v->dtype == DTYPE_FLOAT;
    const PositionSpec *position = &spec->position;
    GridSize size = attention_size(spec, q, k);
    *in = (HeadInputs){.dtype = all_float ? DTYPE_FLOAT : DTYPE_DOUBLE, .cut = cut, .size = size};
    if ((in->q = tensor_cast(q, in->dtype, err)) && (in->k = tensor_cast(k, in->dtype, err)) &&
        (in->v = tensor_cast(v, in->dtype, err)) &&
        tensor_replace(&in->q, position_added(in->q, position, spec->offset, err)) &&
        tensor_replace(&in->k, position_added(in->k, position, 0, err)) &&
        (!cut || (tensor_replace(&in->q, cut_heads(in->q, size, err)) &&
                  tensor_replace(&in->k, cut_heads(in->k, size, err)) &&
                  tensor_replace(&in->v, cut_heads(in->v, size, err)))) &&
        make_angles(in, spec, shape_columns(&q->shape) / size.heads, err))
        return true;
    head_inputs_release(in);
    return false;
}

HeadView head_view(GridSize size, const Tensor *x) {
    size_t row = shape_columns(&x->shape), width = row / size.heads;
    return (HeadView){x->data, size.heads,    shape_rows(&x->shape) * row, width, row,
                      width,   .angles = NULL};
}

HeadView head_inputs_view(const HeadInputs *in, const Tensor *x) {
    size_t width = shape_columns(&x->shape), head = shape_rows(&x->shape) * width;
    if (!in->cut) return head_view(in->size, x);
    /* ([B,] H, T, d): the heads follow each other. */
    return (HeadView){x->data, in->size.heads, in->size.heads * head, head,
                      width,   width,          .angles = NULL};
}

AttentionJob head_inputs_job(const HeadInputs *in, const AttentionSpec *spec) {
    GridSize size = in->size;
    HeadView q = head_inputs_view(in, in->q), k = head_inputs_view(in, in->k);
    q.angles = in->q_angles;
    q.first_angle = in->first_angle;
    k.angles = in->k_angles;
    return (AttentionJob){.spec = spec,
                          .scale = spec->scale_sqrt ? 1 / sqrt((double)q.width) : spec->scale,
                          .samples = size.samples,
                          .heads = size.samples * size.heads,
                          .queries = size.queries,
                          .keys = size.keys,
                          .q = q,
                          .k = k,
                          .v = head_inputs_view(in, in->v)};
}

/* ---- for the plain loops ---- */

static Tensor *rotated(const Tensor *x, HeadView view, size_t heads, Error *err) {
    size_t bytes = dtype_size(x->dtype);
    Tensor *out = tensor_new(x->dtype, &x->shape, err);
    for (size_t h = 0; out && h < heads; h++) {
        size_t at = view_offset(view, h, 0) * bytes;
        rope_turn(view.angles, view.first_angle, (char *)out->data + at, view.row_step,
                  (const char *)x->data + at, view.row_step, shape_rows(&x->shape), false);
    }
    return out;
}

Tensor *with_finite_numbers(Tensor *x, Error *err) {
    Tensor *out = tensor_ref(x);
    if (isfinite(KERNEL(x->dtype, largest(x->data, x->count)))) return out;
    for (size_t i = 0; i < x->count; i++) {
        if (isfinite(tensor_get(x, i))) continue;
        if (!tensor_unique(&out, err)) return tensor_if(false, out);
        tensor_set(out, i, 0);
    }
    return out;
}

bool head_inputs_for_rows(HeadInputs *in, AttentionJob *job, Error *err) {
    size_t width = shape_columns(&in->v->shape), keys = in->size.keys;
    if (job->q.angles && !(tensor_replace(&in->q, rotated(in->q, job->q, job->heads, err)) &&
                           tensor_replace(&in->k, rotated(in->k, job->k, job->heads, err))))
        return false;
    in->v_finite = with_finite_numbers(in->v, err);
    if (!in->v_finite) return false;
    if (in->v_finite != in->v) {
        in->nonfinite_key = mem_zeroed(keys, 1, err);
        if (!in->nonfinite_key) return false;
        for (size_t i = 0; i < in->v->count; i++)
            if (!isfinite(tensor_get(in->v, i))) in->nonfinite_key[i / width % keys] = 1;
    }
    job->q.data = in->q->data;
    job->k.data = in->k->data;
    job->v = head_inputs_view(in, in->v_finite);
    job->v_given = head_inputs_view(in, in->v);
    job->nonfinite_key = in->nonfinite_key;
    return true;
}
