#include "view/terminal/array_text.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/size.h"
#include "view/label.h"

#include <string.h>

/* The numbers of a column have their points below each other; those with an exponent, and booleans,
 * end where the column ends. */
typedef struct Column {
    size_t before, after; /* the most characters before a point, and from it on */
    size_t width;
} Column;

typedef struct Layout {
    const Tensor *tensor;
    const ArrayStyle *style;
    size_t width;          /* of the last axis */
    Shown shown[AXES_MAX]; /* of each axis */
    size_t *lines;         /* flat indices at which the shown lines begin */
    size_t line_count;
    Column *columns; /* in the order of being taken in: the first, the last, the second, the last
                        but one ... */
    size_t taken;
    Text scratch; /* one number */
    bool failed;  /* memory ran out for one */
} Layout;

/* ---- one number ---- */

static const char *number_text(Layout *layout, size_t at) {
    Text *text = &layout->scratch;
    text_clear(text);
    double x = tensor_get(layout->tensor, at);
    if (layout->tensor->dtype == DTYPE_BOOL) text_string(text, x != 0 ? "True" : "False");
    else number_write(text, x, layout->style->digits);
    if (text->failed) layout->failed = true;
    return text->data;
}

/* Words and whole numbers end where the others have their point. */
static void column_add(Column *column, const char *number) {
    if (!strchr(number, 'e')) {
        column->before = larger(column->before, strcspn(number, "."));
        column->after = larger(column->after, strlen(number) - strcspn(number, "."));
        column->width = larger(column->width, column->before + column->after);
    } else column->width = larger(column->width, strlen(number));
}

/* ---- which lines ---- */

static size_t lines_with(const Shape *shape, size_t most) {
    size_t lines = 1;
    for (int axis = 0; axis + 1 < shape->axes; axis++) {
        size_t size = shape->size[axis] < most ? shape->size[axis] : most;
        if (!size_multiply(lines, size, &lines)) return SIZE_MAX;
    }
    return lines;
}

/* All lines where they are few; else some from both ends of each axis. */
static void choose_lines(Layout *layout) {
    const Shape *shape = &layout->tensor->shape;
    size_t room = layout->style->most, most = SIZE_MAX;
    if (lines_with(shape, SIZE_MAX) > layout->style->whole)
        for (most = room - room % 2; most > 2 && lines_with(shape, most) > room;) most -= 2;
    layout->line_count = lines_with(shape, most);
    for (int axis = 0; axis + 1 < shape->axes; axis++)
        layout->shown[axis] = show_at_most(shape->size[axis], most);
}

/* ---- which columns ---- */

static const char *ellipsis(const Layout *layout) { return layout->style->utf8 ? "…" : "..."; }

/* The columns between the indentation and the brackets of a line; the comma behind a line needs no
 * more than they do. */
static size_t room_for_numbers(const Layout *layout) {
    const ArrayStyle *style = layout->style;
    size_t taken = style->indent + 2 * (size_t)layout->tensor->shape.axes + style->behind;
    return style->columns > taken ? style->columns - taken : 0;
}

static Column measure_column(Layout *layout, size_t column) {
    Column measured = {0};
    for (size_t i = 0; i < layout->line_count; i++)
        column_add(&measured, number_text(layout, layout->lines[i] + column));
    return measured;
}

/* Takes columns in from both ends while they fit. */
static void choose_columns(Layout *layout) {
    size_t room = room_for_numbers(layout), used = 0, fits = 0, count = layout->width;
    size_t gap = 2, mark = gap + (layout->style->utf8 ? 1 : 3);
    for (layout->taken = 0; layout->taken < count; layout->taken++) {
        size_t at = layout->taken / 2;
        Column column = measure_column(layout, layout->taken % 2 ? count - 1 - at : at);
        used += column.width + (layout->taken ? gap : 0);
        if (used > room) break;
        layout->columns[layout->taken] = column;
        if (used + mark <= room) fits = layout->taken + 1;
    }
    if (layout->taken < count) layout->taken = fits > 0 ? fits : 1;
    if (fits == 0 && layout->taken == 1) layout->columns[0] = measure_column(layout, 0);
    layout->shown[layout->tensor->shape.axes - 1] = show_at_most(count, layout->taken);
}

static Column column_of(const Layout *layout, size_t j) {
    size_t from_the_left = (layout->taken + 1) / 2;
    return layout->columns[j < from_the_left ? 2 * j : 2 * (layout->width - 1 - j) + 1];
}

/* ---- writing ---- */

/* `padded`: what follows is aligned with what follows in other lines. */
static void write_number(Text *out, Layout *layout, size_t at, Column column, bool comma,
                         bool padded) {
    const char *number = number_text(layout, at);
    size_t length = strlen(number);
    size_t behind = strchr(number, 'e') ? 0 : column.after - (length - strcspn(number, "."));
    text_repeat(out, ' ', column.width - length - behind);
    text_string(out, number);
    if (comma) text_char(out, ',');
    if (padded) text_repeat(out, ' ', behind + 1);
}

