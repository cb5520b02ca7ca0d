/* What of a table fits into the width, and how wide each part becomes. */
#ifndef ATTN_VIEW_TABLE_LAYOUT_H
#define ATTN_VIEW_TABLE_LAYOUT_H

#include "view/scale.h"
#include "view/table.h"

/* The first and the last of `count` are shown; what lies between is left out. */
typedef struct Shown {
    size_t head, tail, count;
} Shown;

typedef struct TableLayout {
    const Table *table;
    bool utf8;
    NumberForm form;
    Shown rows, columns;
    size_t gap; /* before each cell: 2, or 1 where room is short */
    size_t label_width;
    size_t *widths; /* of each column of cells, then of each further column */
    size_t extras;  /* how many of the further columns are shown */
} TableLayout;

static inline bool shown_all(const Shown *shown) { return shown->head + shown->tail == shown->count; }
static inline size_t shown_count(const Shown *shown) { return shown->head + shown->tail; }
/* The i-th of those that are shown. */
static inline size_t shown_at(const Shown *shown, size_t i) { return i < shown->head ? i : shown->count - shown->tail + (i - shown->head); }

Shown show_at_most(size_t count, size_t most);
/* "rows 12 to 51 of 64 are not shown\n", shorter where that is wider than `columns`. */
void shown_write_rest(Text *out, const Shown *shown, const char *what, int columns);

bool table_layout_init(TableLayout *layout, const Table *table, int columns, bool utf8);
void table_layout_release(TableLayout *layout);
NumberForm table_extra_form(const Table *table, size_t extra);

#endif
