#include "view/picture_words.h"

#include "base/number.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/links_data.h"

#include <math.h>
#include <string.h>

enum { NAMES_MOST = 12, PANELS_MOST = 6, LINKS_MOST = 6, DIGITS = 4 };

typedef enum Tongue { ENGLISH, CHINESE, TONGUES } Tongue;
typedef const char *Phrase[TONGUES];

/* The parts of the sentences, as formats. */
static const struct Phrases {
    Phrase kinds[PICTURE_FRAMES + 1];
    Phrase rows, columns, axis, comma, stop, more, cell, largest, smallest, hidden, x, y, line,
        unnamed_line, course, count, link, panel;
} phrases = {
    .kinds = {[PICTURE_HEATMAP] = {"Heatmap", "热图"},
              [PICTURE_LINES] = {"Line chart", "折线图"},
              [PICTURE_BARS] = {"Bar chart", "条形图"},
              [PICTURE_GRID] = {"Several pictures", "几幅图"},
              [PICTURE_LINKS] = {"Links", "连线图"},
              [PICTURE_FRAMES] = {"Several pictures", "几幅图"}},
    .rows = {"%zu rows", "%zu 行"},
    .columns = {"%zu columns", "%zu 列"},
    .axis = {" (%s)", "（%s）"}, /* the meaning of rows, columns or x */
    .comma = {", ", "，"},
    .stop = {". ", "。"},
    .more = {" and so on", "等"},
    /* which extreme, its number, its row and its column */
    .cell = {"%s %s, in row %s, column %s", "%s %s，在行 %s、列 %s"},
    .largest = {"The largest number is", "最大值"},
    .smallest = {"The smallest number is", "最小值"},
    .hidden = {"%zu cells are masked", "有 %zu 格被遮住"},
    /* what the axis shows, from where to where */
    .x = {"The horizontal axis%s runs from %s to %s", "横轴%s从 %s 到 %s"},
    .y = {"The vertical axis%s runs from %s to %s", "纵轴%s从 %s 到 %s"},
    .line = {"Line %s", "线 %s"},
    .unnamed_line = {"The line", "这条线"},
    /* where it begins, ends, and is largest, with the x of that */
    .course = {" begins at %s, ends at %s, and is largest, %s, where x is %s",
               "从 %s 开始，到 %s 结束，最大值 %s 在 x = %s 处"},
    .count = {"%zu links of %s and more", "不小于 %2$s 的连线有 %1$zu 条"},
    .link = {"%s to %s %s", "%s 到 %s：%s"}, /* from a query to a key, with its weight */
    .panel = {"Picture %zu", "第 %zu 幅"},
};

/* A number as words that are to be freed by text_release. */
static Text number_text(double x) {
    Text text = TEXT_EMPTY;
    number_write(&text, x, DIGITS);
    return text;
}

/* " (queries)", or nothing */
static void write_axis_name(Text *out, Tongue tongue, const char *name) {
    Text clean = TEXT_EMPTY;
    label_clean(&clean, name);
    if (clean.length) text_format(out, phrases.axis[tongue], clean.data);
    text_release_for(&clean, out);
}

/* "3 rows (queries): the, cat, sat. " */
static void write_side(Text *out, Tongue tongue, const char *format, size_t count,
                       const char *title, const Labels *labels) {
    text_format(out, format, count);
    write_axis_name(out, tongue, title);
    for (size_t i = 0; labels->items && i < labels->count && i < NAMES_MOST; i++) {
        text_string(out, i ? phrases.comma[tongue] : ": ");
        label_write(out, labels, i);
    }
    if (labels->items && labels->count > NAMES_MOST) text_string(out, phrases.more[tongue]);
    text_string(out, phrases.stop[tongue]);
}

static void write_extreme(Text *out, Tongue tongue, const Picture *picture, size_t cell,
                          const char *which) {
    Text number = number_text(picture->cells[cell]), row = TEXT_EMPTY, column = TEXT_EMPTY;
    label_write(&row, &picture->row_labels, cell / picture->columns);
    label_write(&column, &picture->column_labels, cell % picture->columns);
    text_format(out, phrases.cell[tongue], which, number.data, row.data, column.data);
    text_string(out, phrases.stop[tongue]);
    text_release_for(&number, out);
    text_release_for(&row, out);
    text_release_for(&column, out);
}

static void write_heatmap(Text *out, Tongue tongue, const Picture *picture) {
    size_t count = picture->rows * picture->columns, most = count, least = count, hidden = 0;
    write_side(out, tongue, phrases.rows[tongue], picture->rows, picture->row_title,
               &picture->row_labels);
    write_side(out, tongue, phrases.columns[tongue], picture->columns, picture->column_title,
               &picture->column_labels);
    for (size_t i = 0; i < count; i++) {
        hidden += cell_is_hidden(picture, i);
        if (cell_is_hidden(picture, i) || isnan(picture->cells[i])) continue;
        if (most == count || picture->cells[i] > picture->cells[most]) most = i;
        if (least == count || picture->cells[i] < picture->cells[least]) least = i;
    }
    if (most < count) write_extreme(out, tongue, picture, most, phrases.largest[tongue]);
    if (least < count && picture->cells[least] < picture->cells[most])
        write_extreme(out, tongue, picture, least, phrases.smallest[tongue]);
    if (!hidden) return;
    text_format(out, phrases.hidden[tongue], hidden);
    text_string(out, phrases.stop[tongue]);
}

