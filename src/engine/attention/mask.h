/* Masks: which keys a query may see. True means visible.
 *
 * A MaskSpec is a list of terms joined by "and". Query row i has position offset + i, key row j
 * position j. Each kind of term is a row of mask_kinds.c. */
#ifndef ATTN_ENGINE_MASK_H
#define ATTN_ENGINE_MASK_H

#include "engine/attention/grid.h"
#include "engine/attention/words.h"

typedef struct MaskDef MaskDef;

typedef struct MaskTerm {
    const MaskDef *kind;
    double number;
    Tensor *array; /* a reference of the spec's, or NULL */
} MaskTerm;

enum { MASK_TERMS_MAX = 8 };

typedef struct MaskSpec {
    int count;
    MaskTerm terms[MASK_TERMS_MAX];
} MaskSpec;

/* ---- the kinds ---- */

/* A part of a row: the keys begin .. end-1 of the query at `place`, whose token has the position
 * `at`. row[j - begin] is 1 while key j is visible. */
typedef struct MaskRow {
    GridPlace place;
    long long at;
    size_t begin, end;
    bool whole; /* nothing in the row is hidden yet */
    uint8_t *row;
} MaskRow;

struct MaskDef {
    WordDef words; /* as it is typed */
    /* Its array is laid over the scores (grid.h): booleans hide, numbers are added. Else it holds a
     * number for each key position. */
    bool over_scores;
    /* Narrows the keys [*begin, *end) to those that queries at the positions first .. last see. In
     * doubles: positions stay below 2^53, and widths may be any whole number. NULL: no key is left
     * out. */
    void (*range)(double number, double first, double last, double *begin, double *end);
    /* Hides keys that lie in the range. NULL: it hides none. */
    void (*hide)(const MaskTerm *term, const MaskRow *row);
    /* True if the queries at the positions first .. first+rows-1 see none of the keys begin ..
     * end-1. May return false where it would take long to find out. NULL: always false. */
    bool (*apart)(const Tensor *array, long long first, size_t rows, size_t begin, size_t end);
    bool (*check)(const MaskTerm *term, GridSize size, long long offset, Error *err); /* or NULL */
    /* Give explore the number that the kind starts with, and the one from which on it hides
     * nothing. NULL: the least that is allowed; no end. */
    double (*usual)(size_t keys);
    double (*widest)(size_t queries, size_t keys);
    const MaskDef *with; /* explore offers the two joined, after this kind; or NULL */
};

extern const MaskDef no_mask;       /* only ever the sole term */
extern const MaskDef causal_mask;   /* j <= offset + i */
extern const MaskDef window_mask;   /* |offset + i - j| <= number */
extern const MaskDef padding_mask;  /* j < number */
extern const MaskDef segments_mask; /* array[offset + i] == array[j]; one axis */
extern const MaskDef array_mask;    /* boolean: visible where true; numbers: added to the scores */
extern const MaskDef *const mask_kinds[]; /* all, no_mask first; NULL at the end */
extern const WordGrammar mask_grammar;

/* ---- a mask ---- */

/* Adds a term (refs the array). ERR_LIMIT past MASK_TERMS_MAX; ERR_VALUE for a
 * width or count that is not a whole number >= 0, ERR_SHAPE for segments that are not a vector. */
bool mask_add(MaskSpec *mask, const MaskDef *kind, double number, Tensor *array, Error *err);
void mask_release(MaskSpec *mask);
void mask_copy(MaskSpec *out, const MaskSpec *mask); /* new references */
/* Takes terms from a source; on failure *out is as before. */
bool mask_read(WordSource *source, MaskSpec *out, Error *err);
/* Reads the words of a string: "none", "causal", "window 4", "padding 3", "causal and window 4"
 * (not arrays). ERR_VALUE says which words there are. */
bool mask_parse(MaskSpec *out, const char *words, Error *err);
/* "causal and window 4"; arrays as "array". */
void mask_write(Text *text, const MaskSpec *mask);
/* The term without its array: "window 4", "segments", "". */
void mask_write_term(Text *text, const MaskTerm *term);

/* Computes the terms for queries x keys: `visible` boolean, (Tq,Tk) or (heads,Tq,Tk) when an array
 * has a head axis; `added` the sum of the arrays of numbers in the same way, NULL when there is
 * none. An array may be (Tq,Tk), (Tk,), (1,Tk), (Tq,1), (heads,Tq,Tk) or anything that broadcasts
 * to these. ERR_SHAPE says what the size must be. */
bool mask_resolve(const MaskSpec *mask, size_t heads, size_t queries, size_t keys, long long offset,
                  Tensor **visible, Tensor **added, Error *err);
/* The same of one term: the boolean array of causal_mask(n), window_mask(n, width) and the like,
 * (queries, keys). */
Tensor *mask_alone(const MaskTerm *term, size_t queries, size_t keys, Error *err);

/* The same by rows, for loops that hold no Tq x Tk array. mask_check first: it gives mask_resolve's
 * errors, and knows samples, too. Visibility and numbers to add (row[j - begin] += ...) of the keys
 * begin .. end-1: */
bool mask_check(const MaskSpec *mask, GridSize size, long long offset, Error *err);
void mask_visible_row(const MaskSpec *mask, GridPlace place, size_t begin, size_t end,
                      long long offset, uint8_t *row);
void mask_add_row(const MaskSpec *mask, GridPlace place, size_t begin, size_t end, double *row);
bool mask_adds(const MaskTerm *term); /* does it add numbers to the scores? */
bool mask_has_numbers(const MaskSpec *mask);
/* True of numbers that are all 0 and 1, with a 1 among them: added to the scores they hide nothing,
 * and were surely meant as true and false. (Zeros alone hide nothing by right.) Sets *seen to the
 * number that seems to mean visible: 1, or 0 where with 1 a query would see no key. */
bool mask_looks_boolean(const MaskTerm *term, int *seen);
/* True if a query sees all keys of mask_range, as with causal, window and padding. */
bool mask_is_range(const MaskSpec *mask);
/* The keys [*begin, *end) outside of which the terms hide everything from the queries at positions
 * first .. last. */
void mask_range(const MaskSpec *mask, long long first, long long last, size_t keys, size_t *begin,
                size_t *end);
/* True if a term hides all of the keys begin .. end-1 from the queries at positions first ..
 * first+rows-1. May return false although one does. */
bool mask_apart(const MaskSpec *mask, long long first, size_t rows, size_t begin, size_t end);

#endif
