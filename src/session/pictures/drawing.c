#include "session/pictures/drawing.h"

#include "base/memory.h"
#include "session/bench/result_view.h"

#include <assert.h>
#include <string.h>

Drawing *drawing_new(const Settings *settings, Error *err) {
    Drawing *drawing = mem_zeroed(1, sizeof *drawing, err);
    if (!drawing) return NULL;
    drawing->picture = (Picture){.palette = settings->palette, .digits = settings->digits};
    text_init(&drawing->title);
    return drawing;
}

void drawing_free(Drawing *drawing) {
    for (size_t i = 0; i < drawing->kept_count; i++) mem_free(drawing->kept[i]);
    mem_free(drawing->kept);
    labels_release(&drawing->row_labels);
    labels_release(&drawing->column_labels);
    text_release(&drawing->title);
    mem_free(drawing);
}

void *drawing_keep(Drawing *drawing, void *block, Error *err) {
    if (!block) return NULL;
    void **kept =
        mem_grow(drawing->kept, drawing->kept_count, &drawing->kept_capacity, sizeof *kept, err);
    if (!kept) {
        mem_free(block);
        return NULL;
    }
    drawing->kept = kept;
    return drawing->kept[drawing->kept_count++] = block;
}

double *drawing_copy_numbers(Drawing *drawing, const Tensor *tensor, size_t first, size_t count,
                             Error *err) {
    return drawing_keep(drawing, doubles_of(tensor, first, count, err), err);
}

const char *drawing_keep_text(Drawing *drawing, Text *text, Error *err) {
    return drawing_keep(drawing, text_take(text, err), err);
}

const char *drawing_head_name(Drawing *drawing, size_t head, Error *err) {
    Text name = TEXT_EMPTY;
    text_format(&name, "head %zu", head);
    return drawing_keep_text(drawing, &name, err);
}

bool drawing_heatmap(Drawing *drawing, Picture *picture, const Tensor *tensor, size_t first,
                     size_t rows, size_t columns, Error *err) {
    if (rows == 0 || columns == 0)
        return error_set(err, ERR_SHAPE, "%zu×%zu is empty: there is nothing to draw", rows,
                         columns);
    picture->kind = PICTURE_HEATMAP;
    picture->rows = rows;
    picture->columns = columns;
    picture->cells = drawing_copy_numbers(drawing, tensor, first, rows * columns, err);
    return picture->cells != NULL;
}

bool drawing_weights(Drawing *drawing, Picture *picture, const Run *run, const Tensor *tensor,
                     size_t head, Error *err) {
    size_t count = run->queries * run->keys, first = head * count;
    const uint8_t *visible = tensor_bools(run->trace.visible) + first;
    picture->high = 1;
    picture->row_title = "queries";
    picture->column_title = "keys";
    if (!drawing_heatmap(drawing, picture, tensor, first, run->queries, run->keys, err))
        return false;
    if (!memchr(visible, 0, count)) return true;
    bool *hidden = drawing_keep(drawing, mem_alloc(count * sizeof *hidden, err), err);
    for (size_t i = 0; hidden && i < count; i++) hidden[i] = !visible[i];
    picture->hidden = hidden;
    return hidden != NULL;
}

static void set_labels(const Drawing *drawing, Picture *picture) {
    picture->row_labels = drawing->row_labels;
    picture->column_labels = drawing->column_labels;
}

bool drawing_label(Drawing *drawing, Value rows, Value columns, Error *err) {
    if (!labels_of(rows, &drawing->row_labels, err) ||
        !labels_of(columns, &drawing->column_labels, err))
        return false;
    set_labels(drawing, &drawing->picture);
    for (size_t i = 0; i < drawing->picture.panel_count; i++)
        set_labels(drawing, (Picture *)&drawing->picture.panels[i]);
    return true;
}

void drawing_line(Drawing *drawing, const char *name, const double *y, const double *x,
                  size_t count) {
    Picture *picture = &drawing->picture;
    assert(picture->line_count < LINES_MAX);
    picture->kind = PICTURE_LINES;
    picture->lines = drawing->lines;
    drawing->lines[picture->line_count++] = (PictureLine){name, y, x, count};
}

Picture *drawing_panels(Drawing *drawing, PictureKind kind, size_t count, Error *err) {
    Picture *picture = &drawing->picture,
            *panels = drawing_keep(drawing, mem_zeroed(count, sizeof *panels, err), err);
    if (!panels) return NULL;
    for (size_t i = 0; i < count; i++)
        panels[i] = (Picture){.palette = picture->palette, .digits = picture->digits};
    picture->kind = kind;
    picture->panels = panels;
    picture->panel_count = count;
    return panels;
}
