/* The cells of tables and heatmaps in characters: the words of each, fitted to its width, on the
 * ground that its number has in a palette; and what one cell shows for several numbers. A cell is
 * put together in pen->text, and then put behind what the line has. */
#ifndef ATTN_VIEW_CELLS_H
#define ATTN_VIEW_CELLS_H

#include "view/picture.h"
#include "view/scale.h"
#include "view/terminal/terminal_color.h"

typedef enum Align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_MIDDLE } Align;

typedef struct CellPen {
    Text *out;
    bool utf8;
    Brush brush;
    const Palette *palette;
    Range range;     /* of the palette */
    NumberForm form; /* of the numbers */
    Text text;       /* of the next cell */
} CellPen;

CellPen cell_pen(Text *out, const char *palette, ColorDepth color, bool utf8);
/* If the pen's text ran out of memory, so has `out` then. */
void cell_pen_release(CellPen *pen);

/* Adds a number, or the sign for one that is hidden. */
void cell_number(CellPen *pen, double x, bool hidden);
void cell_label(CellPen *pen, const Labels *labels, size_t index);
/* The colour of a number, or of one that is absent. */
TerminalColor cell_color(const CellPen *pen, double x, bool absent);
/* Appends the text cut to and padded to exactly `width` columns; the next cell is empty. */
void cell_put(CellPen *pen, size_t width, Align align);

/* ---- several values in a cell ---- */

/* `count` values in `cells` blocks whose sizes differ by at most one: where block i begins, and
 * which block the i-th value is in. */
static inline size_t block_begin(size_t i, size_t count, size_t cells) { return i * count / cells; }
static inline size_t block_of(size_t i, size_t count, size_t cells) {
    return ((i + 1) * cells - 1) / count;
}

/* A matrix brought down to the cells that a screen can show: each is the mean of a block of its
 * values, or the largest of them. */
typedef struct Grid {
    size_t rows, columns;
    double *values;       /* nan where none of the block's values is a number */
    bool *hidden;         /* true where all of the block's values are hidden */
    size_t hidden_values; /* the numbers of hidden values and of nan: neither counts */
    size_t missing_values;
} Grid;

/* rows, columns: of cells, at most those of the picture. ERR_LIMIT. */
bool grid_init(Grid *grid, const Picture *picture, size_t rows, size_t columns, bool largest,
               Error *err);
void grid_release(Grid *grid);

#endif
