#include "base/arena.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 16, BLOCK_BYTES = 8192 };

struct ArenaBlock {
    ArenaBlock *older;
    size_t used, size;
    _Alignas(ALIGNMENT) char bytes[];
};

void arena_init(Arena *arena) { arena->newest = NULL; }

void arena_release(Arena *arena) {
    while (arena->newest) {
        ArenaBlock *block = arena->newest;
        arena->newest = block->older;
        mem_free(block);
    }
}

void *arena_alloc(Arena *arena, size_t bytes, Error *err) {
    if (bytes > SIZE_MAX / 2) {
        mem_error(err, bytes);
        return NULL;
    }
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    ArenaBlock *newest = arena->newest, *block = newest;
    if (!block || rounded > block->size - block->used) {
        size_t size = rounded > BLOCK_BYTES ? rounded : BLOCK_BYTES;
        block = mem_zeroed(1, sizeof(ArenaBlock) + size, err);
        if (!block) return NULL;
        block->size = size;
        /* A large piece gets a block to itself, behind the newest one, whose room is still there
         * for small pieces. */
        if (newest && size > BLOCK_BYTES) {
            block->older = newest->older;
            newest->older = block;
        } else {
            block->older = newest;
            arena->newest = block;
        }
    }
    void *piece = block->bytes + block->used;
    block->used += rounded;
    return piece;
}

char *arena_string(Arena *arena, const char *text, size_t length, Error *err) {
    char *copy = arena_alloc(arena, length + 1, err);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}
