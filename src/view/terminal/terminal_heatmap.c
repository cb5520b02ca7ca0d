#include "view/terminal/terminal_heatmap.h"

#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/terminal/cells.h"

#include <math.h>
#include <string.h>

enum { PART_GAP = 3 };
/* The columns of a colour bar, the digits of its numbers, and the gap between them. */
enum { BAR_LEAST = 24, BAR_MOST = 40, BAR_DIGITS = 3, BAR_GAP = 2 };

typedef struct Canvas {
    CellPen pen;
    const Picture *picture;
    size_t width; /* of the screen, for the words around the cells */
    const CellLayout *layout;
    const Grid *grid;
} Canvas;

/* ---- what names the columns ---- */

/* Adds "queries ↓  keys →", the second not before column `across`; nothing where the axes have no
 * titles. */
static void add_axes(Canvas *canvas, size_t across) {
    Text *text = &canvas->pen.text;
    const Picture *picture = canvas->picture;
    bool utf8 = canvas->pen.utf8;
    if (has_words(picture->row_title)) label_write_axis(text, picture->row_title, true, utf8);
    if (!has_words(picture->column_title)) return;
    size_t taken = utf8_width(text->data, text->length);
    text_repeat(text, ' ', taken + 2 <= across ? across - taken : taken ? 2 : across);
    label_write_axis(text, picture->column_title, false, utf8);
}

void heatmap_write_names(Text *out, const char *title, const Labels *labels, size_t count,
                         const Screen *screen) {
    CellPen pen = cell_pen(out, NULL, COLOR_NONE, screen->utf8);
    size_t at = 0;
    label_for_terminal(&pen.text, has_words(title) ? title : "columns", screen->utf8);
    text_char(&pen.text, ':');
    for (size_t i = 0; i < count; i++) {
        text_format(&pen.text, i ? "%zu " : " %zu ", i);
        cell_label(&pen, labels, i);
        if (i + 1 < count) text_char(&pen.text, ',');
        size_t width = smaller(utf8_width(pen.text.data, pen.text.length), screen->columns);
        terminal_room_for(out, &at, 1, width, screen->columns);
        cell_put(&pen, width, ALIGN_LEFT);
    }
    cell_pen_release(&pen);
    text_char(out, '\n');
}

/* Writes each name in the middle of its cell, which it fills only where no two could run together;
 * or, staggered, every second one from `first` on, which may reach over the next cell. */
static void write_names(Canvas *canvas, size_t first) {
    CellPen *pen = &canvas->pen;
    const CellLayout *layout = canvas->layout;
    bool staggered = layout->heading == HEADING_STAGGERED;
    size_t start = layout->label_width + 1, cell = layout->cell_width;
    text_repeat(pen->out, ' ', start + first * cell);
    for (size_t i = first; i < canvas->picture->columns; i += staggered ? 2 : 1) {
        cell_label(pen, &canvas->picture->column_labels, i);
        size_t left = canvas->width - start - i * cell;
        if (staggered) {
            cell_put(pen, 2 * cell <= left ? 2 * cell - 1 : left, ALIGN_LEFT);
            text_char(pen->out, ' ');
        } else if (utf8_width(pen->text.data, pen->text.length) > cell) {
            cell_put(pen, cell - 1, ALIGN_LEFT);
            text_char(pen->out, ' ');
        } else {
            cell_put(pen, cell, ALIGN_MIDDLE);
        }
    }
    label_end_line(pen->out);
}

/* The ones, or the tens at every tenth column. */
static void write_ruler(Canvas *canvas, bool tens) {
    size_t width = canvas->layout->cell_width;
    text_repeat(canvas->pen.out, ' ', canvas->layout->label_width + 1);
    for (size_t i = 0; i < canvas->layout->columns; i++) {
        if (!tens || (i && i % 10 == 0))
            text_format(canvas->pen.out, "%-*zu", (int)width, tens ? i / 10 : i % 10);
        else text_repeat(canvas->pen.out, ' ', width);
    }
    label_end_line(canvas->pen.out);
}

