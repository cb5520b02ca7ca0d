#include "base/number.h"
#include "view/lines_data.h"
#include "view/links_data.h"

#include <stdlib.h>
#include <string.h>

/* A sign alone and a number are none. */
static bool looks_like_formula(const char *text) {
    char *end;
    if (!*text || !strchr("=+-@\t\r\n", *text) || !text[1]) return false;
    strtod(text, &end);
    return *end != 0;
}

/* Writes a field, in quotes where commas, quotes or line ends make that necessary. A word that a
 * spreadsheet would take for a formula, and run, gets a ' in front, which makes it text there. */
static void write_field(Text *out, const char *text) {
    if (!text) return;
    const char *mark = looks_like_formula(text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        text_format(out, "%s%s", mark, text);
        return;
    }
    text_format(out, "\"%s", mark);
    for (const char *p = text; *p; p++) {
        if (*p == '"') text_char(out, '"');
        text_char(out, *p);
    }
    text_char(out, '"');
}

static void write_number(Text *out, double x) { number_write_shortest(out, x, false); }

static void write_label(Text *out, const Labels *labels, size_t index) {
    if (labels->items && index < labels->count) write_field(out, labels->items[index]);
    else text_format(out, "%zu", index);
}

/* ---- heatmaps ---- */

static void write_heatmap(Text *out, const Picture *picture) {
    bool labelled = picture->row_labels.items || picture->column_labels.items;
    for (size_t j = 0; labelled && j < picture->columns; j++) {
        text_char(out, ',');
        write_label(out, &picture->column_labels, j);
    }
    if (labelled) text_char(out, '\n');
    for (size_t i = 0; i < picture->rows && !out->failed; i++) {
        if (labelled) write_label(out, &picture->row_labels, i);
        for (size_t j = 0; j < picture->columns; j++) {
            if (j || labelled) text_char(out, ',');
            write_number(out, picture->cells[i * picture->columns + j]);
        }
        text_char(out, '\n');
    }
}

/* ---- lines ---- */

/* The longest line, if all lines have the x that it has, so that they fit into one table; or NULL.
 */
static const PictureLine *common_line(const Picture *picture) {
    const PictureLine *longest = &picture->lines[0];
    for (size_t l = 1; l < picture->line_count; l++)
        if (picture->lines[l].count > longest->count) longest = &picture->lines[l];
    for (size_t l = 0; l < picture->line_count; l++) {
        const PictureLine *line = &picture->lines[l];
        for (size_t i = 0; i < line->count; i++)
            if (line_x(line, i) != line_x(longest, i)) return NULL;
    }
    return longest;
}

static void write_line_name(Text *out, const Picture *picture, size_t index) {
    const char *name = picture->lines[index].name;
    if (has_words(name)) write_field(out, name);
    else if (picture->line_count > 1) text_format(out, "y%zu", index);
    else write_field(out, has_words(picture->y_title) ? picture->y_title : "y");
}

/* A column for each line, where they have one x in common; else a row for each point, with the
 * line's name in front. */
static void write_lines(Text *out, const Picture *picture) {
    const PictureLine *common = picture->line_count ? common_line(picture) : NULL;
    if (!common) text_string(out, "line,");
    write_field(out, has_words(picture->x_title) ? picture->x_title : "x");
    for (size_t l = 0; common && l < picture->line_count; l++) {
        text_char(out, ',');
        write_line_name(out, picture, l);
    }
    text_string(out, common ? "\n" : ",y\n");
    for (size_t i = 0; common && i < common->count && !out->failed; i++) {
        write_number(out, line_x(common, i));
        for (size_t l = 0; l < picture->line_count; l++) {
            text_char(out, ',');
            if (i < picture->lines[l].count) write_number(out, picture->lines[l].y[i]);
        }
        text_char(out, '\n');
    }
    for (size_t l = 0; !common && l < picture->line_count; l++) {
        const PictureLine *line = &picture->lines[l];
        for (size_t i = 0; i < line->count && !out->failed; i++) {
            write_line_name(out, picture, l);
            text_char(out, ',');
            write_number(out, line_x(line, i));
            text_char(out, ',');
            write_number(out, line->y[i]);
            text_char(out, '\n');
        }
    }
}

/* ---- bars ---- */

static void write_bars(Text *out, const Picture *picture) {
    write_field(out, has_words(picture->y_title) ? picture->y_title : "row");
    text_char(out, ',');
    write_field(out, has_words(picture->x_title) ? picture->x_title : "x");
    if (marks_of(picture)) {
        text_char(out, ',');
        write_field(out, marks_of(picture)->name);
    }
    text_char(out, '\n');
    for (size_t i = 0; i < bars_of(picture)->count && !out->failed; i++) {
        write_label(out, &picture->row_labels, i);
        for (size_t l = 0; l < picture->line_count; l++) {
            text_char(out, ',');
            write_number(out, picture->lines[l].y[i]);
        }
        text_char(out, '\n');
    }
}

/* ---- links ---- */

/* A row for each link, of each query the heaviest first. */
static void write_links(Text *out, const Picture *picture) {
    Links links;
    bool several = picture->panel_count > 1;
    if (!links_init(&links, picture, NULL)) out->failed = true;
    links_sort_for_reading(&links);
    text_string(out, several ? "head,query,key,weight\n" : "query,key,weight\n");
    for (size_t i = 0; i < links.count && !out->failed; i++) {
        const Link *link = &links.items[i];
        const Picture *head = &picture->panels[link->head];
        if (several) {
            write_field(out, head->title);
            text_char(out, ',');
        }
        write_label(out, &head->row_labels, link->query);
        text_char(out, ',');
        write_label(out, &head->column_labels, link->key);
        text_char(out, ',');
        write_number(out, link->weight);
        text_char(out, '\n');
    }
    links_release(&links);
}

/* ---- the whole ---- */

void picture_csv(Text *out, const Picture *picture) {
    if (picture->kind == PICTURE_HEATMAP) write_heatmap(out, picture);
    if (picture->kind == PICTURE_LINES) write_lines(out, picture);
    if (picture->kind == PICTURE_BARS) write_bars(out, picture);
    if (picture->kind == PICTURE_LINKS) {
        write_links(out, picture);
        return;
    }
    for (size_t i = 0; i < picture->panel_count; i++) {
        if (i > 0) text_char(out, '\n');
        if (has_words(picture->panels[i].heading)) {
            write_field(out, picture->panels[i].heading);
            text_char(out, '\n');
        }
        write_field(out, picture->panels[i].title);
        text_char(out, '\n');
        picture_csv(out, &picture->panels[i]);
    }
}
