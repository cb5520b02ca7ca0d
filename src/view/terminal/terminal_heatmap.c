/* A heatmap in a terminal's colours: cells with their numbers where they fit, else half blocks, two
 * cells to a character; the names of rows and columns; the colours and what they mean below. */
#include "base/utf8.h"
#include "view/label.h"
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
    return canvas->grid->hidden[cell] || isnan(canvas->grid->means[cell]);
}

static TerminalColor cell_color(const Canvas *canvas, size_t cell) {
    if (is_absent(canvas, cell)) return color_absent(canvas->palette);
    return color_of(canvas->palette, range_fraction(canvas->range, canvas->grid->means[cell]));
}

static const char *hidden_mark(const Canvas *canvas) { return canvas->screen->utf8 ? "·" : "."; }

/* What is written into a cell without a number. */
static const char *mark_of(const Canvas *canvas, size_t cell) {
    if (canvas->grid->hidden[cell]) return hidden_mark(canvas);
    return isnan(canvas->grid->means[cell]) ? "?" : "";
}

static void write_cell(Canvas *canvas, size_t cell, Text *scratch) {
    const CellLayout *layout = canvas->layout;
    text_clear(scratch);
    if (!layout->numbers || is_absent(canvas, cell)) {
        text_string(scratch, mark_of(canvas, cell));
    } else {
        text_repeat(scratch, ' ',
                    layout->number_width -
                        number_form_width(layout->form, canvas->grid->means[cell]));
        number_form_write(scratch, layout->form, canvas->grid->means[cell]);
    }
    brush_ground(&canvas->brush, cell_color(canvas, cell));
    terminal_centre(canvas->out, scratch, layout->cell_width, canvas->screen->utf8);
}

/* The upper half of a character has the ink's colour, the lower the ground's. */
static void write_pair(Canvas *canvas, size_t upper, size_t lower, Text *scratch) {
    if (is_absent(canvas, upper) && is_absent(canvas, lower)) {
        write_cell(canvas, upper, scratch);
        return;
    }
    brush_set(&canvas->brush, cell_color(canvas, upper), cell_color(canvas, lower));
    for (size_t i = 0; i < canvas->layout->cell_width; i++) text_string(canvas->out, "▀");
}

/* Of an odd number of rows the last has only an upper half. */
static void write_last_half(Canvas *canvas, size_t upper) {
    brush_set(&canvas->brush, cell_color(canvas, upper), color_of_terminal);
    for (size_t i = 0; i < canvas->layout->cell_width; i++) text_string(canvas->out, "▀");
}

static void write_cells(Canvas *canvas, size_t line, Text *scratch) {
    const Grid *grid = canvas->grid;
    size_t row = canvas->layout->half ? 2 * line : line;
    for (size_t j = 0; j < grid->columns; j++) {
        size_t cell = row * grid->columns + j;
        if (!canvas->layout->half) write_cell(canvas, cell, scratch);
        else if (row + 1 < grid->rows) write_pair(canvas, cell, cell + grid->columns, scratch);
        else write_last_half(canvas, cell);
    }
    brush_reset(&canvas->brush);
}

/* ---- rows ---- */

/* A line that stands for several rows has the round number among them, if there is one. */
static void write_tick(Text *out, const CellLayout *layout, const Picture *picture, size_t line) {
    size_t lines = cell_layout_body(layout), cells = layout->half ? 2 : 1;
    size_t first = block_begin(cells * line, picture->rows, layout->rows);
    size_t last = line + 1 < lines ? block_begin(cells * (line + 1), picture->rows, layout->rows)
                                   : picture->rows;
    size_t step =
        lines < picture->rows ? step_round_up((2 * picture->rows + lines - 1) / lines) : 1;
    size_t tick = (first + step - 1) / step * step;
    if (tick < last) text_format(out, "%zu", tick);
}

static void write_row_label(const Canvas *canvas, size_t line, Text *scratch) {
    const CellLayout *layout = canvas->layout;
    bool named = canvas->picture->row_labels.items && layout->rows == canvas->picture->rows,
         utf8 = canvas->screen->utf8;
    text_clear(scratch);
    if (named)
        cell_layout_row_label(scratch, layout, canvas->picture, layout->half ? 2 * line : line,
                              utf8);
    else write_tick(scratch, layout, canvas->picture, line);
    label_fit(canvas->out, scratch, layout->label_width, !named, utf8);
    text_char(canvas->out, ' ');
}

static void write_rows(Canvas *canvas, Text *scratch) {
    for (size_t line = 0; line < cell_layout_body(canvas->layout) && !canvas->out->failed; line++) {
        write_row_label(canvas, line, scratch);
        write_cells(canvas, line, scratch);
        text_char(canvas->out, '\n');
    }
}

/* ---- the colour bar and what else is to be said ---- */

/* Below the cells it begins under the first of them; where it follows them at once, a word tells it
 * from a row. Returns the column behind it. */
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

