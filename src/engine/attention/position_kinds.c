/* The schemes of positions: for each its numbers, and its row. A new scheme is one more row here,
 * which is also added to the list at the end. */
#include "engine/attention/position.h"

#include "base/interrupt.h"
#include "base/random.h"
#include "engine/operators/rope.h"
#include "engine/tensor/recording.h"

#include <math.h>
#include <string.h>

enum { POLL_EVERY = 1 << 14 }; /* numbers of a row between two looks at the interrupt flag */

/* The notes that help adds to a word. */
static const char inputs[] = "added to the inputs", scores[] = "added to the scores by distance";

const PositionDef no_position = {.words = {.word = "none", .usage = "none"}};

/* ---- sinusoidal: added to the inputs ---- */

/* PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos of the same (Vaswani et al. 2017, 3.5).
 * An odd d ends with a sine. */
Tensor *position_sinusoidal(size_t n, size_t d, double base, double offset, Error *err) {
    Shape shape = shape_2d(n, d);
    Tensor *rows = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; rows && rows->count > 0 && i < n; i++) {
        double *row = tensor_doubles(rows) + i * d, place = offset + (double)i;
        for (size_t c = 0; c < d; c++) {
            if (c % POLL_EVERY == 0 && interrupted(err)) return tensor_if(false, rows);
            double angle = place / pow(base, (double)(c - c % 2) / (double)d);
            row[c] = c % 2 == 0 ? sin(angle) : cos(angle);
        }
    }
    return rows;
}

static Tensor *sinusoidal_rows(const PositionSpec *position, size_t n, size_t d, long long offset,
                               Error *err) {
    (void)position;
    return position_sinusoidal(n, d, 10000, (double)offset, err);
}

const PositionDef sinusoidal_position = {
    .words = {.word = "sinusoidal", .usage = "sinusoidal", .note = inputs},
    .rows = sinusoidal_rows,
    .spread = 1};

/* ---- learned: added to the inputs ---- */

static Tensor *learned_rows(const PositionSpec *position, size_t n, size_t d, long long offset,
                            Error *err) {
    double trained = position->has_number ? position->number : INFINITY;
    if (offset < 0 && n > 0) {
        error_set(err, ERR_VALUE,
                  "learned positions begin at position 0, but a query is at position %lld", offset);
        return NULL;
    }
    if (!(trained >= 1) && n > 0) {
        error_set(err, ERR_VALUE, "at least 1 learned position must be trained, not %g", trained);
        return NULL;
    }
    Shape shape = shape_2d(n, d);
    Tensor *rows = tensor_new(DTYPE_DOUBLE, &shape, err);
    if (!rows || rows->count == 0) return rows;

    /* Row p of the table is the p-th run of d draws, so that it is the same whichever rows are
     * asked for. The rows before `offset` are drawn, too: into the first row, which is then
     * overwritten. */
    long long last = offset + (long long)n;
    long long drawn = (double)last < trained ? last : (long long)trained;
    Random random;
    random_seed(&random, position->seed);
    for (long long place = 0; place < drawn; place++) {
        double *row = tensor_doubles(rows) + (place > offset ? (size_t)(place - offset) * d : 0);
        for (size_t c = 0; c < d; c++) {
            if (c % POLL_EVERY == 0 && interrupted(err)) return tensor_if(false, rows);
            row[c] = random_normal(&random);
        }
    }
    for (long long place = drawn > offset ? drawn : offset + 1; place < last; place++) {
        double *row = tensor_doubles(rows) + (size_t)(place - offset) * d;
        memcpy(row, row - d, d * sizeof *row);
    }
    return rows;
}

Tensor *position_learned(size_t n, size_t d, size_t trained, uint64_t seed, Error *err) {
    PositionSpec position = {&learned_position, true, (double)trained, NULL, seed};
    return learned_rows(&position, n, d, 0, err);
}

const PositionDef learned_position = {.words = {.word = "learned",
                                                .takes = WORD_TAKES_WHOLE,
                                                .optional = true,
                                                .usage = "learned [trained]",
                                                .note = inputs,
                                                .what = "the number of trained rows",
                                                .least = 1},
                                      .rows = learned_rows,
                                      .spread = 3};

/* ---- relative: added to the scores ---- */

/* Adds 0 so that the diagonal has no -0. */
static void slope_row(double slope, long long place, size_t keys, double *row) {
    for (size_t j = 0; j < keys; j++) row[j] = -slope * fabs((double)(place - (long long)j)) + 0.0;
}

/* clip(distance, -m, m) + m, in the row of the head */
size_t position_table_entry(const Tensor *table, size_t head, long long distance) {
    size_t heads = table->shape.axes == 2 ? table->shape.size[0] : 1, width = table->count / heads;
    long long m = (long long)(width / 2);
    if (distance < -m) distance = -m;
    if (distance > m) distance = m;
    return head % heads * width + (size_t)(distance + m);
}

