/* Masks: which keys a query may see. True means visible.
 *
 * A MaskSpec is a list of terms joined by "and". Query row i stands at place
 * offset + i, key row j at place j. */
#ifndef ATTN_ENGINE_MASK_H
#define ATTN_ENGINE_MASK_H

#include "engine/attention/grid.h"

typedef enum MaskKind {
    MASK_CAUSAL,   /* j <= offset + i */
    MASK_WINDOW,   /* |offset + i - j| <= number */
    MASK_PADDING,  /* j < number */
    MASK_SEGMENTS, /* array[offset + i] == array[j]; one axis */
    MASK_ARRAY,    /* boolean: visible where true; numbers: added to the scores */
} MaskKind;

enum { MASK_TERMS_MAX = 8 };

typedef struct MaskTerm {
    MaskKind kind;
    double number;
    Tensor *array; /* a reference of the spec's, or NULL */
} MaskTerm;

typedef struct MaskSpec {
    int count;
    MaskTerm terms[MASK_TERMS_MAX];
} MaskSpec;

/* Adds a term (refs the array). ERR_LIMIT past MASK_TERMS_MAX, ERR_VALUE for a
 * width or count that is not a whole number >= 0, ERR_SHAPE for segments that are not a vector. */
bool mask_add(MaskSpec *mask, MaskKind kind, double number, Tensor *array, Error *err);
void mask_release(MaskSpec *mask);
bool mask_copy(MaskSpec *out, const MaskSpec *mask, Error *err);
/* Reads the words of the setting: "none", "causal", "window 4", "padding 3", "causal and window 4"
 * (not arrays). ERR_VALUE says what may stand there. */
bool mask_parse(MaskSpec *out, const char *words, Error *err);
/* "causal and window 4"; arrays as "array". */
void mask_write(Text *text, const MaskSpec *mask);

/* What the terms come to for queries x keys: `visible` boolean, (Tq,Tk) or
 * (heads,Tq,Tk) when an array has a head axis; `added` the sum of the arrays of
 * numbers in the same way, NULL when there is none. An array may be (Tq,Tk), (Tk,), (1,Tk), (Tq,1),
 * (heads,Tq,Tk) or anything that broadcasts to these. ERR_SHAPE says what the size must be. */
bool mask_resolve(const MaskSpec *mask, size_t heads, size_t queries, size_t keys, long long offset,
                  Tensor **visible, Tensor **added, Error *err);

/* The same by rows, for loops that hold no Tq x Tk array. mask_check first: it gives mask_resolve's
 * errors, and knows samples, too. Visibility and numbers to add (row[j - begin] += ...) of the keys
 * begin .. end-1: */
bool mask_check(const MaskSpec *mask, GridSize size, long long offset, Error *err);
void mask_visible_row(const MaskSpec *mask, GridPlace place, size_t begin, size_t end,
                      long long offset, uint8_t *row);
void mask_add_row(const MaskSpec *mask, GridPlace place, size_t begin, size_t end, double *row);
bool mask_has_numbers(const MaskSpec *mask);
/* Only causal, window and padding: what a query sees are the keys of mask_range. */
bool mask_is_range(const MaskSpec *mask);
/* The keys [*begin, *end) outside of which causal, window and padding hide
 * everything from the queries at places first .. last. */
void mask_range(const MaskSpec *mask, long long first, long long last, size_t keys, size_t *begin,
                size_t *end);

/* Segments keep the queries at places first .. first+rows-1 from all of the keys begin .. end-1;
 * told by the range of their ids, so that false may be said of ids out of order. */
bool mask_segments_apart(const MaskSpec *mask, long long first, size_t rows, size_t begin,
                         size_t end);

/* The masks as arrays: causal_mask(n), window_mask(n, width), segment_mask(ids), padding_mask(n,
 * valid). */
Tensor *mask_causal(size_t n, Error *err);
Tensor *mask_window(size_t n, double width, Error *err);
Tensor *mask_segments(Tensor *ids, Error *err);
Tensor *mask_padding(size_t n, double valid, Error *err);

#endif
