/* Stable sorting of doubles, nan last. */
#ifndef ATTN_ENGINE_SORT_H
#define ATTN_ENGINE_SORT_H

#include "base/error.h"

#include <stddef.h>

/* Sorts keys; `values` (or NULL) is rearranged in the same way. Polls the interrupt flag;
 * ERR_LIMIT for its scratch space. On failure what stands in keys and values is of no use. */
bool sort_numbers(double *keys, double *values, size_t n, Error *err);

/* Moves the number that stands at place k of n when they are sorted to that place, with none larger
 * before it and none smaller behind it. None of them is nan. False only when it was interrupted. */
bool select_number(double *x, size_t n, size_t k, Error *err);

#endif
