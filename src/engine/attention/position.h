/* Positions: how attention learns where a token is. Each scheme is a row of position_kinds.c: rows
 * that are added to the inputs, a term that is added to the scores, or angles by which queries and
 * keys are rotated. */
#ifndef ATTN_ENGINE_POSITION_H
#define ATTN_ENGINE_POSITION_H

#include "engine/attention/words.h"
#include "engine/tensor/tensor.h"

typedef struct PositionDef PositionDef;

typedef struct PositionSpec {
    const PositionDef *kind; /* never NULL: no_position for none */
    bool has_number;
    double number; /* relative: the slope, 1 unless given; alibi: the slope, by head unless given;
                      learned: rows that were trained, past them the last one comes again */
    Tensor *table; /* relative: (2m+1,) or (heads, 2m+1), a reference of the spec's; or NULL */
    uint64_t seed; /* learned */
} PositionSpec;

struct PositionDef {
    WordDef words; /* as it is typed */
    /* Added to the inputs: the rows for the positions offset .. offset+n-1, (n, d), double. */
    Tensor *(*rows)(const PositionSpec *position, size_t n, size_t d, long long offset, Error *err);
    /* Added to the scores: the term of a query at `place` for the keys 0 .. keys-1. Heads are
     * counted through all samples. Checked before by position_check. */
    void (*score_row)(const PositionSpec *position, size_t heads, size_t head, long long place,
                      size_t keys, double *row);
    /* Turns queries and keys: cosines and sines as rope_angles gives them. */
    Tensor *(*angles)(DType dtype, double first, size_t places, size_t width, Error *err);
    /* Refuses a number of heads or a width of a head that does not fit. NULL: all fit. */
    bool (*check)(const PositionSpec *position, size_t heads, size_t head_width, Error *err);
    double spread; /* the farthest of its numbers from 0: the end of a picture's colours */
};

extern const PositionDef no_position;
extern const PositionDef sinusoidal_position; /* Vaswani et al. 2017, 3.5 */
extern const PositionDef learned_position;    /* a table of standard normal rows */
extern const PositionDef relative_position;   /* -slope |i - j|, or a table of clipped distances */
extern const PositionDef alibi_position;      /* -slope_h |i - j| (Press et al. 2022) */
extern const PositionDef rope_position;       /* Su et al. 2021 */
extern const PositionDef *const position_kinds[]; /* all, no_position first; NULL at the end */
extern const WordGrammar position_grammar;

static inline bool position_is_additive(const PositionDef *kind) { return kind->rows != NULL; }
static inline bool position_is_bias(const PositionDef *kind) { return kind->score_row != NULL; }
static inline bool position_turns(const PositionDef *kind) { return kind->angles != NULL; }

void position_release(PositionSpec *position); /* to no_position */
void position_copy(PositionSpec *out, const PositionSpec *position);
/* Takes a position from a source; on failure *out is as before. */
bool position_read(WordSource *source, PositionSpec *out, Error *err);
/* Reads the words of a string: "none", "sinusoidal", "learned 8", "relative 0.5", "alibi",
 * "rope". */
bool position_parse(PositionSpec *out, const char *words, Error *err);
void position_write(Text *text, const PositionSpec *position); /* a table as "array" */

/* The rows of an additive encoding for positions offset .. offset+n-1: (n, d), double. */
Tensor *position_rows(const PositionSpec *position, size_t n, size_t d, long long offset,
                      Error *err);
/* x (n, d) or (B, n, d) with these rows added; a reference to x where the kind is not additive.
 * Float stays float. */
Tensor *position_added(Tensor *x, const PositionSpec *position, long long offset, Error *err);
/* ERR_VALUE or ERR_SHAPE where the position does not fit so many heads of that width. */
bool position_check(const PositionSpec *position, size_t heads, size_t head_width, Error *err);
/* The term added to the scores, (heads, Tq, Tk), double; for the bias kinds. ERR_VALUE: a slope
 * with several heads for alibi. */
Tensor *position_bias(const PositionSpec *position, size_t heads, size_t queries, size_t keys,
                      long long offset, Error *err);
/* The entry of a relative position's table for a distance, query minus key. Heads are counted
 * through all samples. */
size_t position_table_entry(const Tensor *table, size_t head, long long distance);
/* The term of a table as an expression of it, (Tq, Tk), or (heads, Tq, Tk) of a table with rows for
 * several heads: on the tape if the table is. */
Tensor *position_table_term(Tensor *table, size_t queries, size_t keys, long long offset,
                            Error *err);

/* The builtins' arrays. */
Tensor *position_sinusoidal(size_t n, size_t d, double base, double offset, Error *err);
Tensor *position_learned(size_t n, size_t d, size_t trained, uint64_t seed, Error *err);
/* (n, n); on the tape if the table is */
Tensor *position_relative(size_t n, double slope, Tensor *table, Error *err);
Tensor *position_alibi(size_t n, size_t heads, Error *err); /* (heads, n, n) */

#endif
