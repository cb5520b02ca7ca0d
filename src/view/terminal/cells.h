/* The cells of tables and heatmaps in characters: the words of each, fitted to its width, on the
 * ground that its number has in a palette. A cell is put together in pen->text, and then put behind
 * what the line has. */
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
/* What the text lost, `out` has lost. */
void cell_pen_release(CellPen *pen);

/* Adds a number, or the sign for one that is hidden. */
void cell_number(CellPen *pen, double x, bool hidden);
void cell_label(CellPen *pen, const Labels *labels, size_t index);
/* The colour of a number, or of one that is absent. */
TerminalColor cell_color(const CellPen *pen, double x, bool absent);
/* Appends the text cut to and padded to exactly `width` columns; the next cell is empty. */
void cell_put(CellPen *pen, size_t width, Align align);

#endif
