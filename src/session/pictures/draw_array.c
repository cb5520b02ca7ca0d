/* Pictures of any array. */
#include "session/pictures/draw.h"
#include "session/bench/result_view.h"

static bool draw_vector(Drawing *drawing, const Tensor *tensor, Error *err) {
    const double *y = drawing_numbers(drawing, tensor, 0, tensor->count, err);
    if (y) drawing_line(drawing, NULL, y, NULL, tensor->count);
    return y != NULL;
}

static bool draw_matrix(Session *session, Drawing *drawing, const Tensor *tensor, size_t head,
                        Error *err) {
    int axes = tensor->shape.axes;
    size_t rows = tensor->shape.size[axes - 2], columns = tensor->shape.size[axes - 1], planes = 1;
    for (int i = 0; i < axes - 2; i++) planes *= tensor->shape.size[i];
    if (head >= planes && planes)
        return error_set(err, ERR_VALUE, "there is no head %zu: the array has %zu, counted from 0",
                         head, planes);
    if (planes > 1) text_format(&drawing->title, " of head %zu", head);
    Value labels = query_labels(session, rows);
    Value keys =
        rows == columns && session->settings.key_tokens.kind == VALUE_NONE ? labels : VALUE_NOTHING;
    return drawing_heatmap(drawing, &drawing->picture, tensor, head * rows * columns, rows, columns,
                           err) &&
           drawing_label(drawing, labels, keys, err);
}

bool draw_array(Session *session, Drawing *drawing, const Value *value, const char *name,
                size_t length, const Wish *wish, Error *err) {
    Tensor *tensor = value_as_tensor(value, "what is plotted", err);
    if (!tensor) return false;
    text_bytes(&drawing->title, name, length);
    bool ok;
    if (tensor->shape.axes >= 2) ok = draw_matrix(session, drawing, tensor, wish->head, err);
    else if (tensor->shape.axes == 0)
        ok = error_set(
            err, ERR_SHAPE,
            "a single number makes no picture: a line needs a list of numbers, a heatmap a matrix");
    else if (tensor->count == 0) ok = error_set(err, ERR_SHAPE, "an empty array cannot be drawn");
    else ok = draw_vector(drawing, tensor, err);
    tensor_unref(tensor);
    return ok;
}
