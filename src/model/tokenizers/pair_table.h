/* Pairs of tokens that become one token, and how a sequence of tokens is joined by them.
 *
 * Again and again, the pair that is first in the table is joined, of the same pair the one
 * furthest to the left, until no pair of the table is left (Sennrich, Haddow and Birch 2016). Each
 * join makes the sequence shorter, so that this ends whatever the table says. */
#ifndef ATTN_MODEL_TOKENIZERS_PAIR_TABLE_H
#define ATTN_MODEL_TOKENIZERS_PAIR_TABLE_H

#include "base/forward.h"

#include <stddef.h>

enum { NO_TOKEN = -1 };

/* Tokens that a text becomes. */
typedef struct TokenList {
    int *ids;
    size_t count, capacity;
} TokenList;
bool token_list_append(TokenList *list, int id, Error *err);
/* Gives the tokens to the caller if `ok`; else frees them. Returns `ok`. */
bool token_list_give(TokenList *list, bool ok, int **ids, size_t *count);

typedef struct BytePair {
    int left, right; /* tokens that are beside each other */
    int joined;      /* the token that they become */
} BytePair;

typedef struct PairTable {
    BytePair *pairs;
    size_t count;
    int *slots;        /* the pairs by the hash of left and right; -1: free */
    size_t slot_count; /* a power of two */
} PairTable;

/* Copies the pairs. Of a pair that comes twice, the last one counts. */
bool pair_table_init(PairTable *table, const BytePair *pairs, size_t count, Error *err);
void pair_table_release(PairTable *table); /* zeroed memory is fine */

/* The memory that joining needs, kept from one sequence to the next. */
typedef struct PairWork {
    struct PairPiece *pieces;
    struct PairPlace *places;
    size_t capacity; /* tokens of the longest sequence so far */
} PairWork;
void pair_work_release(PairWork *work); /* zeroed memory is fine */

/* Joins ids[0..*count) in place, in O(n log n). ERR_LIMIT, ERR_INTERRUPT: the contents of ids are
 * then undefined. */
bool pair_table_join(const PairTable *table, PairWork *work, int *ids, size_t *count, Error *err);

#endif
