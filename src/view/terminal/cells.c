#include "view/terminal/cells.h"

#include "base/memory.h"
#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"

#include <math.h>

CellPen cell_pen(Text *out, const char *palette, ColorDepth color, bool utf8) {
    return (CellPen){.out = out,
                     .utf8 = utf8,
                     .brush = brush_on(out, color),
                     .palette = palette_of(palette),
                     .text = TEXT_EMPTY};
}

void cell_pen_release(CellPen *pen) { text_release_for(&pen->text, pen->out); }

void cell_number(CellPen *pen, double x, bool hidden) {
    if (hidden) text_string(&pen->text, label_hidden(pen->utf8));
    else number_form_write(&pen->text, pen->form, x);
}

void cell_label(CellPen *pen, const Labels *labels, size_t index) {
    label_write_for_terminal(&pen->text, labels, index, pen->utf8);
}

TerminalColor cell_color(const CellPen *pen, double x, bool absent) {
    return absent ? color_absent(pen->palette)
                  : color_of(pen->palette, range_fraction(pen->range, x));
}

void cell_put(CellPen *pen, size_t width, Align align) {
    size_t taken = align == ALIGN_MIDDLE ? utf8_width(pen->text.data, pen->text.length) : width,
           before = left_of(width, taken) / 2;
    text_repeat(pen->out, ' ', before);
    label_fit(pen->out, &pen->text, width - before, align == ALIGN_RIGHT, pen->utf8);
    text_clear(&pen->text);
}

/* ---- several values in a cell ---- */

/* The block of row i and column j becomes a cell. */
static void fill_cell(Grid *grid, const Picture *picture, size_t i, size_t j, bool largest) {
    size_t top = block_begin(i, picture->rows, grid->rows),
           bottom = block_begin(i + 1, picture->rows, grid->rows),
           left = block_begin(j, picture->columns, grid->columns),
           right = block_begin(j + 1, picture->columns, grid->columns),
           cell = i * grid->columns + j, all = (bottom - top) * (right - left), count = 0,
           masked = 0;
    double total = 0, most = -(double)INFINITY;
    for (size_t row = top; row < bottom; row++)
        for (size_t at = row * picture->columns + left; at < row * picture->columns + right; at++) {
            double x = picture->cells[at];
            if (cell_is_hidden(picture, at)) {
                masked++;
            } else if (!isnan(x)) {
                total += x;
                if (x > most) most = x;
                count++;
            }
        }
    grid->values[cell] = !count ? (double)NAN : largest ? most : total / (double)count;
    grid->hidden[cell] = masked == all;
    grid->hidden_values += masked;
    grid->missing_values += all - masked - count;
}

bool grid_init(Grid *grid, const Picture *picture, size_t rows, size_t columns, bool largest,
               Error *err) {
    *grid = (Grid){.rows = rows, .columns = columns};
    grid->values = mem_zeroed(rows * columns, sizeof *grid->values, err);
    grid->hidden = grid->values ? mem_zeroed(rows * columns, sizeof *grid->hidden, err) : NULL;
    if (!grid->hidden) {
        grid_release(grid);
        return false;
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) fill_cell(grid, picture, i, j, largest);
    return true;
}

void grid_release(Grid *grid) {
    mem_free(grid->values);
    mem_free(grid->hidden);
    grid->values = NULL;
    grid->hidden = NULL;
}
