/* Which of many rows or columns are shown: the first and the last; what lies between is left out.
 */
#ifndef ATTN_VIEW_SHOWN_H
#define ATTN_VIEW_SHOWN_H

#include "base/text.h"

typedef struct Shown {
    size_t head, tail, count;
} Shown;

static inline bool shown_all(const Shown *shown) {
    return shown->head + shown->tail == shown->count;
}
static inline size_t shown_count(const Shown *shown) { return shown->head + shown->tail; }
/* The i-th of those that are shown. */
static inline size_t shown_at(const Shown *shown, size_t i) {
    return i < shown->head ? i : shown->count - shown->tail + (i - shown->head);
}
/* Does the i-th of them come behind the gap of what is left out? */
static inline bool shown_gap_before(const Shown *shown, size_t i) {
    return i == shown->head && !shown_all(shown);
}

Shown show_at_most(size_t count, size_t most);
/* "rows 12 to 51 of 64 are not shown\n", shorter where that is wider than `columns`. */
void shown_write_rest(Text *out, const Shown *shown, const char *what, int columns);

#endif