/* Round numbers, each beginning over its column. */
static void write_ticks(Canvas *canvas) {
    const CellLayout *layout = canvas->layout;
    size_t columns = canvas->picture->columns, width = layout->columns * layout->cell_width,
           end = 0, step = step_round_up(divided_up((digits_of(columns - 1) + 1) * columns, width));
    text_repeat(canvas->pen.out, ' ', layout->label_width + 1);
    for (size_t tick = 0; tick < columns; tick += step) {
        size_t at = block_of(tick, columns, layout->columns) * layout->cell_width;
        if (tick && (at <= end || at + digits_of(tick) > width)) continue;
        text_repeat(canvas->pen.out, ' ', at - end);
        text_format(canvas->pen.out, "%zu", tick);
        end = at + digits_of(tick);
    }
    label_end_line(canvas->pen.out);
}

static void write_heading(Canvas *canvas) {
    const CellLayout *layout = canvas->layout;
    if (layout->axes_above) {
        add_axes(canvas, layout->label_width + 1);
        cell_put(&canvas->pen, canvas->width, ALIGN_LEFT);
        label_end_line(canvas->pen.out);
    }
    switch (layout->heading) {
    case HEADING_NAMES: write_names(canvas, 0); break;
    case HEADING_STAGGERED:
        write_names(canvas, 0);
        write_names(canvas, 1);
        break;
    case HEADING_RULER:
        if (canvas->picture->columns > 10) write_ruler(canvas, true);
        write_ruler(canvas, false);
        break;
    case HEADING_TICKS: write_ticks(canvas); break;
    }
}

/* ---- rows ---- */

/* Writes the name of a row; or of a line, which may show several rows, the round number among them,
 * if there is one. */
static void write_row_label(Canvas *canvas, size_t line) {
    CellPen *pen = &canvas->pen;
    const CellLayout *layout = canvas->layout;
    const Picture *picture = canvas->picture;
    size_t rows = picture->rows, lines = cell_layout_body(layout), cells = layout->half ? 2 : 1;
    bool named = rows_are_named(layout);
    if (named) {
        if (layout->numbered)
            text_format(&pen->text, "%*zu ", (int)digits_of(rows - 1), cells * line);
        cell_label(pen, &picture->row_labels, cells * line);
    } else {
        size_t first = block_begin(cells * line, rows, layout->rows), end = rows;
        if (line + 1 < lines) end = block_begin(cells * (line + 1), rows, layout->rows);
        size_t step = lines < rows ? step_round_up(divided_up(2 * rows, lines)) : 1;
        size_t tick = divided_up(first, step) * step;
        if (tick < end) text_format(&pen->text, "%zu", tick);
    }
    label_shorten(&pen->text, &picture->row_labels, layout->label_width, pen->utf8);
    cell_put(pen, layout->label_width, named ? ALIGN_LEFT : ALIGN_RIGHT);
    text_char(pen->out, ' ');
}

static bool is_absent(const Canvas *canvas, size_t cell) {
    return canvas->grid->hidden[cell] || isnan(canvas->grid->values[cell]);
}

static TerminalColor color_at(const Canvas *canvas, size_t cell) {
    return cell_color(&canvas->pen, canvas->grid->values[cell], is_absent(canvas, cell));
}

/* A line of cells; of half cells two rows, the upper half of a character in the ink's colour, the
 * lower in the ground's. Of an odd number of rows the last has only an upper half. */
