/* Stable sorting of doubles, nan last. */
#ifndef ATTN_ENGINE_SORT_H
#define ATTN_ENGINE_SORT_H

#include "base/error.h"

#include <stddef.h>

/* Sorts keys; `values` (or NULL) is rearranged in the same way. Polls the interrupt flag; ERR_LIMIT
 * for its scratch space. On failure the contents of keys and values are of no use. */
bool sort_numbers(double *keys, double *values, size_t n, Error *err);

/* Moves to index k the number that is there when all n are sorted, with none larger before it and
 * none smaller behind it. None of them is nan. False only when it was interrupted. */
bool select_number(double *x, size_t n, size_t k, Error *err);

#endif