static void write_range(Text *out, Tongue tongue, const char *format, const char *title,
                        Range range) {
    Text name = TEXT_EMPTY, low = number_text(range.low), high = number_text(range.high);
    write_axis_name(&name, tongue, title);
    text_format(out, format, name.data, low.data, high.data);
    text_string(out, phrases.stop[tongue]);
    text_release_for(&name, out);
    text_release_for(&low, out);
    text_release_for(&high, out);
}

static void write_line(Text *out, Tongue tongue, const Picture *picture, const PictureLine *line) {
    size_t first = line->count, last = line->count, most = line->count;
    for (size_t i = 0; i < line->count; i++) {
        if (!line_has_point(picture, line, i)) continue;
        if (first == line->count) first = i;
        if (most == line->count || line->y[i] > line->y[most]) most = i;
        last = i;
    }
    if (first == line->count) return;
    Text begin = number_text(line->y[first]), end = number_text(line->y[last]),
         largest = number_text(line->y[most]), at = number_text(line_x(line, most));
    Text name = TEXT_EMPTY;
    label_clean(&name, line->name);
    if (name.length) text_format(out, phrases.line[tongue], name.data);
    else text_string(out, phrases.unnamed_line[tongue]);
    text_format(out, phrases.course[tongue], begin.data, end.data, largest.data, at.data);
    text_string(out, phrases.stop[tongue]);
    text_release_for(&begin, out);
    text_release_for(&end, out);
    text_release_for(&largest, out);
    text_release_for(&at, out);
    text_release_for(&name, out);
}

static void write_lines(Text *out, Tongue tongue, const Picture *picture) {
    write_range(out, tongue, phrases.x[tongue], picture->x_title, lines_range_x(picture));
    if (has_words(picture->y_title))
        write_range(out, tongue, phrases.y[tongue], picture->y_title, lines_range_y(picture));
    for (size_t i = 0; i < picture->line_count && i < NAMES_MOST; i++)
        write_line(out, tongue, picture, &picture->lines[i]);
}

/* "the 0.62, cat 1.04. " */
static void write_bars(Text *out, Tongue tongue, const Picture *picture) {
    const PictureLine *bars = bars_of(picture);
    for (size_t i = 0; i < bars->count && i < NAMES_MOST; i++) {
        if (i > 0) text_string(out, phrases.comma[tongue]);
        label_write(out, &picture->row_labels, i);
        text_char(out, ' ');
        number_write(out, bars->y[i], DIGITS);
    }
    if (bars->count > NAMES_MOST) text_string(out, phrases.more[tongue]);
    write_axis_name(out, tongue, picture->x_title);
    text_string(out, phrases.stop[tongue]);
}

/* The names of both sides, and the heaviest links. */
static void write_links(Text *out, Tongue tongue, const Picture *picture) {
    const Picture *first = picture->panels;
    Links links;
    if (picture->panel_count == 0) return;
    if (!links_init(&links, picture, NULL)) out->failed = true;
    write_side(out, tongue, phrases.rows[tongue], first->rows, first->row_title,
               &first->row_labels);
    write_side(out, tongue, phrases.columns[tongue], first->columns, first->column_title,
               &first->column_labels);
    Text threshold = number_text(picture->threshold);
    text_format(out, phrases.count[tongue], links.count, threshold.data);
    text_release_for(&threshold, out);
    for (size_t i = 0; i < links.count && i < LINKS_MOST; i++) {
        const Link *link = &links.items[links.count - 1 - i];
        const Picture *head = &picture->panels[link->head];
        Text weight = number_text(link->weight), query = TEXT_EMPTY, key = TEXT_EMPTY;
        text_string(out, i ? phrases.comma[tongue] : ": ");
        label_write(&query, &head->row_labels, link->query);
        label_write(&key, &head->column_labels, link->key);
        text_format(out, phrases.link[tongue], query.data, key.data, weight.data);
        if (picture->panel_count > 1) write_axis_name(out, tongue, head->title);
        text_release_for(&weight, out);
        text_release_for(&query, out);
        text_release_for(&key, out);
    }
    if (links.count > LINKS_MOST) text_string(out, phrases.more[tongue]);
    text_string(out, phrases.stop[tongue]);
    links_release(&links);
}

static void write_picture(Text *out, Tongue tongue, const Picture *picture, bool is_panel) {
    if (!is_panel) text_string(out, phrases.kinds[picture->kind][tongue]);
    if (has_words(picture->title)) {
        if (!is_panel) text_string(out, ": ");
        label_clean(out, picture->title);
    }
    text_string(out, phrases.stop[tongue]);
    switch (picture->kind) {
    case PICTURE_HEATMAP: write_heatmap(out, tongue, picture); break;
    case PICTURE_LINES: write_lines(out, tongue, picture); break;
    case PICTURE_BARS: write_bars(out, tongue, picture); break;
    case PICTURE_LINKS: write_links(out, tongue, picture); break;
    default:
        for (size_t i = 0; i < picture->panel_count && i < PANELS_MOST; i++) {
            if (has_words(picture->panels[i].heading)) {
                label_clean(out, picture->panels[i].heading);
                text_string(out, phrases.stop[tongue]);
            }
            text_format(out, phrases.panel[tongue], i + 1);
            text_string(out, ": ");
            write_picture(out, tongue, &picture->panels[i], true);
        }
    }
}

void picture_words(Text *out, const Picture *picture, const char *language) {
    write_picture(out, strcmp(language, "zh") == 0 ? CHINESE : ENGLISH, picture, false);
    text_cut_blanks(out);
}
