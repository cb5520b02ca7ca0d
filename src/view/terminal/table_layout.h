/* Chooses what of a table fits into the width, and how wide each part becomes. */
#ifndef ATTN_VIEW_TABLE_LAYOUT_H
#define ATTN_VIEW_TABLE_LAYOUT_H

#include "view/scale.h"
#include "view/terminal/table.h"

typedef struct TableLayout {
    const Table *table;
    bool utf8;
    NumberForm form;
    bool rounded; /* to fewer digits than the table's, for lack of room */
    Shown rows, columns;
    size_t gap; /* before each cell: 2, or 1 where room is short */
    size_t label_width;
    size_t *widths; /* of each column of cells, then of each further column */
    size_t *picked; /* of a table that weighs: the columns of cells that are shown; or NULL */
    size_t extras;  /* the number of further columns that are shown */
} TableLayout;

bool table_layout_init(TableLayout *layout, const Table *table, int columns, bool utf8);
void table_layout_release(TableLayout *layout);
/* The index of the first cell of the i-th row that is shown; and how many cells there are. */
size_t table_row_start(const TableLayout *layout, size_t i);
size_t table_cell_count(const Table *table);
NumberForm table_extra_form(const Table *table, size_t extra);

#endif