static bool any_missing(const Grid *grid) {
    for (size_t i = 0; i < grid->rows * grid->columns; i++) {
        if (!grid->hidden[i] && isnan(grid->means[i])) return true;
    }
    return false;
}

static bool has_axes(const Picture *picture) {
    return has_words(picture->row_title) || has_words(picture->column_title);
}

static void write_below(Canvas *canvas, Text *scratch) {
    size_t at = write_bar(canvas);
    if (canvas->grid->hidden_values) write_absent(canvas, &at, hidden_mark(canvas), "masked");
    if (any_missing(canvas->grid)) write_absent(canvas, &at, "?", "nan");
    if (!canvas->layout->axes_above && has_axes(canvas->picture)) {
        text_clear(scratch);
        heading_write_axes(scratch, canvas->picture, 0, canvas->screen->utf8);
        terminal_room_for(canvas->out, &at, PART_GAP, utf8_width(scratch->data, scratch->length),
                          canvas->screen->columns);
        label_wrap_columns(canvas->out, scratch, canvas->screen->columns);
    }
    text_char(canvas->out, '\n');
}

static void write_note(const Canvas *canvas, Text *scratch) {
    const CellLayout *layout = canvas->layout;
    const Grid *grid = canvas->grid;
    if (!cell_layout_averages(layout, canvas->picture)) return;
    text_clear(scratch);
    const Picture *picture = canvas->picture;
    bool even = picture->rows % layout->rows == 0 && picture->columns % layout->columns == 0;
    text_format(scratch, "each cell is the mean of %s%zu%s%zu values", even ? "" : "about ",
                (picture->rows + layout->rows / 2) / layout->rows, canvas->screen->utf8 ? "×" : "x",
                (picture->columns + layout->columns / 2) / layout->columns);
    if (grid->hidden_values) text_string(scratch, ", without the masked ones");
    if (grid->missing_values) text_format(scratch, "; %zu nan left out", grid->missing_values);
    label_wrap_columns(canvas->out, scratch, canvas->screen->columns);
    text_char(canvas->out, '\n');
}

/* ---- the whole ---- */

/* Means lie closer together than the values: their colours get a range of their own. So does the
 * upper end where there are no numbers to read and all colours would come from the lower half of a
 * given range: the weights of many keys would all be dark. */
static Range range_of_grid(const Canvas *canvas) {
    if (canvas->screen->colors) return *canvas->screen->colors;
    const Picture *picture = canvas->picture;
    const CellLayout *layout = canvas->layout;
    size_t cells = canvas->grid->rows * canvas->grid->columns;
    bool centred = palette_is_centred(canvas->palette), own = cell_layout_averages(layout, picture);
    Range data = range_of(canvas->grid->means, NULL, cells);
    double low = own ? 0 : picture->low, high = own ? 0 : picture->high;
    bool dark =
        !layout->numbers && !centred && data.high > low && data.high < low + (high - low) / 2;
    return range_of_colors(canvas->grid->means, NULL, cells, low, dark ? data.high : high, centred);
}

static void write_cell_rows(Canvas *canvas, Text *scratch) {
    heading_write(canvas->out, canvas->picture, canvas->screen, canvas->layout);
    write_rows(canvas, scratch);
}

static void write_key(Canvas *canvas, Text *scratch) {
    if (canvas->layout->gap_below) text_char(canvas->out, '\n');
    write_below(canvas, scratch);
    write_note(canvas, scratch);
    if (canvas->layout->names_below)
        heading_write_names(canvas->out, canvas->picture, canvas->screen);
}

static void write_whole(Canvas *canvas, Text *scratch) {
    write_cell_rows(canvas, scratch);
    write_key(canvas, scratch);
}

typedef void WritePart(Canvas *canvas, Text *scratch);

/* `place` is what the cells are fitted into, `screen` what the words may fill. */
static void write_part(Text *out, const Picture *picture, const Screen *place, const Screen *screen,
                       WritePart *write) {
    CellLayout layout = cell_layout(picture, place);
    Grid grid;
    Text scratch;
    if (!grid_init(&grid, picture, layout.rows, layout.columns, NULL)) {
        out->failed = true;
        return;
    }
    text_init(&scratch);
    Canvas canvas = {
        .out = out, .picture = picture, .screen = place, .layout = &layout, .grid = &grid};
    canvas.palette = palette_of(picture->palette);
    canvas.range = range_of_grid(&canvas);
    canvas.screen = screen;
    canvas.brush = brush_on(out, screen->color);
    write(&canvas, &scratch);
    if (scratch.failed) out->failed = true;
    text_release(&scratch);
    grid_release(&grid);
}

void terminal_heatmap(Text *out, const Picture *picture, const Screen *screen) {
    write_part(out, picture, screen, screen, write_whole);
}

void terminal_heatmap_cells(Text *out, const Picture *picture, const Screen *panel) {
    write_part(out, picture, panel, panel, write_cell_rows);
}

void terminal_heatmap_key(Text *out, const Picture *picture, const Screen *panel,
                          const Screen *screen) {
    write_part(out, picture, panel, screen, write_key);
}
