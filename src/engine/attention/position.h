/* Positions: how attention learns where a token stands. */
#ifndef ATTN_ENGINE_POSITION_H
#define ATTN_ENGINE_POSITION_H

#include "engine/tensor/tensor.h"

typedef enum PositionKind {
    POSITION_NONE,
    POSITION_SINUSOIDAL, /* added to the inputs (Vaswani et al. 2017, 3.5) */
    POSITION_LEARNED,    /* added to the inputs: a table of standard normal rows */
    POSITION_RELATIVE,   /* added to the scores: -slope |i - j|, or a table of clipped distances */
    POSITION_ALIBI,      /* added to the scores: -slope_h |i - j| (Press et al. 2022) */
    POSITION_ROPE,       /* turns queries and keys (Su et al. 2021) */
} PositionKind;

typedef struct PositionSpec {
    PositionKind kind;
    bool has_slope;
    double slope; /* relative: 1 unless given; alibi: by head unless given */
    bool has_trained;
    double trained; /* learned: rows that were trained; past them the last one again */
    Tensor *table;  /* relative: (2m+1,), a reference of the spec's; or NULL */
    uint64_t seed;  /* learned */
} PositionSpec;

void position_release(PositionSpec *position);
void position_copy(PositionSpec *out, const PositionSpec *position);
/* Reads the words of the setting: "none", "sinusoidal", "learned 8", "relative 0.5", "alibi",
 * "rope". */
bool position_parse(PositionSpec *out, const char *words, Error *err);
void position_write(Text *text, const PositionSpec *position);
bool position_is_additive(PositionKind kind);
bool position_is_bias(PositionKind kind); /* relative, alibi */

/* The rows of an additive encoding for places offset .. offset+n-1: (n, d), double. */
Tensor *position_rows(const PositionSpec *position, size_t n, size_t d, long long offset,
                      Error *err);
/* x (n, d) or (B, n, d) with these rows added; a reference to x where the kind is not additive.
 * Float stays float. */
Tensor *position_added(Tensor *x, const PositionSpec *position, long long offset, Error *err);
/* The term added to the scores, (heads, Tq, Tk), double; for the bias kinds. ERR_VALUE: a slope
 * with several heads for alibi. */
Tensor *position_bias(const PositionSpec *position, size_t heads, size_t queries, size_t keys,
                      long long offset, Error *err);
/* The same by rows: the term of a query at `place` for keys 0 .. keys-1; heads are counted through
 * all samples. position_check_bias first: it gives position_bias's errors. */
bool position_check_bias(const PositionSpec *position, size_t heads, Error *err);
void position_bias_row(const PositionSpec *position, size_t heads, size_t head, long long place,
                       size_t keys, double *row);
/* Which entry of a relative position's table stands for a distance, query minus key. */
size_t position_table_entry(const Tensor *table, long long distance);

/* The builtins' arrays. */
Tensor *position_sinusoidal(size_t n, size_t d, double base, double offset, Error *err);
Tensor *position_learned(size_t n, size_t d, size_t trained, uint64_t seed, Error *err);
Tensor *position_relative(size_t n, double slope, Tensor *table, Error *err); /* (n, n) */
Tensor *position_alibi(size_t n, size_t heads, Error *err);                   /* (heads, n, n) */

#endif
