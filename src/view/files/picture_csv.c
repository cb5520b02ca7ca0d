#include "base/csv_row.h"
#include "base/number.h"
#include "view/files/picture_format.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/links_data.h"

static void write_number(Text *out, double x) {
    number_write_shortest(out, x, false);
    text_char(out, ',');
}

static void write_label(Text *out, const Labels *labels, size_t index) {
    char digits[LABEL_DIGITS];
    csv_field(out, label_of(labels, index, digits));
}

/* ---- heatmaps ---- */

static void write_heatmap(Text *out, const Picture *picture) {
    bool labelled = picture->row_labels.items || picture->column_labels.items;
    if (labelled) csv_field(out, NULL);
    for (size_t j = 0; labelled && j < picture->columns; j++)
        write_label(out, &picture->column_labels, j);
    if (labelled) csv_end_row(out);
    for (size_t i = 0; i < picture->rows && !out->failed; i++) {
        if (labelled) write_label(out, &picture->row_labels, i);
        for (size_t j = 0; j < picture->columns; j++)
            write_number(out, picture->cells[i * picture->columns + j]);
        csv_end_row(out);
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
    if (has_words(name)) csv_field(out, name);
    else if (picture->line_count > 1) text_format(out, "y%zu,", index);
    else csv_field(out, has_words(picture->y_title) ? picture->y_title : "y");
}

/* A column for each line, where they have one x in common; else a row for each point, with the
 * line's name in front. */
static void write_lines(Text *out, const Picture *picture) {
    const PictureLine *common = picture->line_count ? common_line(picture) : NULL;
    if (!common) text_string(out, "line,");
    csv_field(out, has_words(picture->x_title) ? picture->x_title : "x");
    for (size_t l = 0; common && l < picture->line_count; l++) write_line_name(out, picture, l);
    if (!common) csv_field(out, "y");
    csv_end_row(out);
    for (size_t i = 0; common && i < common->count && !out->failed; i++) {
        write_number(out, line_x(common, i));
        for (size_t l = 0; l < picture->line_count; l++) {
            if (i < picture->lines[l].count) write_number(out, picture->lines[l].y[i]);
            else csv_field(out, NULL);
        }
        csv_end_row(out);
    }
    for (size_t l = 0; !common && l < picture->line_count; l++) {
        const PictureLine *line = &picture->lines[l];
        for (size_t i = 0; i < line->count && !out->failed; i++) {
            write_line_name(out, picture, l);
            write_number(out, line_x(line, i));
            write_number(out, line->y[i]);
            csv_end_row(out);
        }
    }
}

/* ---- bars ---- */

static void write_bars(Text *out, const Picture *picture) {
    csv_field(out, has_words(picture->y_title) ? picture->y_title : "row");
    csv_field(out, has_words(picture->x_title) ? picture->x_title : "x");
    if (marks_of(picture)) csv_field(out, marks_of(picture)->name);
    csv_end_row(out);
    for (size_t i = 0; i < bars_of(picture)->count && !out->failed; i++) {
        write_label(out, &picture->row_labels, i);
        for (size_t l = 0; l < picture->line_count; l++) write_number(out, picture->lines[l].y[i]);
        csv_end_row(out);
    }
}

/* ---- links ---- */

/* A row for each link, of each query the heaviest first. */
static void write_links(Text *out, const Picture *picture) {
    Links links;
    bool several = picture->panel_count > 1;
    if (!links_init(&links, picture)) text_fail(out);
    links_sort_for_reading(&links);
    text_string(out, several ? "head,query,key,weight\n" : "query,key,weight\n");
    for (size_t i = 0; i < links.count && !out->failed; i++) {
        const Link *link = &links.items[i];
        const Picture *head = &picture->panels[link->head];
        if (several) csv_field(out, head->title);
        write_label(out, &head->row_labels, link->query);
        write_label(out, &head->column_labels, link->key);
        write_number(out, link->weight);
        csv_end_row(out);
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
            csv_field(out, picture->panels[i].heading);
            csv_end_row(out);
        }
        csv_field(out, picture->panels[i].title);
        csv_end_row(out);
        picture_csv(out, &picture->panels[i]);
    }
}

static void write_file(Text *out, const Picture *picture, const char *path) {
    (void)path;
    picture_csv(out, picture);
}

const PictureFormat format_csv = {
    .suffix = "csv", .summary = "the numbers", .numbers = true, .data = true, .write = write_file};
