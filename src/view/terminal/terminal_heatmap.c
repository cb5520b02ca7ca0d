/* A heatmap in a terminal's colours: cells with their numbers where they fit, else half blocks, two
 * cells to a character; the names of rows and columns; the colours and what they mean below. */
#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/terminal/terminal_bar.h"
#include "view/terminal/terminal_grid.h"
#include "view/terminal/terminal_heading.h"

#include <math.h>
#include <string.h>

enum { PART_GAP = 3 };

typedef struct Canvas {
    Text *out;
    const Picture *picture;
    const Screen *screen; /* of the cells, and of the words below them */
    const CellLayout *layout;
    const Palette *palette;
    const Grid *grid;
    Range range;
    Brush brush;
} Canvas;

/* ---- cells ---- */

static bool is_absent(const Canvas *canvas, size_t cell) {
    return canvas->grid->hidden[cell] || isnan(canvas->grid->values[cell]);
}

static TerminalColor cell_color(const Canvas *canvas, size_t cell) {
    if (is_absent(canvas, cell)) return color_absent(canvas->palette);
    return color_of(canvas->palette, range_fraction(canvas->range, canvas->grid->values[cell]));
}

static void write_cell(Canvas *canvas, size_t cell, Text *scratch) {
    const CellLayout *layout = canvas->layout;
    double x = canvas->grid->values[cell];
    text_clear(scratch);
    if (canvas->grid->hidden[cell]) {
        text_string(scratch, label_hidden(canvas->screen->utf8));
    } else if (isnan(x)) {
        text_string(scratch, "?");
    } else if (layout->numbers) {
        text_repeat(scratch, ' ', layout->number_width - number_form_width(layout->form, x));
        number_form_write(scratch, layout->form, x);
    }
    brush_ground(&canvas->brush, cell_color(canvas, cell));
    terminal_centre(canvas->out, scratch, layout->cell_width, canvas->screen->utf8);
}

/* A line of cells; of half cells two rows, the upper half of a character in the ink's colour, the
 * lower in the ground's. Of an odd number of rows the last has only an upper half. */
static void write_cells(Canvas *canvas, size_t line, Text *scratch) {
    const Grid *grid = canvas->grid;
    bool half = canvas->layout->half;
    size_t row = half ? 2 * line : line;
    for (size_t j = 0; j < grid->columns; j++) {
        size_t upper = row * grid->columns + j, lower = upper + grid->columns;
        bool pair = row + 1 < grid->rows;
        if (!half || (pair && is_absent(canvas, upper) && is_absent(canvas, lower))) {
            write_cell(canvas, upper, scratch);
            continue;
        }
        brush_set(&canvas->brush, cell_color(canvas, upper),
                  pair ? cell_color(canvas, lower) : color_of_terminal);
        for (size_t i = 0; i < canvas->layout->cell_width; i++) text_string(canvas->out, "▀");
    }
    brush_reset(&canvas->brush);
}

/* ---- rows ---- */

/* The name of a row; or of a line, which may show several rows, the round number among them, if
 * there is one. */
static void write_row_label(const Canvas *canvas, size_t line, Text *scratch) {
    const CellLayout *layout = canvas->layout;
    const Picture *picture = canvas->picture;
    bool named = picture->row_labels.items && layout->rows == picture->rows;
    size_t lines = cell_layout_body(layout), cells = layout->half ? 2 : 1;
    text_clear(scratch);
    if (named) {
        cell_layout_row_label(scratch, layout, picture, cells * line, canvas->screen->utf8);
    } else {
        size_t first = block_begin(cells * line, picture->rows, layout->rows), end = picture->rows;
        if (line + 1 < lines) end = block_begin(cells * (line + 1), picture->rows, layout->rows);
        size_t step =
            lines < picture->rows ? step_round_up((2 * picture->rows + lines - 1) / lines) : 1;
        size_t tick = (first + step - 1) / step * step;
        if (tick < end) text_format(scratch, "%zu", tick);
    }
    label_shorten(scratch, &picture->row_labels, layout->label_width, canvas->screen->utf8);
    label_fit(canvas->out, scratch, layout->label_width, !named, canvas->screen->utf8);
    text_char(canvas->out, ' ');
}

/* ---- the colour bar and what else is to be said ---- */

/* Writes the bar below the cells under the first of them; where it follows them at once, a word
 * tells it from a row. Returns the column behind it. */
