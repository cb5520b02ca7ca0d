/* Scratch that is one piece of memory, laid out twice: first to count, then to hand out. */
#ifndef ATTN_ENGINE_SCRATCH_H
#define ATTN_ENGINE_SCRATCH_H

#include <stddef.h>

static inline size_t at_most(size_t n, size_t limit) { return n < limit ? n : limit; }
static inline size_t parts(size_t n, size_t size) { return (n + size - 1) / size; }
static inline size_t round_up(size_t n, size_t multiple) { return parts(n, multiple) * multiple; }

enum { SCRATCH_ALIGNED = 64 };

/* The next `count` things of `size` bytes, or NULL while *at is NULL; adds what they take to
 * *total. */
static inline void *take(char **at, size_t *total, size_t count, size_t size) {
    size_t bytes = round_up(count * size, SCRATCH_ALIGNED);
    void *piece = *at;
    *total += bytes;
    if (*at) *at += bytes;
    return piece;
}

#endif