static void write_line(Text *out, Layout *layout, size_t at) {
    const Shown *shown = &layout->shown[layout->tensor->shape.axes - 1];
    size_t last = shown_all(shown) || shown->tail ? shown_count(shown) - 1 : SIZE_MAX;
    text_char(out, '[');
    for (size_t i = 0; i < shown_count(shown); i++) {
        size_t j = shown_at(shown, i);
        if (shown_gap_before(shown, i)) text_format(out, "%s, ", ellipsis(layout));
        write_number(out, layout, at + j, column_of(layout, j), i != last, i != last);
    }
    if (last == SIZE_MAX) text_string(out, ellipsis(layout));
    text_char(out, ']');
}

/* Separates two parts of `axis`: a new line, an empty one between matrices, and so on. */
static void write_gap(Text *out, const Layout *layout, int axis) {
    text_char(out, ',');
    text_repeat(out, '\n', (size_t)(layout->tensor->shape.axes - axis - 1));
    text_repeat(out, ' ', layout->style->indent + (size_t)axis + 1);
}

static void write_axis(Text *out, Layout *layout, int axis, size_t *line) {
    if (axis == layout->tensor->shape.axes - 1) {
        write_line(out, layout, layout->lines[(*line)++]);
        return;
    }
    const Shown *shown = &layout->shown[axis];
    text_char(out, '[');
    for (size_t i = 0; i < shown_count(shown); i++) {
        if (i > 0) write_gap(out, layout, axis);
        if (shown_gap_before(shown, i)) {
            text_string(out, ellipsis(layout));
            write_gap(out, layout, axis);
        }
        write_axis(out, layout, axis + 1, line);
    }
    text_char(out, ']');
}

/* ---- one axis ---- */

/* Writes an array of one axis whole: numbers that fill one line have single spaces between them;
 * more form a grid. False, with nothing written: it is too long. */
static bool write_vector(Text *out, Layout *layout) {
    const ArrayStyle *style = layout->style;
    size_t room = room_for_numbers(layout), count = layout->width, used = 0, across = count;
    for (size_t i = 0; i < count && used <= room; i++)
        used += strlen(number_text(layout, i)) + (i ? 2 : 0);
    bool one_line = used <= room;
    Column column = {0};
    if (!one_line) {
        /* A number and its ", " take three columns or more. */
        if (count > style->whole * (room / 3 + 1)) return false;
        for (size_t i = 0; i < count; i++) column_add(&column, number_text(layout, i));
        across = (room + 2) / (column.width + 2);
        if (across == 0 || count > style->whole * across) return false;
    }
    text_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count, ends = (i + 1) % across == 0;
        if (one_line) {
            text_format(out, "%s%s", number_text(layout, i), last ? "" : ", ");
            continue;
        }
        write_number(out, layout, i, column, !last, !last && !ends);
        if (ends && !last) {
            text_char(out, '\n');
            text_repeat(out, ' ', style->indent + 1);
        }
    }
    text_char(out, ']');
    return true;
}

/* ---- what is left out ---- */

static void name_axis(Text *rest, const Shape *shape, int axis, const Shown *shown) {
    size_t first = shown->head, last = shown->count - shown->tail - 1;
    int from_the_end = shape->axes - axis;
    const char *what = from_the_end == 1 ? "column" : "row";
    if (shape->axes == 1 || from_the_end > 2) what = "";
    if (rest->length) text_string(rest, " and ");
    if (*what) text_format(rest, "%s%s ", what, first == last ? "" : "s");
    text_format(rest, first == last ? "%zu" : "%zu to %zu", first, last);
    if (from_the_end > 2) text_format(rest, " of axis %d", axis);
}

/* ---- all ---- */

static bool layout_init(Layout *layout, const Tensor *tensor, const ArrayStyle *style) {
    const Shape *shape = &tensor->shape;
    *layout = (Layout){.tensor = tensor,
                       .style = style,
                       .width = shape->size[shape->axes - 1],
                       .scratch = TEXT_EMPTY};
    choose_lines(layout);
    size_t most = style->columns / 3 + 2; /* a number and its ", " take three columns or more */
    layout->lines = mem_zeroed(layout->line_count + 1, sizeof *layout->lines, NULL);
    layout->columns =
        mem_zeroed(layout->width < most ? layout->width : most, sizeof *layout->columns, NULL);
    if (!layout->lines || !layout->columns) return false;
    for (size_t line = 0; line < layout->line_count; line++) {
        size_t at = 0, stride = layout->width, i = line;
        for (int axis = shape->axes - 2; axis >= 0; axis--) {
            size_t count = shown_count(&layout->shown[axis]);
            at += shown_at(&layout->shown[axis], i % count) * stride;
            i /= count;
            stride *= shape->size[axis];
        }
        layout->lines[line] = at;
    }
    return true;
}

bool array_text(Text *out, const Tensor *tensor, const ArrayStyle *style, Text *rest) {
    Layout layout;
    bool whole = true;
    if (!layout_init(&layout, tensor, style)) {
        out->failed = true;
    } else if (tensor->shape.axes > 1 || !write_vector(out, &layout)) {
        size_t line = 0;
        choose_columns(&layout);
        write_axis(out, &layout, 0, &line);
        for (int axis = 0; axis < tensor->shape.axes; axis++) {
            if (shown_all(&layout.shown[axis])) continue;
            whole = false;
            if (rest) name_axis(rest, &tensor->shape, axis, &layout.shown[axis]);
        }
    }
    if (layout.failed) out->failed = true;
    mem_free(layout.lines);
    mem_free(layout.columns);
    text_release(&layout.scratch);
    return whole;
}