static size_t write_bar(Canvas *canvas) {
    ColorBar bar = {.palette = canvas->palette, .range = canvas->range};
    size_t columns = canvas->screen->columns, before = canvas->layout->label_width + 1;
    const char *word = canvas->layout->gap_below ? "" : "colours ";
    if (*word) before = strlen(word);
    color_bar_size(&bar, *word ? 0 : canvas->layout->columns * canvas->layout->cell_width, columns);
    if (before + bar.width > columns) before = 0, word = "";
    text_string(canvas->out, word);
    text_repeat(canvas->out, ' ', before - strlen(word));
    color_bar_write(&bar, &canvas->brush);
    return before + bar.width;
}

/* " · masked", the mark on the ground of such a cell. */
static void write_absent(Canvas *canvas, size_t *at, const char *mark, const char *meaning) {
    terminal_room_for(canvas->out, at, PART_GAP, 4 + strlen(meaning), canvas->screen->columns);
    brush_ground(&canvas->brush, color_absent(canvas->palette));
    text_format(canvas->out, " %s ", mark);
    brush_reset(&canvas->brush);
    text_format(canvas->out, " %s", meaning);
}

/* The colour bar, the marks of cells without a number, the words of the axes where these are not
 * above, and what a cell of several values is. */
static void write_meanings(Canvas *canvas, Text *scratch) {
    const CellLayout *layout = canvas->layout;
    const Picture *picture = canvas->picture;
    const Grid *grid = canvas->grid;
    size_t columns = canvas->screen->columns, at = write_bar(canvas);
    bool utf8 = canvas->screen->utf8, missing = false;
    for (size_t i = 0; i < grid->rows * grid->columns && !missing; i++)
        missing = !grid->hidden[i] && isnan(grid->values[i]);
    if (grid->hidden_values) write_absent(canvas, &at, label_hidden(utf8), "masked");
    if (missing) write_absent(canvas, &at, "?", "nan");
    if (!layout->axes_above &&
        (has_words(picture->row_title) || has_words(picture->column_title))) {
        text_clear(scratch);
        heading_write_axes(scratch, picture, 0, utf8);
        terminal_room_for(canvas->out, &at, PART_GAP, utf8_width(scratch->data, scratch->length),
                          columns);
        label_write_lines(canvas->out, scratch, columns);
    } else text_char(canvas->out, '\n');
    if (!cell_layout_averages(layout, picture)) return;

    bool even = picture->rows % layout->rows == 0 && picture->columns % layout->columns == 0;
    text_clear(scratch);
    text_format(scratch, "each cell is the %s of %s%zu%s%zu values",
                layout->bare ? "largest" : "mean", even ? "" : "about ",
                (picture->rows + layout->rows / 2) / layout->rows, utf8 ? "×" : "x",
                (picture->columns + layout->columns / 2) / layout->columns);
    if (grid->hidden_values) text_string(scratch, ", without the masked ones");
    if (grid->missing_values) text_format(scratch, "; %zu nan left out", grid->missing_values);
    label_write_lines(canvas->out, scratch, columns);
}

/* ---- the whole ---- */

/* Means lie closer together than the values: their colours get a range of their own. */
static Range range_of_grid(const Canvas *canvas) {
    const Picture *picture = canvas->picture;
    const Grid *grid = canvas->grid;
    if (canvas->screen->colors) return *canvas->screen->colors;
    if (cell_layout_averages(canvas->layout, picture))
        return range_of_colors(grid->values, NULL, grid->rows * grid->columns, 0, 0,
                               palette_is_centred(canvas->palette));
    return canvas->layout->numbers ? heatmap_range(picture) : heatmap_bright_range(picture);
}

void terminal_heatmap(Text *out, const Picture *picture, const Screen *place, const Screen *screen,
                      HeatmapParts parts) {
    CellLayout layout = cell_layout(picture, place);
    Grid grid;
    Text scratch = TEXT_EMPTY;
    if (!grid_init(&grid, picture, layout.rows, layout.columns, layout.bare, NULL)) {
        out->failed = true;
        return;
    }
    Canvas canvas = {
        .out = out, .picture = picture, .screen = place, .layout = &layout, .grid = &grid};
    canvas.palette = palette_of(picture->palette);
    canvas.range = range_of_grid(&canvas);
    canvas.screen = screen;
    canvas.brush = brush_on(out, screen->color);
    if (parts & HEATMAP_CELLS) {
        if (!layout.bare) heading_write(out, picture, screen, &layout);
        for (size_t line = 0; line < cell_layout_body(&layout) && !out->failed; line++) {
            if (!layout.bare) write_row_label(&canvas, line, &scratch);
            write_cells(&canvas, line, &scratch);
            text_char(out, '\n');
        }
    }
    if (parts & HEATMAP_KEY) {
        if (layout.gap_below) text_char(out, '\n');
        write_meanings(&canvas, &scratch);
        if (layout.names_below) heading_write_names(out, picture, screen);
    }
    text_release_for(&scratch, out);
    grid_release(&grid);
}
