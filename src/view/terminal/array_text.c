#include "view/terminal/array_text.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/size.h"
#include "view/label.h"

#include <string.h>

enum { GAP = 2 }; /* ", " between two numbers */

/* The numbers of a column have their points below each other; those with an exponent, and booleans,
 * end where the column ends. */
typedef struct Column {
    size_t before, after; /* the most characters before a point, and from it on */
    size_t width;
} Column;

typedef struct Layout {
    const Tensor *tensor;
    const Shape *shape;
    const ArrayStyle *style;
    size_t room;           /* the columns between indentation and brackets of a line; the comma
                              behind a line needs no more than they do */
    size_t width;          /* of the last axis */
    Shown shown[AXES_MAX]; /* of each axis */
    size_t *lines;         /* flat indices at which the shown lines begin */
    size_t line_count;
    Column *columns; /* in the order of being taken in: the first, the last, the second, the last
                        but one ... */
    const char *dots;
    Text number; /* one at a time */
    bool failed; /* memory ran out for one */
} Layout;

/* ---- one number ---- */

static const char *number_text(Layout *layout, size_t at) {
    double x = tensor_get(layout->tensor, at);
    text_clear(&layout->number);
    if (layout->tensor->dtype == DTYPE_BOOL)
        text_string(&layout->number, x != 0 ? "True" : "False");
    else number_write(&layout->number, x, layout->style->digits);
    if (layout->number.failed) layout->failed = true;
    return layout->number.data;
}

/* Words and whole numbers end where the others have their point. */
static void column_add(Column *column, const char *number) {
    if (!strchr(number, 'e')) {
        column->before = larger(column->before, strcspn(number, "."));
        column->after = larger(column->after, strlen(number) - strcspn(number, "."));
        column->width = larger(column->width, column->before + column->after);
    } else column->width = larger(column->width, strlen(number));
}

/* `padded`: what follows is aligned with what follows in other lines. */
static void write_element(Text *out, Layout *layout, size_t at, Column column, bool comma,
                          bool padded) {
    const char *number = number_text(layout, at);
    size_t length = strlen(number);
    size_t behind = strchr(number, 'e') ? 0 : column.after - (length - strcspn(number, "."));
    text_repeat(out, ' ', column.width - length - behind);
    text_string(out, number);
    if (comma) text_char(out, ',');
    if (padded) text_repeat(out, ' ', behind + 1);
}

/* ---- which lines and columns ---- */

static size_t lines_with(const Shape *shape, size_t most) {
    size_t lines = 1;
    for (int axis = 0; axis + 1 < shape->axes; axis++)
        if (!size_multiply(lines, smaller(shape->size[axis], most), &lines)) return SIZE_MAX;
    return lines;
}

/* Takes all lines where they are few; else some from both ends of each axis. */
static bool choose_lines(Layout *layout) {
    const Shape *shape = layout->shape;
    size_t room = layout->style->most, most = SIZE_MAX;
    if (lines_with(shape, SIZE_MAX) > layout->style->whole)
        for (most = room - room % 2; most > 2 && lines_with(shape, most) > room;) most -= 2;
    layout->line_count = lines_with(shape, most);
    for (int axis = 0; axis + 1 < shape->axes; axis++)
        layout->shown[axis] = show_at_most(shape->size[axis], most);
    layout->lines = mem_zeroed(layout->line_count + 1, sizeof *layout->lines, NULL);
    for (size_t line = 0; layout->lines && line < layout->line_count; line++) {
        size_t stride = layout->width, i = line;
        for (int axis = shape->axes - 2; axis >= 0; axis--) {
            size_t count = shown_count(&layout->shown[axis]);
            layout->lines[line] += shown_at(&layout->shown[axis], i % count) * stride;
            i /= count;
            stride *= shape->size[axis];
        }
    }
    return layout->lines != NULL;
}

/* Takes columns in from both ends while they fit, at least one. */
static bool choose_columns(Layout *layout) {
    size_t used = 0, fits = 0, taken = 0, count = layout->width,
           mark = GAP + (layout->style->utf8 ? 1 : 3);
    size_t most = smaller(count, layout->style->columns / 3 + 2); /* a number takes one at least */
    layout->columns = mem_zeroed(most, sizeof *layout->columns, NULL);
    if (!layout->columns) return false;
    for (; taken < count && used <= layout->room; taken++) {
        size_t j = taken % 2 ? count - 1 - taken / 2 : taken / 2;
        Column column = {0};
        for (size_t i = 0; i < layout->line_count; i++)
            column_add(&column, number_text(layout, layout->lines[i] + j));
        used += column.width + (taken ? GAP : 0);
        if (used <= layout->room || taken == 0) layout->columns[taken] = column;
        if (used + mark <= layout->room) fits = taken + 1;
    }
    bool all = used <= layout->room;
    layout->shown[layout->shape->axes - 1] = show_at_most(count, all ? count : larger(fits, 1));
    return true;
}

