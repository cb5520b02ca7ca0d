/* Pictures of any array, and of several vectors as lines. */
#include "base/memory.h"
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"

bool draw_array(Session *session, Drawing *drawing, const Value *value, const CommandCall *call,
                int at, const PlotRequest *request, Error *err) {
    Tensor *tensor = value_as_tensor(value, "what is plotted", err);
    if (!tensor) return false;
    const Shape *shape = &tensor->shape;
    size_t length;
    const char *name = command_argument_text(call, at, &length);
    text_bytes(&drawing->title, name, length);

    bool ok = false;
    if (tensor->count == 0) {
        error_set(err, ERR_SHAPE, "%s is empty: there is nothing to draw", shape_words(shape));
    } else if (shape->axes == 0) {
        error_set(
            err, ERR_SHAPE,
            "a single number makes no picture: a line needs a list of numbers, a heatmap a matrix");
    } else if (shape->axes == 1) {
        const double *y = drawing_copy_numbers(drawing, tensor, 0, tensor->count, err);
        if (y) drawing_line(drawing, NULL, y, NULL, tensor->count);
        ok = y != NULL;
    } else {
        size_t rows = shape->size[shape->axes - 2], columns = shape->size[shape->axes - 1],
               planes = tensor->count / (rows * columns);
        if (planes > 1) text_format(&drawing->title, " of head %zu", request->head);
        Value labels = query_labels(session, rows), keys = VALUE_NOTHING;
        if (rows == columns && session->bench.settings.key_tokens.kind == VALUE_NONE) keys = labels;
        if (request->head >= planes)
            error_set(err, ERR_VALUE, "there is no head %zu: the array has %zu, counted from 0",
                      request->head, planes);
        else
            ok = drawing_heatmap(drawing, &drawing->picture, tensor, request->head * rows * columns,
                                 rows, columns, err) &&
                 drawing_label(drawing, labels, keys, err);
    }
    tensor_unref(tensor);
    return ok;
}

bool draw_tuple(Drawing *drawing, const CommandCall *call, int at, const List *list, Error *err) {
    const Node *node = call->node->command.arguments[at].value;
    if (list->count == 0) return error_set(err, ERR_SHAPE, "() is empty: there is nothing to draw");
    if (list->count > LINES_MAX)
        return error_set(err, ERR_LIMIT, "at most %d lines fit into one picture", LINES_MAX);
    for (size_t i = 0; i < list->count; i++) {
        Tensor *tensor = value_as_tensor(&list->items[i], "a line", err);
        if (!tensor) return false;
        size_t count = tensor->count;
        const double *y = NULL;
        if (count == 0)
            error_set(err, ERR_SHAPE, "line %zu is empty: there is nothing to draw", i + 1);
        else if (tensor->shape.axes > 1)
            error_set(err, ERR_SHAPE, "line %zu is %s: several things in one picture are vectors",
                      i + 1, shape_words(&tensor->shape));
        else y = drawing_copy_numbers(drawing, tensor, 0, count, err);
        tensor_unref(tensor);
        if (!y) return false;

        Span span = node->kind == NODE_TUPLE ? node->list.items[i]->span : node->span;
        char *name = mem_string(call->frame->chunk->text + span.begin, span.end - span.begin, err);
        if (!drawing_keep(drawing, name, err)) return false;
        drawing_line(drawing, name, y, NULL, count);
    }
    return true;
}
