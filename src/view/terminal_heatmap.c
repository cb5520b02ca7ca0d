/* A heatmap in a terminal's colours: cells with their numbers where they fit, else half blocks, two cells to a
 * character; the names of rows and columns; the colours and what they mean below. */
#include "base/number.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/terminal_color.h"
#include "view/terminal_grid.h"
#include "view/terminal_heading.h"

#include <math.h>
#include <string.h>

enum { BAR_LEAST = 24, BAR_MOST = 40, BAR_DIGITS = 3, PART_GAP = 3 };

typedef struct Canvas {
    Text *out;
    const Picture *picture;
    const Screen *screen;
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

static const char *hidden_mark(const Canvas *canvas) {
    return canvas->screen->utf8 ? "·" : ".";
}

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
        text_repeat(scratch, ' ', layout->number_width - number_form_width(layout->form, canvas->grid->means[cell]));
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
    size_t rows = layout->row_step * (layout->half ? 2 : 1), first = line * rows;
    size_t step = rows > 1 ? step_round_up(2 * rows) : 1;
    size_t tick = (first + step - 1) / step * step;
    if (tick < first + rows && tick < picture->rows) text_format(out, "%zu", tick);
}

static void write_row_label(const Canvas *canvas, size_t line, Text *scratch) {
    const CellLayout *layout = canvas->layout;
    bool named = canvas->picture->row_labels.items && layout->row_step == 1, utf8 = canvas->screen->utf8;
    text_clear(scratch);
    if (named) cell_layout_row_label(scratch, layout, canvas->picture, layout->half ? 2 * line : line, utf8);
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

static size_t bar_width(const Canvas *canvas, size_t numbers) {
    size_t width = canvas->layout->columns * canvas->layout->cell_width;
    width = width < BAR_LEAST ? BAR_LEAST : width > BAR_MOST ? BAR_MOST : width;
    if (width < numbers + 4) width = numbers + 4;
    return width < canvas->screen->columns ? width : canvas->screen->columns;
}

/* Low at the left end, the middle in the middle, high at the right end. */
static void write_on_bar(Text *bar, const Text numbers[3], size_t width) {
    size_t middle = (width - numbers[1].length) / 2, right = width - numbers[2].length;
    text_bytes(bar, numbers[0].data, numbers[0].length);
    if (middle > numbers[0].length && middle + numbers[1].length < right) {
        text_repeat(bar, ' ', middle - bar->length);
        text_bytes(bar, numbers[1].data, numbers[1].length);
    }
    if (right > bar->length) text_repeat(bar, ' ', right - bar->length);
    text_bytes(bar, numbers[2].data, numbers[2].length);
}

/* The numbers are written on the colours that they stand for. Returns the column behind it. */
static size_t write_bar(Canvas *canvas, Text *scratch) {
    const Range *range = &canvas->range;
    double values[] = {range->low, range->low + (range->high - range->low) / 2, range->high};
    Text numbers[3];
    size_t taken = 0;
    for (size_t i = 0; i < 3; i++) {
        text_init(&numbers[i]);
        number_write(&numbers[i], values[i], BAR_DIGITS);
        taken += numbers[i].length;
    }
    size_t width = bar_width(canvas, taken), indent = canvas->layout->label_width + 1;
    if (!canvas->layout->gap_below || indent + width > canvas->screen->columns) indent = 0;
    text_clear(scratch);
    write_on_bar(scratch, numbers, width);
    text_repeat(canvas->out, ' ', indent);
    for (size_t i = 0; i < width && i < scratch->length; i++) {
        brush_ground(&canvas->brush, color_of(canvas->palette, (double)i / (double)(width - 1)));
        text_char(canvas->out, scratch->data[i]);
    }
    brush_reset(&canvas->brush);
    for (size_t i = 0; i < 3; i++) text_release(&numbers[i]);
    return indent + width;
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
    size_t at = write_bar(canvas, scratch);
    if (canvas->grid->hidden_values) write_absent(canvas, &at, hidden_mark(canvas), "masked");
    if (any_missing(canvas->grid)) write_absent(canvas, &at, "?", "nan");
    if (!canvas->layout->axes_above && has_axes(canvas->picture)) {
        text_clear(scratch);
        heading_write_axes(scratch, canvas->picture, 0, canvas->screen->utf8);
        size_t width = utf8_width(scratch->data, scratch->length);
        terminal_room_for(canvas->out, &at, PART_GAP, width, canvas->screen->columns);
        text_bytes(canvas->out, scratch->data, scratch->length);
    }
    text_char(canvas->out, '\n');
}

static void write_note(const Canvas *canvas, Text *scratch) {
    const CellLayout *layout = canvas->layout;
    const Grid *grid = canvas->grid;
    if (!cell_layout_averages(layout)) return;
    text_clear(scratch);
    text_format(scratch, "each cell is the mean of %zu%s%zu values", layout->row_step, canvas->screen->utf8 ? "×" : "x", layout->column_step);
    if (grid->hidden_values) text_string(scratch, ", without the masked ones");
    if (grid->missing_values) text_format(scratch, "; %zu nan left out", grid->missing_values);
    label_wrap_columns(canvas->out, scratch, canvas->screen->columns);
    text_char(canvas->out, '\n');
}

/* ---- the whole ---- */

/* Means lie closer together than the values: their colours get a range of their own. */
static Range range_of_grid(const Canvas *canvas) {
    const Picture *picture = canvas->picture;
    bool centred = strcmp(canvas->palette->name, "diverging") == 0, own = cell_layout_averages(canvas->layout);
    return range_of_colors(canvas->grid->means, NULL, canvas->grid->rows * canvas->grid->columns, own ? 0 : picture->low, own ? 0 : picture->high, centred);
}

static void write_all(Canvas *canvas) {
    Text scratch;
    text_init(&scratch);
    heading_write(canvas->out, canvas->picture, canvas->screen, canvas->layout);
    write_rows(canvas, &scratch);
    if (canvas->layout->gap_below) text_char(canvas->out, '\n');
    write_below(canvas, &scratch);
    write_note(canvas, &scratch);
    if (canvas->layout->names_below) heading_write_names(canvas->out, canvas->picture, canvas->screen);
    if (scratch.failed) canvas->out->failed = true;
    text_release(&scratch);
}

void terminal_heatmap(Text *out, const Picture *picture, const Screen *screen) {
    CellLayout layout = cell_layout(picture, screen);
    Grid grid;
    if (!grid_init(&grid, picture, layout.row_step, layout.column_step, NULL)) {
        out->failed = true;
        return;
    }
    Canvas canvas = {.out = out, .picture = picture, .screen = screen, .layout = &layout, .grid = &grid};
    canvas.palette = palette_of(picture->palette);
    canvas.range = range_of_grid(&canvas);
    canvas.brush = brush_on(out, screen->color);
    write_all(&canvas);
    grid_release(&grid);
}
