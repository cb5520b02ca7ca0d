#include "view/picture_words.h"

#include "base/number.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/links_data.h"

#include <math.h>
#include <string.h>

enum { NAMES_MOST = 12, PANELS_MOST = 6, LINKS_MOST = 6, DIGITS = 4 };

/* The parts of the sentences in a language, as formats. */
typedef struct Phrases {
    const char *heatmap, *lines, *bars, *links, *grid;
    const char *rows, *columns; /* how many */
    const char *axis;           /* what rows, columns or x stand for */
    const char *comma, *stop, *more;
    const char *cell; /* which extreme, its number, its row and its column */
    const char *largest, *smallest;
    const char *hidden; /* how many cells the mask hides */
    const char *x, *y;  /* what the axis shows, from where to where */
    const char *line;   /* the name of a line, and its number when there is none */
    const char *unnamed_line;
    const char *course; /* where it begins, ends, and is largest, with the x of that */
    const char *count;  /* how many links there are, and from which weight on */
    const char *link;   /* from a query to a key, with its weight */
    const char *panel;  /* which one */
} Phrases;

static const Phrases english = {
    .heatmap = "Heatmap",
    .lines = "Line chart",
    .bars = "Bar chart",
    .links = "Links",
    .grid = "Several pictures",
    .rows = "%zu rows",
    .columns = "%zu columns",
    .axis = " (%s)",
    .comma = ", ",
    .stop = ". ",
    .more = " and so on",
    .cell = "%s %s, in row %s, column %s",
    .largest = "The largest number is",
    .smallest = "The smallest number is",
    .hidden = "%zu cells are masked",
    .x = "The horizontal axis%s runs from %s to %s",
    .y = "The vertical axis%s runs from %s to %s",
    .line = "Line %s",
    .unnamed_line = "The line",
    .course = " begins at %s, ends at %s, and is largest, %s, where x is %s",
    .count = "%zu links of %s and more",
    .link = "%s to %s %s",
    .panel = "Picture %zu",
};

static const Phrases chinese = {
    .heatmap = "热图",
    .lines = "折线图",
    .bars = "条形图",
    .links = "连线图",
    .grid = "几幅图",
    .rows = "%zu 行",
    .columns = "%zu 列",
    .axis = "（%s）",
    .comma = "，",
    .stop = "。",
    .more = "等",
    .cell = "%s %s，在行 %s、列 %s",
    .largest = "最大值",
    .smallest = "最小值",
    .hidden = "有 %zu 格被遮住",
    .x = "横轴%s从 %s 到 %s",
    .y = "纵轴%s从 %s 到 %s",
    .line = "线 %s",
    .unnamed_line = "这条线",
    .course = "从 %s 开始，到 %s 结束，最大值 %s 在 x = %s 处",
    .count = "不小于 %2$s 的连线有 %1$zu 条",
    .link = "%s 到 %s：%s",
    .panel = "第 %zu 幅",
};

/* A number as words that are to be freed by text_release. */
static Text number_text(double x) {
    Text text = TEXT_EMPTY;
    number_write(&text, x, DIGITS);
    return text;
}

/* " (queries)", or nothing */
static void write_axis_name(Text *out, const Phrases *say, const char *name) {
    Text clean = TEXT_EMPTY;
    label_clean(&clean, name);
    if (clean.length) text_format(out, say->axis, clean.data);
    text_release_for(&clean, out);
}

/* "3 rows (queries): the, cat, sat. " */
static void write_side(Text *out, const Phrases *say, const char *format, size_t count,
                       const char *title, const Labels *labels) {
    text_format(out, format, count);
    write_axis_name(out, say, title);
    for (size_t i = 0; labels->items && i < labels->count && i < NAMES_MOST; i++) {
        text_string(out, i ? say->comma : ": ");
        label_write(out, labels, i);
    }
    if (labels->items && labels->count > NAMES_MOST) text_string(out, say->more);
    text_string(out, say->stop);
}

static bool is_hidden(const Picture *picture, size_t i) {
    return picture->hidden && picture->hidden[i];
}

static void write_extreme(Text *out, const Phrases *say, const Picture *picture, size_t cell,
                          const char *which) {
    Text number = number_text(picture->cells[cell]), row = TEXT_EMPTY, column = TEXT_EMPTY;
    label_write(&row, &picture->row_labels, cell / picture->columns);
    label_write(&column, &picture->column_labels, cell % picture->columns);
    text_format(out, say->cell, which, number.data, row.data, column.data);
    text_string(out, say->stop);
    text_release_for(&number, out);
    text_release_for(&row, out);
    text_release_for(&column, out);
}

static void write_heatmap(Text *out, const Phrases *say, const Picture *picture) {
    size_t count = picture->rows * picture->columns, most = count, least = count, hidden = 0;
    write_side(out, say, say->rows, picture->rows, picture->row_title, &picture->row_labels);
    write_side(out, say, say->columns, picture->columns, picture->column_title,
               &picture->column_labels);
    for (size_t i = 0; i < count; i++) {
        hidden += is_hidden(picture, i);
        if (is_hidden(picture, i) || isnan(picture->cells[i])) continue;
        if (most == count || picture->cells[i] > picture->cells[most]) most = i;
        if (least == count || picture->cells[i] < picture->cells[least]) least = i;
    }
    if (most < count) write_extreme(out, say, picture, most, say->largest);
    if (least < count && picture->cells[least] < picture->cells[most])
        write_extreme(out, say, picture, least, say->smallest);
    if (!hidden) return;
    text_format(out, say->hidden, hidden);
    text_string(out, say->stop);
}

