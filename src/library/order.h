/* The order of values, as Python's < has it: numbers, strings, lists item by item. */
#ifndef ATTN_LIBRARY_ORDER_H
#define ATTN_LIBRARY_ORDER_H

#include "lang/value.h"

/* *out is -1, 0 or 1. nan comes after every number. ERR_TYPE for what has no order. */
bool order_compare(const Value *a, const Value *b, int *out, Error *err);

#endif