/* ---- writing ---- */

/* Separates two parts of `axis`: a new line, an empty one between matrices, and so on. */
static void write_gap(Text *out, const Layout *layout, int axis) {
    text_char(out, ',');
    text_repeat(out, '\n', (size_t)(layout->shape->axes - axis - 1));
    text_repeat(out, ' ', layout->style->indent + (size_t)axis + 1);
}

static void write_axis(Text *out, Layout *layout, int axis, size_t *line) {
    if (axis == layout->shape->axes - 1) {
        size_t at = layout->lines[(*line)++];
        const Shown *shown = &layout->shown[layout->shape->axes - 1];
        size_t taken = shown_count(shown),
               last = shown_all(shown) || shown->tail ? taken - 1 : SIZE_MAX;
        text_char(out, '[');
        for (size_t i = 0; i < taken; i++) {
            size_t j = shown_at(shown, i);
            if (shown_gap_before(shown, i)) text_format(out, "%s, ", layout->dots);
            size_t order = j < (taken + 1) / 2 ? 2 * j : 2 * (layout->width - 1 - j) + 1;
            write_element(out, layout, at + j, layout->columns[order], i != last, i != last);
        }
        if (last == SIZE_MAX) text_string(out, layout->dots);
        text_char(out, ']');
        return;
    }
    const Shown *shown = &layout->shown[axis];
    text_char(out, '[');
    for (size_t i = 0; i < shown_count(shown); i++) {
        if (i > 0) write_gap(out, layout, axis);
        if (shown_gap_before(shown, i)) {
            text_string(out, layout->dots);
            write_gap(out, layout, axis);
        }
        write_axis(out, layout, axis + 1, line);
    }
    text_char(out, ']');
}

/* Writes an array of one axis whole: numbers that fill one line have single spaces between them;
 * more form a grid. False, with nothing written: it is too long. */
static bool write_vector(Text *out, Layout *layout) {
    size_t room = layout->room, count = layout->width, used = 0, across = count;
    for (size_t i = 0; i < count && used <= room; i++)
        used += strlen(number_text(layout, i)) + (i ? GAP : 0);
    bool one_line = used <= room;
    Column column = {0};
    if (!one_line) {
        /* A number and its ", " take three columns or more. */
        if (count > layout->style->whole * (room / 3 + 1)) return false;
        for (size_t i = 0; i < count; i++) column_add(&column, number_text(layout, i));
        across = (room + GAP) / (column.width + GAP);
        if (across == 0 || count > layout->style->whole * across) return false;
    }
    text_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count, ends = (i + 1) % across == 0;
        if (one_line) {
            text_format(out, "%s%s", number_text(layout, i), last ? "" : ", ");
            continue;
        }
        write_element(out, layout, i, column, !last, !last && !ends);
        if (ends && !last) {
            text_char(out, '\n');
            text_repeat(out, ' ', layout->style->indent + 1);
        }
    }
    text_char(out, ']');
    return true;
}

/* Appends what of an axis is left out: "rows 10 to 1989". */
static void name_axis(Text *rest, const Shape *shape, int axis, const Shown *shown) {
    size_t first = shown->head, last = shown->count - shown->tail - 1;
    int from_the_end = shape->axes - axis;
    const char *what = from_the_end == 1 ? "column" : "row";
    if (rest->length) text_string(rest, " and ");
    if (shape->axes > 1 && from_the_end <= 2)
        text_format(rest, "%s%s ", what, first == last ? "" : "s");
    text_format(rest, first == last ? "%zu" : "%zu to %zu", first, last);
    if (from_the_end > 2) text_format(rest, " of axis %d", axis);
}

bool array_text(Text *out, const Tensor *tensor, const ArrayStyle *style, Text *rest) {
    const Shape *shape = &tensor->shape;
    size_t line = 0, taken = style->indent + 2 * (size_t)shape->axes + style->behind;
    Layout layout = {.tensor = tensor,
                     .shape = shape,
                     .style = style,
                     .room = left_of(style->columns, taken),
                     .width = shape_columns(shape),
                     .dots = style->utf8 ? "…" : "...",
                     .number = TEXT_EMPTY};
    bool whole = true;
    if (shape->axes == 1 && write_vector(out, &layout)) {
        /* all is written */
    } else if (choose_lines(&layout) && choose_columns(&layout)) {
        write_axis(out, &layout, 0, &line);
        for (int axis = 0; axis < shape->axes; axis++) {
            if (shown_all(&layout.shown[axis])) continue;
            whole = false;
            if (rest) name_axis(rest, shape, axis, &layout.shown[axis]);
        }
    } else {
        layout.failed = true;
    }
    if (layout.failed) text_fail(out);
    mem_free(layout.lines);
    mem_free(layout.columns);
    text_release(&layout.number);
    return whole;
}
