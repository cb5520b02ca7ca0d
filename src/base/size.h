/* Sizes and counts, which are never below 0. */
#ifndef ATTN_BASE_SIZE_H
#define ATTN_BASE_SIZE_H

#include <stddef.h>

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t larger(size_t a, size_t b) { return a > b ? a : b; }
/* The rest of `whole`; 0 where more than all is taken. */
static inline size_t left_of(size_t whole, size_t taken) {
    return whole > taken ? whole - taken : 0;
}
static inline size_t divided_up(size_t a, size_t b) { return (a + b - 1) / b; }

#endif
