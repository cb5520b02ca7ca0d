#include "session/pictures/drawing.h"

#include "base/memory.h"
#include "base/translate.h"
#include "session/bench/result_view.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

Drawing *drawing_new(Session *session, const struct PlotRequest *request, Error *err) {
    const Settings *settings = &session->bench.settings;
    Drawing *drawing = mem_zeroed(1, sizeof *drawing, err);
    if (!drawing) return NULL;
    drawing->session = session;
    drawing->request = request;
    drawing->err = err;
    drawing->picture = (Picture){.palette = settings->palette, .digits = settings->digits};
    text_init(&drawing->title);
    return drawing;
}

void drawing_free(Drawing *drawing) {
    if (!drawing) return;
    for (size_t i = 0; i < drawing->kept_count; i++) mem_free(drawing->kept[i]);
    mem_free(drawing->kept);
    text_release(&drawing->title);
    mem_free(drawing);
}

bool drawing_check(Drawing *drawing, bool ok) {
    if (!ok) drawing->failed = true;
    return !drawing->failed;
}

void drawing_fail(Drawing *drawing, ErrorKind kind, const char *format, ...) {
    char message[2 * sizeof drawing->err->message];
    va_list arguments;
    if (drawing->failed) return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    drawing->failed = true;
    error_set(drawing->err, kind, "%s", message);
}

/* ---- what is kept ---- */

void *drawing_keep(Drawing *drawing, void *block) {
    void **kept = NULL;
    if (drawing_check(drawing, block != NULL))
        kept = mem_grow(drawing->kept, drawing->kept_count, &drawing->kept_capacity, sizeof *kept,
                        drawing->err);
    if (!drawing_check(drawing, kept != NULL)) {
        mem_free(block);
        return NULL;
    }
    drawing->kept = kept;
    return drawing->kept[drawing->kept_count++] = block;
}

void *drawing_alloc(Drawing *drawing, size_t count, size_t size) {
    return drawing->failed ? NULL : drawing_keep(drawing, mem_zeroed(count, size, drawing->err));
}

double *drawing_numbers(Drawing *drawing, const Tensor *tensor, size_t first, size_t count) {
    if (drawing->failed) return NULL;
    return drawing_keep(drawing, doubles_of(tensor, first, count, drawing->err));
}

const char *drawing_keep_text(Drawing *drawing, Text *text) {
    if (!drawing->failed) return drawing_keep(drawing, text_take(text, drawing->err));
    text_release(text);
    return NULL;
}

const char *drawing_words(Drawing *drawing, const char *format, ...) {
    Text words = TEXT_EMPTY;
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&words, format, arguments);
    va_end(arguments);
    return drawing_keep_text(drawing, &words);
}

/* ---- in the person's language ---- */

static void say(Drawing *drawing, const char **words) {
    Text said = TEXT_EMPTY;
    if (!*words || session_variable(drawing->session, *words)) return; /* a name stays as it is */
    tr_write(&said, *words);
    if (strcmp(said.data, *words) != 0) *words = drawing_keep_text(drawing, &said);
    else text_release(&said);
}

static void say_picture(Drawing *drawing, Picture *picture) {
    const char **const words[] = {&picture->title,        &picture->heading, &picture->row_title,
                                  &picture->column_title, &picture->x_title, &picture->y_title};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) say(drawing, words[i]);
    for (size_t i = 0; i < picture->line_count; i++)
        say(drawing, &((PictureLine *)picture->lines)[i].name);
}

bool drawing_say(Drawing *drawing) {
    if (translate_language() == LANGUAGE_ENGLISH || drawing->failed) return !drawing->failed;
    if (!session_variable(drawing->session, drawing->title.data)) {
        LocalText title = drawing->title;
        text_init(&drawing->title);
        tr_write(&drawing->title, title.data);
        drawing_check(drawing, text_ok(&drawing->title, drawing->err));
    }
    say_picture(drawing, &drawing->picture);
    for (size_t i = 0; i < drawing->picture.panel_count; i++)
        say_picture(drawing, (Picture *)&drawing->picture.panels[i]);
    return !drawing->failed;
}

