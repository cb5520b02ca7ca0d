/* Says what is on a picture in words. */
#include "base/number.h"
#include "base/translate.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/links_data.h"

#include <math.h>

enum { NAMES_MOST = 12, PANELS_MOST = 6, LINKS_MOST = 6, DIGITS = 4 };

/* A number as words for `out`: a LocalText of the caller. */
static Text number_text(Text *out, double x) {
    Text text = TEXT_FOR(out);
    number_write(&text, x, DIGITS);
    return text;
}

/* " (queries)", or nothing */
static void write_axis_name(Text *out, const char *name) {
    LocalText clean = TEXT_FOR(out);
    label_clean(&clean, name);
    if (clean.length) text_format(out, tr(" (%s)"), clean.data);
}

/* "3 rows (queries): the, cat, sat. " */
static void write_side(Text *out, const char *format, size_t count, const char *title,
                       const Labels *labels) {
    text_format(out, format, count);
    write_axis_name(out, title);
    for (size_t i = 0; labels->items && i < labels->count && i < NAMES_MOST; i++) {
        text_string(out, i ? tr(", ") : tr(": "));
        label_write(out, labels, i);
    }
    if (labels->items && labels->count > NAMES_MOST) text_string(out, tr(" and so on"));
    text_string(out, tr(". "));
}

static void write_extreme(Text *out, const Picture *picture, size_t cell, const char *which) {
    LocalText number = number_text(out, picture->cells[cell]), row = TEXT_FOR(out),
              column = TEXT_FOR(out);
    label_write(&row, &picture->row_labels, cell / picture->columns);
    label_write(&column, &picture->column_labels, cell % picture->columns);
    text_format(out, tr("%s %s, in row %s, column %s"), which, number.data, row.data, column.data);
    text_string(out, tr(". "));
}

static void write_heatmap(Text *out, const Picture *picture) {
    size_t count = picture->rows * picture->columns, most = count, least = count, hidden = 0;
    write_side(out, tr("%zu rows"), picture->rows, picture->row_title, &picture->row_labels);
    write_side(out, tr("%zu columns"), picture->columns, picture->column_title,
               &picture->column_labels);
    for (size_t i = 0; i < count; i++) {
        hidden += cell_is_hidden(picture, i);
        if (cell_is_hidden(picture, i) || isnan(picture->cells[i])) continue;
        if (most == count || picture->cells[i] > picture->cells[most]) most = i;
        if (least == count || picture->cells[i] < picture->cells[least]) least = i;
    }
    if (most < count) write_extreme(out, picture, most, tr("The largest number is"));
    if (least < count && picture->cells[least] < picture->cells[most])
        write_extreme(out, picture, least, tr("The smallest number is"));
    if (!hidden) return;
    text_format(out, tr("%zu cells are masked"), hidden);
    text_string(out, tr(". "));
}

static void write_range(Text *out, const char *format, const char *title, Range range) {
    LocalText name = TEXT_FOR(out), low = number_text(out, range.low),
              high = number_text(out, range.high);
    write_axis_name(&name, title);
    text_format(out, format, name.data, low.data, high.data);
    text_string(out, tr(". "));
}

static void write_line(Text *out, const Picture *picture, const PictureLine *line) {
    size_t first = line->count, last = line->count, most = line->count;
    for (size_t i = 0; i < line->count; i++) {
        if (!line_has_point(picture, line, i)) continue;
        if (first == line->count) first = i;
        if (most == line->count || line->y[i] > line->y[most]) most = i;
        last = i;
    }
    if (first == line->count) return;
    LocalText begin = number_text(out, line->y[first]), end = number_text(out, line->y[last]),
              largest = number_text(out, line->y[most]), at = number_text(out, line_x(line, most));
    LocalText name = TEXT_FOR(out);
    label_clean(&name, line->name);
    if (name.length) text_format(out, tr("Line %s"), name.data);
    else text_string(out, tr("The line"));
    text_format(out, tr(" begins at %s, ends at %s, and is largest, %s, where x is %s"), begin.data,
                end.data, largest.data, at.data);
    text_string(out, tr(". "));
}

