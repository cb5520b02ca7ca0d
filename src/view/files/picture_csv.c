#include "base/number.h"
#include "view/label.h"
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

/* Each field is written with a comma behind it; end_row makes the last comma of a row its end. */
static void end_row(Text *out) {
    if (out->length && out->data[out->length - 1] == ',') out->data[out->length - 1] = '\n';
    else text_char(out, '\n');
}

/* Writes a field, in quotes where commas, quotes or line ends make that necessary. A word that a
 * spreadsheet would take for a formula, and run, gets a ' in front, which makes it text there. */
static void write_field(Text *out, const char *text) {
    const char *mark = text && looks_like_formula(text) ? "'" : "";
    if (!text || !strpbrk(text, ",\"\r\n")) {
        text_format(out, "%s%s,", mark, text ? text : "");
        return;
    }
    text_format(out, "\"%s", mark);
    for (const char *p = text; *p; p++) {
        if (*p == '"') text_char(out, '"');
        text_char(out, *p);
    }
    text_string(out, "\",");
}

static void write_number(Text *out, double x) {
    number_write_shortest(out, x, false);
    text_char(out, ',');
}

static void write_label(Text *out, const Labels *labels, size_t index) {
    char digits[LABEL_DIGITS];
    write_field(out, label_of(labels, index, digits));
}

/* ---- heatmaps ---- */

static void write_heatmap(Text *out, const Picture *picture) {
    bool labelled = picture->row_labels.items || picture->column_labels.items;
    if (labelled) write_field(out, NULL);
    for (size_t j = 0; labelled && j < picture->columns; j++)
        write_label(out, &picture->column_labels, j);
    if (labelled) end_row(out);
    for (size_t i = 0; i < picture->rows && !out->failed; i++) {
        if (labelled) write_label(out, &picture->row_labels, i);
        for (size_t j = 0; j < picture->columns; j++)
            write_number(out, picture->cells[i * picture->columns + j]);
        end_row(out);
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
    else if (picture->line_count > 1) text_format(out, "y%zu,", index);
    else write_field(out, has_words(picture->y_title) ? picture->y_title : "y");
}

/* A column for each line, where they have one x in common; else a row for each point, with the
 * line's name in front. */
static void write_lines(Text *out, const Picture *picture) {
    const PictureLine *common = picture->line_count ? common_line(picture) : NULL;
    if (!common) text_string(out, "line,");
    write_field(out, has_words(picture->x_title) ? picture->x_title : "x");
    for (size_t l = 0; common && l < picture->line_count; l++) write_line_name(out, picture, l);
    if (!common) write_field(out, "y");
    end_row(out);
    for (size_t i = 0; common && i < common->count && !out->failed; i++) {
        write_number(out, line_x(common, i));
        for (size_t l = 0; l < picture->line_count; l++) {
            if (i < picture->lines[l].count) write_number(out, picture->lines[l].y[i]);
            else write_field(out, NULL);
        }
        end_row(out);
    }
    for (size_t l = 0; !common && l < picture->line_count; l++) {
        const PictureLine *line = &picture->lines[l];
        for (size_t i = 0; i < line->count && !out->failed; i++) {
            write_line_name(out, picture, l);
            write_number(out, line_x(line, i));
            write_number(out, line->y[i]);
            end_row(out);
        }
    }
}

/* ---- bars ---- */

static void write_bars(Text *out, const Picture *picture) {
    write_field(out, has_words(picture->y_title) ? picture->y_title : "row");
    write_field(out, has_words(picture->x_title) ? picture->x_title : "x");
    if (marks_of(picture)) write_field(out, marks_of(picture)->name);
    end_row(out);
    for (size_t i = 0; i < bars_of(picture)->count && !out->failed; i++) {
        write_label(out, &picture->row_labels, i);
        for (size_t l = 0; l < picture->line_count; l++) write_number(out, picture->lines[l].y[i]);
        end_row(out);
    }
}

/* ---- links ---- */

/* A row for each link, of each query the heaviest first. */
static void write_links(Text *out, const Picture *picture) {
    Links links;
    bool several = picture->panel_count > 1;
    if (!links_init(&links, picture, NULL)) text_fail(out);
    links_sort_for_reading(&links);
    text_string(out, several ? "head,query,key,weight\n" : "query,key,weight\n");
    for (size_t i = 0; i < links.count && !out->failed; i++) {
        const Link *link = &links.items[i];
        const Picture *head = &picture->panels[link->head];
        if (several) write_field(out, head->title);
        write_label(out, &head->row_labels, link->query);
        write_label(out, &head->column_labels, link->key);
        write_number(out, link->weight);
        end_row(out);
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
            end_row(out);
        }
        write_field(out, picture->panels[i].title);
        end_row(out);
        picture_csv(out, &picture->panels[i]);
    }
}
