/* An arena: many small pieces that are freed together (tokens, a tree). */
#ifndef ATTN_BASE_ARENA_H
#define ATTN_BASE_ARENA_H

#include "base/forward.h"

typedef struct ArenaBlock ArenaBlock;
typedef struct Arena {
    ArenaBlock *newest;
} Arena;

void arena_init(Arena *arena);
void arena_release(Arena *arena);
/* Zeroed, aligned to 16 bytes, lives until arena_release. ERR_LIMIT. */
void *arena_alloc(Arena *arena, size_t bytes, Error *err);
/* A copy with a zero byte after it. */
char *arena_string(Arena *arena, const char *text, size_t length, Error *err);

#endif
