/* The numbers of the positions: rows that are added to the inputs, and terms
 * that are added to the scores. */
#include "engine/attention/position.h"

#include "base/interrupt.h"
#include "base/random.h"
#include "engine/operators/operator.h"

#include <math.h>

/* ---- added to the inputs ---- */

/* PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos of the same (Vaswani et al. 2017, 3.5).
 * An odd d ends with a sine. */
static void sinusoidal_row(double place, size_t d, double base, double *row) {
    for (size_t c = 0; c < d; c++) {
        double angle = place / pow(base, (double)(c - c % 2) / (double)d);
        row[c] = c % 2 == 0 ? sin(angle) : cos(angle);
    }
}

Tensor *position_sinusoidal(size_t n, size_t d, double base, double offset, Error *err) {
    Shape shape = shape_2d(n, d);
    Tensor *rows = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; rows && i < n; i++) {
        if (interrupted(err)) {
            tensor_unref(rows);
            return NULL;
        }
        sinusoidal_row(offset + (double)i, d, base, tensor_doubles(rows) + i * d);
    }
    return rows;
}

static void normal_row(Random *random, size_t d, double *row) {
    for (size_t c = 0; c < d; c++) row[c] = random_normal(random);
}

static void copy_row(double *to, const double *from, size_t d) {
    for (size_t c = 0; c < d; c++) to[c] = from[c];
}

/* Row p of the table is the p-th run of d draws, so that it is the same
 * whichever rows are asked for: what stands before `offset` is drawn into the first row, and over.
 */
static bool learned_fill(double *rows, size_t n, size_t d, double trained, long long offset,
                         uint64_t seed, Error *err) {
    long long last = offset + (long long)n;
    long long drawn = (double)last < trained ? last : (long long)trained;
    Random random;
    random_seed(&random, seed);
    for (long long place = 0; place < drawn; place++) {
        if (interrupted(err)) return false;
        normal_row(&random, d, rows + (place > offset ? (size_t)(place - offset) * d : 0));
    }
    for (long long place = drawn > offset ? drawn : offset + 1; place < last; place++) {
        double *row = rows + (size_t)(place - offset) * d;
        copy_row(row, row - d, d);
    }
    return true;
}

static Tensor *learned_rows(size_t n, size_t d, double trained, long long offset, uint64_t seed,
                            Error *err) {
    if (offset < 0 && n > 0) {
        error_set(err, ERR_VALUE,
                  "learned positions begin at place 0, but a query stands at place %lld", offset);
        return NULL;
    }
    if (!(trained >= 1) && n > 0) {
        error_set(err, ERR_VALUE, "at least 1 learned position must be trained, not %g", trained);
        return NULL;
    }
    Shape shape = shape_2d(n, d);
    Tensor *rows = tensor_new(DTYPE_DOUBLE, &shape, err);
    if (rows && rows->count > 0 &&
        !learned_fill(tensor_doubles(rows), n, d, trained, offset, seed, err)) {
        tensor_unref(rows);
        return NULL;
    }
    return rows;
}

Tensor *position_learned(size_t n, size_t d, size_t trained, uint64_t seed, Error *err) {
    return learned_rows(n, d, (double)trained, 0, seed, err);
}

Tensor *position_rows(const PositionSpec *position, size_t n, size_t d, long long offset,
                      Error *err) {
    if (position->kind == POSITION_SINUSOIDAL)
        return position_sinusoidal(n, d, 10000, (double)offset, err);
    double trained = position->has_trained ? position->trained : INFINITY;
    return learned_rows(n, d, trained, offset, position->seed, err);
}