/* ---- heatmaps ---- */

void drawing_heatmap(Drawing *drawing, Picture *picture, const Tensor *tensor, size_t first,
                     size_t rows, size_t columns) {
    if (drawing->failed) return;
    if (rows == 0 || columns == 0) {
        drawing_fail(drawing, ERR_SHAPE, "%zu×%zu is empty: there is nothing to draw", rows,
                     columns);
        return;
    }
    picture->kind = PICTURE_HEATMAP;
    picture->rows = rows;
    picture->columns = columns;
    picture->cells = drawing_numbers(drawing, tensor, first, rows * columns);
}

void drawing_weights(Drawing *drawing, Picture *picture, const Tensor *weights,
                     const Tensor *visible, size_t head) {
    if (drawing->failed) return;
    const Shape *shape = &weights->shape;
    size_t queries = shape_rows(shape), keys = shape_columns(shape), count = queries * keys,
           first = head * count;
    picture->high = 1;
    picture->row_title = "queries";
    picture->column_title = "keys";
    drawing_heatmap(drawing, picture, weights, first, queries, keys);
    const uint8_t *seen = visible ? tensor_bools(visible) + first : NULL;
    if (drawing->failed || !seen || !memchr(seen, 0, count)) return;
    bool *hidden = drawing_alloc(drawing, count, sizeof *hidden);
    for (size_t i = 0; hidden && i < count; i++) hidden[i] = !seen[i];
    picture->hidden = hidden;
}

static Labels keep_labels(Drawing *drawing, Value names) {
    Labels labels = {NULL, 0};
    if (drawing->failed || !drawing_check(drawing, labels_of(names, &labels, drawing->err)))
        return labels;
    if (labels.items) labels.items = drawing_keep(drawing, (void *)labels.items);
    return labels;
}

void drawing_label_panels(Drawing *drawing, Picture *panels, size_t count, Value rows,
                          Value columns) {
    Labels row_labels = keep_labels(drawing, rows), column_labels = keep_labels(drawing, columns);
    for (size_t i = 0; !drawing->failed && i < count; i++) {
        panels[i].row_labels = row_labels;
        panels[i].column_labels = column_labels;
    }
}

void drawing_label(Drawing *drawing, Value rows, Value columns) {
    Picture *picture = &drawing->picture;
    drawing_label_panels(drawing, picture, 1, rows, columns);
    drawing_label_panels(drawing, (Picture *)picture->panels, picture->panel_count, rows, columns);
}

/* ---- lines, panels ---- */

void drawing_line(Drawing *drawing, const char *name, const double *y, const double *x,
                  size_t count) {
    Picture *picture = &drawing->picture;
    if (drawing->failed) return;
    assert(picture->line_count < LINES_MAX);
    picture->kind = PICTURE_LINES;
    picture->lines = drawing->lines;
    drawing->lines[picture->line_count++] = (PictureLine){name, y, x, count};
}

void drawing_bars(Drawing *drawing, const double *y, const char *mark_name, const double *marks,
                  size_t count, const char *x_title, const char *y_title) {
    drawing_line(drawing, NULL, y, NULL, count);
    if (marks) drawing_line(drawing, mark_name, marks, NULL, count);
    drawing->picture.kind = PICTURE_BARS;
    drawing->picture.x_title = x_title;
    drawing->picture.y_title = y_title;
}

Picture *drawing_panels(Drawing *drawing, PictureKind kind, size_t count) {
    Picture *picture = &drawing->picture, *panels = drawing_alloc(drawing, count, sizeof *panels);
    if (!panels) return NULL;
    for (size_t i = 0; i < count; i++)
        panels[i] = (Picture){.palette = picture->palette, .digits = picture->digits};
    picture->kind = kind;
    picture->panels = panels;
    picture->panel_count = count;
    return panels;
}