static void write_range(Text *out, const Phrases *say, const char *format, const char *title,
                        Range range) {
    Text name = TEXT_EMPTY, low = number_text(range.low), high = number_text(range.high);
    write_axis_name(&name, say, title);
    text_format(out, format, name.data, low.data, high.data);
    text_string(out, say->stop);
    text_release_for(&name, out);
    text_release_for(&low, out);
    text_release_for(&high, out);
}

static void write_line(Text *out, const Phrases *say, const Picture *picture,
                       const PictureLine *line) {
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
    if (name.length) text_format(out, say->line, name.data);
    else text_string(out, say->unnamed_line);
    text_format(out, say->course, begin.data, end.data, largest.data, at.data);
    text_string(out, say->stop);
    text_release_for(&begin, out);
    text_release_for(&end, out);
    text_release_for(&largest, out);
    text_release_for(&at, out);
    text_release_for(&name, out);
}

static void write_lines(Text *out, const Phrases *say, const Picture *picture) {
    write_range(out, say, say->x, picture->x_title, lines_range_x(picture));
    if (has_words(picture->y_title))
        write_range(out, say, say->y, picture->y_title, lines_range_y(picture));
    for (size_t i = 0; i < picture->line_count && i < NAMES_MOST; i++)
        write_line(out, say, picture, &picture->lines[i]);
}

/* "the 0.62, cat 1.04. " */
static void write_bars(Text *out, const Phrases *say, const Picture *picture) {
    const PictureLine *bars = bars_of(picture);
    for (size_t i = 0; i < bars->count && i < NAMES_MOST; i++) {
        if (i > 0) text_string(out, say->comma);
        label_write(out, &picture->row_labels, i);
        text_char(out, ' ');
        number_write(out, bars->y[i], DIGITS);
    }
    if (bars->count > NAMES_MOST) text_string(out, say->more);
    write_axis_name(out, say, picture->x_title);
    text_string(out, say->stop);
}

/* The names of both sides, and the heaviest links. */
static void write_links(Text *out, const Phrases *say, const Picture *picture) {
    const Picture *first = picture->panels;
    Links links;
    if (picture->panel_count == 0) return;
    if (!links_init(&links, picture, NULL)) out->failed = true;
    write_side(out, say, say->rows, first->rows, first->row_title, &first->row_labels);
    write_side(out, say, say->columns, first->columns, first->column_title, &first->column_labels);
    Text threshold = number_text(picture->threshold);
    text_format(out, say->count, links.count, threshold.data);
    text_release_for(&threshold, out);
    for (size_t i = 0; i < links.count && i < LINKS_MOST; i++) {
        const Link *link = &links.items[links.count - 1 - i];
        const Picture *head = &picture->panels[link->head];
        Text weight = number_text(link->weight), query = TEXT_EMPTY, key = TEXT_EMPTY;
        text_string(out, i ? say->comma : ": ");
        label_write(&query, &head->row_labels, link->query);
        label_write(&key, &head->column_labels, link->key);
        text_format(out, say->link, query.data, key.data, weight.data);
        if (picture->panel_count > 1) write_axis_name(out, say, head->title);
        text_release_for(&weight, out);
        text_release_for(&query, out);
        text_release_for(&key, out);
    }
    if (links.count > LINKS_MOST) text_string(out, say->more);
    text_string(out, say->stop);
    links_release(&links);
}

static void write_picture(Text *out, const Phrases *say, const Picture *picture, bool is_panel) {
    const char *kind = picture->kind == PICTURE_HEATMAP ? say->heatmap
                       : picture->kind == PICTURE_LINES ? say->lines
                       : picture->kind == PICTURE_BARS  ? say->bars
                       : picture->kind == PICTURE_LINKS ? say->links
                                                        : say->grid;
    if (!is_panel) text_string(out, kind);
    if (has_words(picture->title)) {
        if (!is_panel) text_string(out, ": ");
        label_clean(out, picture->title);
    }
    text_string(out, say->stop);
    switch (picture->kind) {
    case PICTURE_HEATMAP: write_heatmap(out, say, picture); break;
    case PICTURE_LINES: write_lines(out, say, picture); break;
    case PICTURE_BARS: write_bars(out, say, picture); break;
    case PICTURE_LINKS: write_links(out, say, picture); break;
    default:
        for (size_t i = 0; i < picture->panel_count && i < PANELS_MOST; i++) {
            if (has_words(picture->panels[i].heading)) {
                label_clean(out, picture->panels[i].heading);
                text_string(out, say->stop);
            }
            text_format(out, say->panel, i + 1);
            text_string(out, ": ");
            write_picture(out, say, &picture->panels[i], true);
        }
    }
}

void picture_words(Text *out, const Picture *picture, const char *language) {
    write_picture(out, strcmp(language, "zh") == 0 ? &chinese : &english, picture, false);
    while (out->length && out->data[out->length - 1] == ' ') out->data[--out->length] = '\0';
}
