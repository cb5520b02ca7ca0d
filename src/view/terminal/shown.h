/* Chooses which of many rows or columns are shown: the first and the last, or those that were
 * picked; what lies between is left out. */
#ifndef ATTN_VIEW_SHOWN_H
#define ATTN_VIEW_SHOWN_H

#include "base/text.h"

typedef struct Shown {
    size_t head, tail, count;
    const size_t *picked; /* `head` of them, rising, borrowed; NULL: the first and the last */
} Shown;

static inline bool shown_all(const Shown *shown) {
    return shown->head + shown->tail == shown->count;
}
static inline size_t shown_count(const Shown *shown) { return shown->head + shown->tail; }
/* The i-th of those that are shown; behind the last of them the count of all. */
static inline size_t shown_at(const Shown *shown, size_t i) {
    if (i >= shown_count(shown)) return shown->count;
    if (shown->picked) return shown->picked[i];
    return i < shown->head ? i : shown->count - shown->tail + (i - shown->head);
}
/* True if the i-th of them comes behind a gap of what is left out. */
static inline bool shown_gap_before(const Shown *shown, size_t i) {
    return shown_at(shown, i) > (i ? shown_at(shown, i - 1) + 1 : 0);
}

static inline Shown show_all(size_t count) { return (Shown){.head = count, .count = count}; }
Shown show_at_most(size_t count, size_t most);
/* "rows 12 to 51 of 64 are not shown\n", in lines of `columns`. */
void shown_write_rest(Text *out, const Shown *shown, const char *what, int columns);

#endif
