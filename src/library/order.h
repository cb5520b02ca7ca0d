/* The order of values, as Python's < has it: numbers, strings, lists item by item. */
#ifndef ATTN_LIBRARY_ORDER_H
#define ATTN_LIBRARY_ORDER_H

#include "lang/value.h"

/* *out is -1, 0 or 1. nan comes after every number. ERR_TYPE for what has no order. */
bool order_compare(const Value *a, const Value *b, int *out, Error *err);
/* Sets *sign to -1, 0 or 1 as item a comes before b, with it or after it. */
typedef bool (*OrderCompare)(const void *items, size_t a, size_t b, int *sign, Error *err);
/* The indices of the items in rising (or falling) order, equal ones as they stand; freed with
 * mem_free. NULL: memory ran out, Ctrl-C, or what the comparison says. */
size_t *order_sort(OrderCompare compare, const void *items, size_t count, bool falling, Error *err);

#endif
