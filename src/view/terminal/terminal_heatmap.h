/* A heatmap in a terminal's colours: cells with their numbers where they fit, else half blocks, two
 * cells to a character; the names of rows and columns; the colours and what they mean below.
 * text_heatmap.c draws without colours. */
#ifndef ATTN_VIEW_TERMINAL_HEATMAP_H
#define ATTN_VIEW_TERMINAL_HEATMAP_H

#include "view/scale.h"
#include "view/terminal/terminal_picture.h"

/* The headings above the columns, best first. */
typedef enum Heading {
    HEADING_NAMES,
    HEADING_STAGGERED, /* names in two lines alternately */
    HEADING_RULER,     /* the number of each column, tens above ones */
    HEADING_TICKS,     /* round numbers */
} Heading;

/* How a heatmap is brought onto a screen. */
typedef struct CellLayout {
    const Picture *picture; /* both borrowed */
    const Screen *screen;
    size_t rows,
        columns; /* of cells: fewer than the picture's where a cell is the mean of several values */
    bool half;   /* two cells to a character, above each other */
    size_t cell_width;
    bool numbers; /* the cells' numbers are in them */
    NumberForm form;
    size_t number_width;
    size_t label_width; /* of the rows' labels; the cells begin a column behind them */
    bool numbered;      /* rows are labelled with their numbers and names */
    Heading heading;
    bool axes_above;  /* the words for rows and columns have a line above; else they are below */
    bool gap_below;   /* an empty line keeps the colour bar from looking like a row */
    bool names_below; /* names for the numbers above the columns */
} CellLayout;

/* Plans a picture that has cells, for a screen or a panel of one. */
CellLayout cell_layout(const Picture *picture, const Screen *screen);
/* True if a cell shows several values. */
static inline bool cell_layout_averages(const CellLayout *layout) {
    return layout->rows < layout->picture->rows || layout->columns < layout->picture->columns;
}
/* Rows and columns that show several of the picture's have no name. */
static inline bool rows_are_named(const CellLayout *layout) {
    return layout->picture->row_labels.items && layout->rows == layout->picture->rows;
}
static inline bool columns_are_named(const CellLayout *layout) {
    return layout->picture->column_labels.items && layout->columns == layout->picture->columns;
}
/* The lines of characters that the cells take. */
static inline size_t cell_layout_body(const CellLayout *layout) {
    return layout->half ? (layout->rows + 1) / 2 : layout->rows;
}
size_t digits_of(size_t number);

/* Appends "keys: 0 the, 1 cat", in lines of the screen's width. */
void heatmap_write_names(Text *out, const char *title, const Labels *labels, size_t count,
                         const Screen *screen);

#endif
