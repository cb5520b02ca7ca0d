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

const char *drawing_keep_source(Drawing *drawing, const CommandCall *call, int at, size_t item,
                                Error *err) {
    const Node *node = call->node->command.arguments[at].value;
    Span span = node->kind == NODE_TUPLE ? node->list.items[item]->span : node->span;
    Text source = TEXT_EMPTY;
    text_bytes(&source, call->frame->chunk->text + span.begin, span.end - span.begin);
    return drawing_keep_text(drawing, &source, err);
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

bool drawing_weights(Drawing *drawing, Picture *picture, const Tensor *weights,
                     const Tensor *visible, size_t head, Error *err) {
    const Shape *shape = &weights->shape;
    size_t queries = shape->size[shape->axes - 2], keys = shape->size[shape->axes - 1],
           count = queries * keys, first = head * count;
    picture->high = 1;
    picture->row_title = "queries";
    picture->column_title = "keys";
    if (!drawing_heatmap(drawing, picture, weights, first, queries, keys, err)) return false;
    const uint8_t *seen = visible ? tensor_bools(visible) + first : NULL;
    if (!seen || !memchr(seen, 0, count)) return true;
    bool *hidden = drawing_keep(drawing, mem_alloc(count * sizeof *hidden, err), err);
    for (size_t i = 0; hidden && i < count; i++) hidden[i] = !seen[i];
    picture->hidden = hidden;
    return hidden != NULL;
}

/* Labels that the drawing keeps; without items where there are no names. */
static bool keep_labels(Drawing *drawing, Value names, Labels *out, Error *err) {
    if (!labels_of(names, out, err)) return false;
    return !out->items || drawing_keep(drawing, (void *)out->items, err) != NULL;
}

bool drawing_label_panels(Drawing *drawing, Picture *panels, size_t count, Value rows,
                          Value columns, Error *err) {
    Labels row_labels, column_labels;
    if (!keep_labels(drawing, rows, &row_labels, err) ||
        !keep_labels(drawing, columns, &column_labels, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        panels[i].row_labels = row_labels;
        panels[i].column_labels = column_labels;
    }
    return true;
}

bool drawing_label(Drawing *drawing, Value rows, Value columns, Error *err) {
    Picture *picture = &drawing->picture;
    return drawing_label_panels(drawing, picture, 1, rows, columns, err) &&
           drawing_label_panels(drawing, (Picture *)picture->panels, picture->panel_count, rows,
                                columns, err);
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