static void relative_row(const PositionSpec *position, size_t heads, size_t head, long long place,
                         size_t keys, double *row) {
    const Tensor *table = position->table;
    (void)heads;
    if (!table) {
        slope_row(position->has_number ? position->number : 1, place, keys, row);
        return;
    }
    for (size_t j = 0; j < keys; j++)
        row[j] = tensor_get(table, position_table_entry(table, head, place - (long long)j));
}

static bool check_table(const Tensor *table, Error *err) {
    int axes = table->shape.axes;
    if ((axes == 1 || axes == 2) && table->shape.size[axes - 1] % 2 == 1) return true;
    error_set(err, ERR_SHAPE,
              "a table of relative positions must be a vector of odd length, or such a row for "
              "each head, but it is %s",
              shape_words(&table->shape));
    return error_hint(err, "Distances are clipped to -m ... m: that makes 2m + 1 entries.");
}

static bool check_relative(const PositionSpec *position, size_t heads, size_t head_width,
                           Error *err) {
    const Tensor *table = position->table;
    (void)head_width;
    if (!table) return true;
    if (!check_table(table, err)) return false;
    return table->shape.axes == 1 || table->shape.size[0] == heads ||
           error_set(
               err, ERR_SHAPE, "the table of relative positions is %s, but there %s %zu head%s",
               shape_words(&table->shape), heads == 1 ? "is" : "are", heads, heads == 1 ? "" : "s");
}

const PositionDef relative_position = {.words = {.word = "relative",
                                                 .takes = WORD_TAKES_NUMBER_OR_ARRAY,
                                                 .optional = true,
                                                 .usage = "relative [slope or array]",
                                                 .note = scores,
                                                 .what = "the slope of relative",
                                                 .check_array = check_table},
                                       .score_row = relative_row,
                                       .check = check_relative};

Tensor *position_relative(size_t n, double slope, Tensor *table, Error *err) {
    PositionSpec position = {&relative_position, true, slope, table, 0};
    LocalTensor *deep = position_bias(&position, 1, n, n, 0, err);
    if (!deep) return NULL;
    Shape flat = shape_2d(n, n);
    Tensor *bias = tensor_with_shape(deep, &flat, err);
    if (bias && table && tape_tracks(&table, 1)) {
        tensor_unref(bias);
        return position_table_term(table, n, n, 0, err);
    }
    return bias;
}

/* ---- alibi: added to the scores ---- */

static void alibi_row(const PositionSpec *position, size_t heads, size_t head, long long place,
                      size_t keys, double *row) {
    double slope = exp2(-8.0 * (double)(head % heads + 1) / (double)heads);
    if (heads == 1) slope = 0.5; /* 2^(-8h/H) would be 1/256: nothing on a short sentence */
    slope_row(position->has_number ? position->number : slope, place, keys, row);
}

static bool check_alibi(const PositionSpec *position, size_t heads, size_t head_width, Error *err) {
    (void)head_width;
    if (!position->has_number || heads == 1) return true;
    error_set(err, ERR_VALUE, "a slope of alibi is for one head, but there are %zu", heads);
    return error_hint(err, "Leave the slope out: each head has its own, 2^(-8h/%zu).", heads);
}

const PositionDef alibi_position = {.words = {.word = "alibi",
                                              .takes = WORD_TAKES_NUMBER,
                                              .optional = true,
                                              .usage = "alibi [slope]",
                                              .note = scores,
                                              .what = "the slope of alibi"},
                                    .score_row = alibi_row,
                                    .check = check_alibi};

Tensor *position_alibi(size_t n, size_t heads, Error *err) {
    PositionSpec position = {.kind = &alibi_position};
    return position_bias(&position, heads, n, n, 0, err);
}

/* ---- rope: rotates queries and keys ---- */

static Tensor *turning_angles(DType dtype, double first, size_t places, size_t width, Error *err) {
    return rope_angles(dtype, ROPE_BASE, first, places, width, err);
}

static bool check_rope(const PositionSpec *position, size_t heads, size_t head_width, Error *err) {
    (void)position, (void)heads;
    return head_width % 2 == 0 ||
           error_set(err, ERR_SHAPE,
                     "rope rotates pairs of columns, but a head has %zu: the width must be even",
                     head_width);
}

const PositionDef rope_position = {
    .words = {.word = "rope", .usage = "rope", .note = "rotates queries and keys"},
    .angles = turning_angles,
    .check = check_rope,
    .spread = 1};

/* ---- all ---- */

const PositionDef *const position_kinds[] = {&no_position,
                                             &sinusoidal_position,
                                             &learned_position,
                                             &relative_position,
                                             &alibi_position,
                                             &rope_position,
                                             NULL};

static const WordDef *position_words(size_t i) {
    return position_kinds[i] ? &position_kinds[i]->words : NULL;
}

const WordGrammar position_grammar = {"position", position_words, NULL};