static void write_cells(Canvas *canvas, size_t line) {
    const CellLayout *layout = canvas->layout;
    const Grid *grid = canvas->grid;
    CellPen *pen = &canvas->pen;
    size_t row = layout->half ? 2 * line : line;
    bool pair = row + 1 < grid->rows;
    for (size_t j = 0; j < grid->columns; j++) {
        size_t cell = row * grid->columns + j, lower = cell + grid->columns;
        if (layout->half && !(pair && is_absent(canvas, cell) && is_absent(canvas, lower))) {
            brush_set(&pen->brush, color_at(canvas, cell),
                      pair ? color_at(canvas, lower) : color_of_terminal);
            for (size_t i = 0; i < layout->cell_width; i++) text_string(pen->out, "▀");
            continue;
        }
        double x = grid->values[cell];
        if (grid->hidden[cell]) {
            cell_number(pen, x, true);
        } else if (isnan(x)) {
            text_string(&pen->text, "?");
        } else if (layout->numbers) {
            text_repeat(&pen->text, ' ', layout->number_width - number_form_width(pen->form, x));
            cell_number(pen, x, false);
        }
        brush_ground(&pen->brush, color_at(canvas, cell));
        cell_put(pen, layout->cell_width, ALIGN_MIDDLE);
    }
    brush_reset(&pen->brush);
    text_char(pen->out, '\n');
}

/* ---- the colour bar and what else is to be said ---- */

/* Adds a number, 0.500 as 0.5, and 1.000 as 1. */
static void add_number(Text *text, NumberForm form, double x) {
    size_t start = text->length, end;
    number_form_write(text, form, x);
    if (!strchr(text->data + start, '.') || strchr(text->data + start, 'e')) return;
    for (end = text->length; text->data[end - 1] == '0';) end--;
    text_cut(text, text->data[end - 1] == '.' ? end - 1 : end);
}

/* Writes the colour bar: a strip of the palette, with the numbers for its ends and its middle on
 * their colours. It is under the first of the cells; where it follows them at once, a word tells it
 * from a row. Returns the column behind it. */
static size_t write_bar(Canvas *canvas) {
    CellPen *pen = &canvas->pen;
    Range range = pen->range;
    const double values[] = {range.low, range.low + (range.high - range.low) / 2, range.high};
    NumberForm form = number_form(values, NULL, 3, BAR_DIGITS);
    Text *text = &pen->text; /* the three numbers */
    add_number(text, form, values[0]);
    size_t low = text->length;
    add_number(text, form, values[1]);
    size_t middle = text->length - low;
    add_number(text, form, values[2]);
    size_t high = text->length - low - middle;

    const char *word = canvas->layout->gap_below ? "" : tr("colours ");
    size_t before = *word ? utf8_width(word, strlen(word)) : canvas->layout->label_width + 1,
           width = *word ? 0 : canvas->layout->columns * canvas->layout->cell_width;
    width = smaller(larger(width, BAR_LEAST), BAR_MOST);
    width = smaller(larger(width, text->length + 2 * BAR_GAP), canvas->width);
    if (before + width > canvas->width) before = 0, word = "";
    text_string(pen->out, word);
    text_repeat(pen->out, ' ', before - utf8_width(word, strlen(word)));

    /* The middle is left out where it would meet an end. */
    size_t right = larger(left_of(width, high), low), centre = left_of(width, middle) / 2;
    bool fits = centre > low && centre + middle < right;
    for (size_t i = 0; i < width && text->length; i++) {
        char c = ' ';
        if (i < low) c = text->data[i];
        else if (fits && i >= centre && i < centre + middle) c = text->data[low + i - centre];
        else if (i >= right) c = text->data[low + middle + i - right];
        brush_ground(&pen->brush, color_of(pen->palette, (double)i / (double)(width - 1)));
        text_char(pen->out, c);
    }
    brush_reset(&pen->brush);
    if (text->failed) text_fail(pen->out);
    text_clear(text);
    return before + width;
}