Tensor *position_added(Tensor *x, const PositionSpec *position, long long offset, Error *err) {
    if (!position_is_additive(position->kind)) return tensor_ref(x);
    const size_t *last = x->shape.size + x->shape.axes - 2;
    Tensor *rows = position_rows(position, last[0], last[1], offset, err);
    Tensor *same =
        rows ? tensor_cast(rows, x->dtype == DTYPE_FLOAT ? DTYPE_FLOAT : DTYPE_DOUBLE, err) : NULL;
    Tensor *sum = same ? op_binary(OP_ADD, x, same, err) : NULL;
    tensor_unref(rows);
    tensor_unref(same);
    return sum;
}

/* ---- added to the scores ---- */

bool position_check_bias(const PositionSpec *position, size_t heads, Error *err) {
    const Tensor *table = position->table;
    if (position->kind == POSITION_ALIBI && position->has_slope && heads > 1) {
        error_set(err, ERR_VALUE, "a slope of alibi is for one head, but there are %zu", heads);
        return error_hint(err, "Leave the slope out: each head has its own, 2^(-8h/%zu).", heads);
    }
    if (position->kind == POSITION_RELATIVE && table &&
        (table->shape.axes != 1 || table->count % 2 == 0)) {
        error_set(err, ERR_SHAPE,
                  "a table of relative positions must be a vector of odd length, but it is %s",
                  shape_words(&table->shape));
        return error_hint(err, "Distances are clipped to -m ... m: that makes 2m+1 entries.");
    }
    return true;
}

static double slope_of_head(const PositionSpec *position, size_t heads, size_t head) {
    if (position->has_slope) return position->slope;
    if (position->kind == POSITION_RELATIVE) return 1;
    if (heads == 1)
        return 0.5; /* Press et al.'s 2^(-8h/H) would give 1/256, which shows nothing on a short
                       sentence */
    return exp2(-8.0 * (double)(head % heads + 1) / (double)heads);
}

/* clip(distance, -m, m) + m */
size_t position_table_entry(const Tensor *table, long long distance) {
    long long m = (long long)(table->count / 2);
    return (size_t)((distance < -m ? -m : distance > m ? m : distance) + m);
}

/* For keys 0 .. keys-1. */
static void table_row(const Tensor *table, long long place, size_t keys, double *row) {
    for (size_t j = 0; j < keys; j++)
        row[j] = tensor_get(table, position_table_entry(table, place - (long long)j));
}

void position_bias_row(const PositionSpec *position, size_t heads, size_t head, long long place,
                       size_t keys, double *row) {
    if (position->kind == POSITION_RELATIVE && position->table) {
        table_row(position->table, place, keys, row);
        return;
    }
    double slope = slope_of_head(position, heads, head);
    for (size_t j = 0; j < keys; j++)
        row[j] =
            -slope * fabs((double)(place - (long long)j)) + 0.0; /* + 0: no -0 on the diagonal */
}

Tensor *position_bias(const PositionSpec *position, size_t heads, size_t queries, size_t keys,
                      long long offset, Error *err) {
    if (!position_check_bias(position, heads, err)) return NULL;
    Shape shape = shape_3d(heads, queries, keys);
    Tensor *bias = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t r = 0; bias && r < heads * queries; r++) {
        if (interrupted(err)) {
            tensor_unref(bias);
            return NULL;
        }
        position_bias_row(position, heads, r / queries, offset + (long long)(r % queries), keys,
                          tensor_doubles(bias) + r * keys);
    }
    return bias;
}

Tensor *position_alibi(size_t n, size_t heads, Error *err) {
    PositionSpec position = {.kind = POSITION_ALIBI};
    return position_bias(&position, heads, n, n, 0, err);
}

Tensor *position_relative(size_t n, double slope, Tensor *table, Error *err) {
    PositionSpec position = {
        .kind = POSITION_RELATIVE, .has_slope = true, .slope = slope, .table = table};
    Tensor *deep = position_bias(&position, 1, n, n, 0, err);
    if (!deep) return NULL;
    Shape flat = shape_2d(n, n);
    Tensor *bias = tensor_with_shape(deep, &flat, err);
    tensor_unref(deep);
    return bias;
}
