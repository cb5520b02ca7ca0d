/* Blocks of memory: sizes, long copies, and scratch that is one piece of memory, laid out twice:
 * first to count, then to hand out. */
#ifndef ATTN_ENGINE_SCRATCH_H
#define ATTN_ENGINE_SCRATCH_H

#include "base/interrupt.h"
#include "base/size.h"

#include <stddef.h>
#include <string.h>

static inline size_t round_up(size_t n, size_t multiple) {
    return divided_up(n, multiple) * multiple;
}

/* memcpy that polls the interrupt flag: false if interrupted. */
static inline bool copy_bytes(void *to, const void *from, size_t bytes, Error *err) {
    enum { COPIED_AT_ONCE = 1 << 21 };
    for (size_t at = 0; at < bytes; at += COPIED_AT_ONCE) {
        if (at && interrupted(err)) return false;
        memcpy((char *)to + at, (const char *)from + at, smaller(bytes - at, COPIED_AT_ONCE));
    }
    return true;
}

enum { SCRATCH_ALIGNED = 64 };

/* The next `count` things of `size` bytes, or NULL while *at is NULL; adds what they take to
 * *total. */
static inline void *scratch_take(char **at, size_t *total, size_t count, size_t size) {
    size_t bytes = round_up(count * size, SCRATCH_ALIGNED);
    void *piece = *at;
    *total += bytes;
    if (*at) *at += bytes;
    return piece;
}

#endif