/* " · masked", the mark on the ground of such a cell. */
static void write_absent(Canvas *canvas, size_t *at, const char *mark, const char *meaning) {
    CellPen *pen = &canvas->pen;
    terminal_room_for(pen->out, at, PART_GAP, 4 + strlen(meaning), canvas->width);
    brush_ground(&pen->brush, color_absent(pen->palette));
    text_format(pen->out, " %s ", mark);
    brush_reset(&pen->brush);
    text_format(pen->out, " %s", meaning);
}

/* The colour bar, the marks of cells without a number, the words of the axes where these are not
 * above, and what a cell of several values is. */
static void write_meanings(Canvas *canvas) {
    CellPen *pen = &canvas->pen;
    const CellLayout *layout = canvas->layout;
    const Picture *picture = canvas->picture;
    const Grid *grid = canvas->grid;
    size_t at = write_bar(canvas);
    bool missing = false;
    for (size_t i = 0; i < grid->rows * grid->columns && !missing; i++)
        missing = !grid->hidden[i] && isnan(grid->values[i]);
    if (grid->hidden_values) write_absent(canvas, &at, label_hidden(pen->utf8), tr("masked"));
    if (missing) write_absent(canvas, &at, "?", picture->missing ? tr(picture->missing) : "nan");
    if (!layout->axes_above) add_axes(canvas, 0);
    if (pen->text.length) {
        size_t width = utf8_width(pen->text.data, pen->text.length);
        terminal_room_for(pen->out, &at, PART_GAP, width, canvas->width);
        label_say_lines(pen->out, &pen->text, canvas->width);
        text_clear(&pen->text);
    } else text_char(pen->out, '\n');
    if (!cell_layout_averages(layout)) return;

    bool even = picture->rows % layout->rows == 0 && picture->columns % layout->columns == 0;
    text_format(&pen->text, "each cell is the %s of %s%zu%s%zu values",
                layout->screen->bare ? "largest" : "mean", even ? "" : "about ",
                (picture->rows + layout->rows / 2) / layout->rows, pen->utf8 ? "×" : "x",
                (picture->columns + layout->columns / 2) / layout->columns);
    if (grid->hidden_values) text_string(&pen->text, ", without the masked ones");
    if (grid->missing_values) text_format(&pen->text, "; %zu nan left out", grid->missing_values);
    label_say_lines(pen->out, &pen->text, canvas->width);
}

/* ---- the whole ---- */

void terminal_heatmap(Text *out, const Picture *picture, const Screen *place, const Screen *screen,
                      HeatmapParts parts) {
    CellLayout layout = cell_layout(picture, place);
    Grid grid;
    if (!grid_init(&grid, picture, layout.rows, layout.columns, place->bare, NULL)) {
        text_fail(out);
        return;
    }
    Canvas canvas = {.pen = cell_pen(out, picture->palette, screen->color, screen->utf8),
                     .picture = picture,
                     .width = screen->columns,
                     .layout = &layout,
                     .grid = &grid};
    CellPen *pen = &canvas.pen;
    pen->form = layout.form;
    /* Means lie closer together than the values: their colours get a range of their own. */
    if (place->colors) pen->range = *place->colors;
    else if (cell_layout_averages(&layout))
        pen->range = range_of_colors(grid.values, NULL, grid.rows * grid.columns, 0, 0,
                                     palette_is_centred(pen->palette));
    else pen->range = layout.numbers ? heatmap_range(picture) : heatmap_bright_range(picture);
    if (parts & HEATMAP_CELLS) {
        if (!place->bare) write_heading(&canvas);
        for (size_t line = 0; line < cell_layout_body(&layout) && !out->failed; line++) {
            if (!place->bare) write_row_label(&canvas, line);
            write_cells(&canvas, line);
        }
    }
    if (parts & HEATMAP_KEY) {
        if (layout.gap_below) text_char(out, '\n');
        write_meanings(&canvas);
        if (layout.names_below)
            heatmap_write_names(out, picture->column_title, &picture->column_labels,
                                picture->columns, screen);
    }
    cell_pen_release(pen);
    grid_release(&grid);
}
