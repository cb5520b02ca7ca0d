/* The kinds of mask: for each what it hides, and its row. A new kind is one more row here, which
 * is also added to the list at the end. */
#include "engine/attention/mask.h"

#include <math.h>
#include <string.h>

const MaskDef no_mask = {.words = {.word = "none", .usage = "none"}};

/* ---- causal ---- */

static void causal_range(double number, double first, double last, double *begin, double *end) {
    (void)number, (void)first, (void)begin;
    if (last + 1 < *end) *end = last + 1;
}

const MaskDef causal_mask = {.words = {.word = "causal", .usage = "causal"}, .range = causal_range};

/* ---- window ---- */

static void window_range(double width, double first, double last, double *begin, double *end) {
    if (first - width > *begin) *begin = first - width;
    if (last + width + 1 < *end) *end = last + width + 1;
}

static double usual_window(size_t keys) { return keys > 4 ? 2 : 1; }

static double widest_window(size_t queries, size_t keys) {
    return (double)(queries > keys ? queries : keys) - 1;
}

const MaskDef window_mask = {.words = {.word = "window",
                                       .takes = WORD_TAKES_WHOLE,
                                       .usage = "window W",
                                       .what = "the width of a window"},
                             .range = window_range,
                             .usual = usual_window,
                             .widest = widest_window,
                             .with = &causal_mask};

/* ---- padding ---- */

static void padding_range(double valid, double first, double last, double *begin, double *end) {
    (void)first, (void)last, (void)begin;
    if (valid < *end) *end = valid;
}

static double usual_padding(size_t keys) { return keys > 1 ? (double)keys - 1 : 1; }

static double widest_padding(size_t queries, size_t keys) {
    (void)queries;
    return (double)keys;
}

const MaskDef padding_mask = {.words = {.word = "padding",
                                        .takes = WORD_TAKES_WHOLE,
                                        .usage = "padding N",
                                        .note = "the first N keys are real",
                                        .what = "the number of real keys"},
                              .range = padding_range,
                              .usual = usual_padding,
                              .widest = widest_padding};

/* ---- segments ---- */

static bool check_ids(const Tensor *ids, Error *err) {
    return ids->shape.axes == 1 ||
           error_set(err, ERR_SHAPE,
                     "segments must be a vector with one id for each place, but they are %s",
                     shape_words(&ids->shape));
}

static bool check_segments(const MaskTerm *term, GridSize size, long long offset, Error *err) {
    size_t ids = term->array->count;
    long long last = offset + (long long)size.queries;
    if (size.queries > 0 && offset < 0)
        return error_set(err, ERR_VALUE,
                         "query 0 is at position %lld, but segments begin at position 0", offset);
    if (size.queries > 0 && last > (long long)ids)
        return error_set(err, ERR_SHAPE,
                         "there are %zu segment ids, but the last query is at position %lld: "
                         "there must be at least %lld",
                         ids, last - 1, last);
    if (size.keys > ids)
        return error_set(err, ERR_SHAPE,
                         "there are %zu segment ids, but %zu keys: there must be at least %zu", ids,
                         size.keys, size.keys);
    return true;
}

/* Doubles, the usual type, are read without a function call. */
static double id_at(const Tensor *ids, size_t place) {
    return ids->dtype == DTYPE_DOUBLE ? tensor_doubles(ids)[place] : tensor_get(ids, place);
}

static void hide_other_segments(const MaskTerm *term, const MaskRow *row) {
    double id = id_at(term->array, (size_t)row->at);
    for (size_t j = row->begin; j < row->end; j++)
        row->row[j - row->begin] &= id_at(term->array, j) == id;
}

/* The least and the greatest of the ids begin .. end-1; nan is left out, as it equals nothing. */
static void id_range(const Tensor *ids, size_t begin, size_t end, double *least, double *greatest) {
    *least = INFINITY;
    *greatest = -INFINITY;
    for (size_t i = begin; i < end; i++) {
        double id = id_at(ids, i);
        if (id < *least) *least = id;
        if (id > *greatest) *greatest = id;
    }
}

/* Compares the ranges of the ids, so that ids out of order may count as not apart. */
static bool segments_apart(const Tensor *ids, long long first, size_t rows, size_t begin,
                           size_t end) {
    double low, high, key_low, key_high;
    id_range(ids, (size_t)first, (size_t)first + rows, &low, &high);
    id_range(ids, begin, end, &key_low, &key_high);
    return !(low <= key_high && key_low <= high);
}

const MaskDef segments_mask = {.words = {.word = "segments",
                                         .takes = WORD_TAKES_ARRAY,
                                         .usage = "segments A",
                                         .what = "the segment of each token",
                                         .hint = "Make an array of it: segment_mask(ids).",
                                         .check_array = check_ids},
                               .hide = hide_other_segments,
                               .apart = segments_apart,
                               .check = check_segments};

/* ---- an array ---- */

static bool check_array(const MaskTerm *term, GridSize size, long long offset, Error *err) {
    (void)offset;
    return grid_check(term->array, "the mask", size, err);
}

static void hide_by_array(const MaskTerm *term, const MaskRow *row) {
    if (mask_adds(term)) return;
    GridRow from = grid_row(term->array, row->place);
    const uint8_t *visible = tensor_bools(term->array) + from.start;
    if (row->whole && from.step == 1) {
        memcpy(row->row, visible + row->begin, row->end - row->begin);
        return;
    }
    for (size_t j = row->begin; j < row->end; j++)
        row->row[j - row->begin] &= visible[j * from.step];
}

const MaskDef array_mask = {
    .words = {.takes = WORD_TAKES_ARRAY, .usage = "the name of an array", .what = "the mask"},
    .over_scores = true,
    .hide = hide_by_array,
    .check = check_array};

/* ---- all ---- */

const MaskDef *const mask_kinds[] = {&no_mask,       &causal_mask, &window_mask, &padding_mask,
                                     &segments_mask, &array_mask,  NULL};

static const WordDef *mask_words(size_t i) { return mask_kinds[i] ? &mask_kinds[i]->words : NULL; }

const WordGrammar mask_grammar = {"mask", mask_words, "and"};