static void write_lines(Text *out, const Picture *picture) {
    write_range(out, tr("The horizontal axis%s runs from %s to %s"), picture->x_title,
                lines_range_x(picture));
    if (has_words(picture->y_title))
        write_range(out, tr("The vertical axis%s runs from %s to %s"), picture->y_title,
                    lines_range_y(picture));
    for (size_t i = 0; i < picture->line_count && i < NAMES_MOST; i++)
        write_line(out, picture, &picture->lines[i]);
}

/* "the 0.62, cat 1.04. " */
static void write_bars(Text *out, const Picture *picture) {
    const PictureLine *bars = bars_of(picture);
    for (size_t i = 0; i < bars->count && i < NAMES_MOST; i++) {
        if (i > 0) text_string(out, tr(", "));
        label_write(out, &picture->row_labels, i);
        text_char(out, ' ');
        number_write(out, bars->y[i], DIGITS);
    }
    if (bars->count > NAMES_MOST) text_string(out, tr(" and so on"));
    write_axis_name(out, picture->x_title);
    text_string(out, tr(". "));
}

/* The names of both sides, and the heaviest links. */
static void write_links(Text *out, const Picture *picture) {
    const Picture *first = picture->panels;
    Links links;
    if (picture->panel_count == 0) return;
    if (!links_init(&links, picture)) text_fail(out);
    write_side(out, tr("%zu rows"), first->rows, first->row_title, &first->row_labels);
    write_side(out, tr("%zu columns"), first->columns, first->column_title, &first->column_labels);
    LocalText threshold = number_text(out, picture->threshold);
    text_format(out, tr("%zu links of %s and more"), links.count, threshold.data);
    for (size_t i = 0; i < links.count && i < LINKS_MOST; i++) {
        const Link *link = &links.items[links.count - 1 - i];
        const Picture *head = &picture->panels[link->head];
        LocalText weight = number_text(out, link->weight), query = TEXT_FOR(out),
                  key = TEXT_FOR(out);
        text_string(out, i ? tr(", ") : tr(": "));
        label_write(&query, &head->row_labels, link->query);
        label_write(&key, &head->column_labels, link->key);
        text_format(out, tr("%s to %s %s"), query.data, key.data, weight.data);
        if (picture->panel_count > 1) write_axis_name(out, head->title);
    }
    if (links.count > LINKS_MOST) text_string(out, tr(" and so on"));
    text_string(out, tr(". "));
    links_release(&links);
}

static void write_picture(Text *out, const Picture *picture, bool is_panel) {
    static const char *const kinds[] = {
        [PICTURE_HEATMAP] = "Heatmap", [PICTURE_LINES] = "Line chart",
        [PICTURE_BARS] = "Bar chart",  [PICTURE_GRID] = "Several pictures",
        [PICTURE_LINKS] = "Links",     [PICTURE_FRAMES] = "Several pictures"};
    if (!is_panel) text_string(out, tr(kinds[picture->kind]));
    if (has_words(picture->title)) {
        if (!is_panel) text_string(out, tr(": "));
        label_clean(out, picture->title);
    }
    text_string(out, tr(". "));
    switch (picture->kind) {
    case PICTURE_HEATMAP: write_heatmap(out, picture); break;
    case PICTURE_LINES: write_lines(out, picture); break;
    case PICTURE_BARS: write_bars(out, picture); break;
    case PICTURE_LINKS: write_links(out, picture); break;
    default:
        for (size_t i = 0; i < picture->panel_count && i < PANELS_MOST; i++) {
            if (has_words(picture->panels[i].heading)) {
                label_clean(out, picture->panels[i].heading);
                text_string(out, tr(". "));
            }
            text_format(out, tr("Picture %zu"), i + 1);
            text_string(out, tr(": "));
            write_picture(out, &picture->panels[i], true);
        }
    }
}

void picture_words(Text *out, const Picture *picture, const char *language) {
    Language before = translate_language();
    translate_to(language_from_name(language));
    write_picture(out, picture, false);
    translate_to(before);
    text_cut_blanks(out);
}
