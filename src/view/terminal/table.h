/* Tables in a terminal: labelled rows and columns of numbers, shaded by colour
 * where there is colour, aligned by display width (Chinese, emoji), fitted to
 * the width with an elision that says what it left out. */
#ifndef ATTN_VIEW_TABLE_H
#define ATTN_VIEW_TABLE_H

#include "base/host.h"
#include "view/label.h"

typedef struct TableColumn { /* a further column to the right of the cells */
    const char *title;
    const double *values; /* one for each row; nan is shown as empty when `blank_nan` */
    bool blank_nan;
} TableColumn;

typedef struct Table {
    const double
        *cells; /* rows x columns, row-major; when `gathered`, of the rows of table_rows alone */
    size_t rows, columns;
    bool all_rows; /* however many; otherwise those of table_rows */
    Labels row_labels, column_labels;
    const bool *hidden; /* masked cells, shown as a dot, in the same order; or NULL */
    bool gathered;
    bool shaded; /* background by value between low and high */
    bool weighs; /* the rows are weights of the columns: where columns are left out, those with the
                    largest weight of a row stay, and of a square table its diagonal; first those of
                    row `asked`, if there is one */
    size_t asked;
    double low, high;
    const char *palette;
    const TableColumn *extra;
    size_t extra_count;
    int digits;         /* significant */
    const char *corner; /* the word in the corner; or NULL */
} Table;

/* The rows that are shown of `rows`: all, or of many the first and the last. */
Shown table_rows(size_t rows);
/* Appends the table in lines, each at most `columns` wide. Decimal places are the same in all
 * cells, so that columns align. */
void table_write(Text *out, const Table *table, int columns, ColorDepth color, bool utf8);

#endif
