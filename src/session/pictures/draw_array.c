/* Pictures of any array, and of vectors as lines. */
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"

/* The source of what is plotted, without parentheses around all of it. */
static void write_source(Text *out, const PlotRequest *request, int at) {
    const CommandCall *call = request->call;
    const Node *node = call->node->command.arguments[at].value;
    size_t length;
    const char *text = command_argument_text(call, at, &length);
    bool enclosed = node && node->parenthesised && length > 2 && *text == '(';
    text_bytes(out, text + enclosed, length - (enclosed ? 2 : 0));
}

/* "softmax(S / t), t = 0.5": the source alone would be the same for each t. */
static void write_title(Drawing *drawing, const PlotRequest *request) {
    write_source(&drawing->title, request, request->value_at);
    if (plot_asks(request, PLOT_AGAINST)) {
        text_string(&drawing->title, " against ");
        write_source(&drawing->title, request, request->at[PLOT_AGAINST]);
    }
    command_write_numbers(request->call, request->value_at, &drawing->title);
}

static const char *kept_source(Drawing *drawing, const PlotRequest *request, int at, Error *err) {
    Text text = TEXT_EMPTY;
    write_source(&text, request, at);
    return drawing_keep_text(drawing, &text, err);
}

/* ---- lines over an x of their own ---- */

/* Gives all lines of the drawing the x that was asked for. */
static bool set_x(Drawing *drawing, const PlotRequest *request, Error *err) {
    if (!plot_asks(request, PLOT_AGAINST)) return true;
    Picture *picture = &drawing->picture;
    Tensor *tensor =
        value_as_tensor(&request->values[PLOT_AGAINST], "what the lines are drawn against", err);
    const double *x = NULL;
    if (!tensor) return plot_error_at(request, PLOT_AGAINST, err);
    if (picture->kind != PICTURE_LINES) {
        error_set(err, ERR_SHAPE, "only lines are drawn against something: this is a heatmap");
        error_hint(err, "a row of A is one: plot A[0] against x");
    } else if (tensor->shape.axes != 1)
        error_set(err, ERR_SHAPE, "lines are drawn against a list of numbers, not %s",
                  shape_words(&tensor->shape));
    else x = drawing_copy_numbers(drawing, tensor, 0, tensor->count, err);
    for (size_t l = 0; x && l < picture->line_count; l++) {
        if (picture->lines[l].count != tensor->count) {
            error_set(err, ERR_SHAPE, "%zu numbers cannot be drawn against %zu",
                      picture->lines[l].count, tensor->count);
            x = NULL;
            break;
        }
        drawing->lines[l].x = x;
    }
    tensor_unref(tensor);
    if (!x) return plot_error_at(request, PLOT_AGAINST, err);
    picture->x_title = kept_source(drawing, request, request->at[PLOT_AGAINST], err);
    return picture->x_title != NULL;
}

/* ---- one array ---- */

bool draw_array(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Value *value = &request->value;
    Tensor *tensor = value_as_tensor(value, "what is plotted", err);
    if (!tensor && value->kind == VALUE_RECORD && record_get(value->record, "held_loss")) {
        size_t length;
        const char *text = command_argument_text(request->call, request->value_at, &length);
        return error_hint(err, "plot loss draws how the last training went; or plot %.*s.loss",
                          (int)length, text);
    }
    if (!tensor) return false;
    const Shape *shape = &tensor->shape;
    drawing->takes = shape->axes > 2 ? 1u << PLOT_HEAD : 0;
    if (shape->axes == 1) drawing->takes = 1u << PLOT_AGAINST | 1u << PLOT_LINES;
    write_title(drawing, request);

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
        if (ok && plot_asks(request, PLOT_AGAINST)) {
            drawing->picture.y_title = kept_source(drawing, request, request->value_at, err);
            ok = drawing->picture.y_title != NULL;
        }
    } else {
        size_t rows = shape->size[shape->axes - 2], columns = shape->size[shape->axes - 1],
               planes = tensor->count / (rows * columns);
        if (planes > 1) text_format(&drawing->title, " of head %zu", request->head);
        Value labels = query_labels(session, rows), keys = VALUE_NOTHING;
        if (rows == columns && session->bench.settings.key_tokens.kind == VALUE_NONE) keys = labels;
        if (labels.kind == VALUE_NONE || session->bench.settings.key_tokens.kind != VALUE_NONE)
            keys = key_labels(session, columns);
        if (request->head >= planes)
            error_set(err, ERR_VALUE, "there is no head %zu: the array has %zu, counted from 0",
                      request->head, planes);
        else
            ok = drawing_heatmap(drawing, &drawing->picture, tensor, request->head * rows * columns,
                                 rows, columns, err) &&
                 drawing_label(drawing, labels, keys, err);
    }
    tensor_unref(tensor);
    return ok && set_x(drawing, request, err);
}

/* ---- several ---- */

/* True if x can be the axis that y is drawn over: as many finite numbers, each above the one
 * before. */
static bool rises(const PictureLine *x, const PictureLine *y) {
    for (size_t i = 1; i < x->count; i++)
        if (!(x->y[i] > x->y[i - 1])) return false;
    return x->count > 1 && x->count == y->count;
}

/* plot x, y. */
static void make_first_line_x(Host *host, Drawing *drawing) {
    Picture *picture = &drawing->picture;
    PictureLine x = drawing->lines[0];
    drawing->lines[0] = drawing->lines[1];
    picture->line_count = 1;
    picture->x_title = x.name;
    picture->y_title = drawing->lines[0].name;
    drawing->lines[0].name = NULL;
    drawing->lines[0].x = x.y;
    text_format(&drawing->title, "%s against %s", picture->y_title, picture->x_title);
    host_note(host, "(drawn over %s, which rises; as lines draws two lines)\n", x.name);
}

bool draw_tuple(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const List *list = request->value.list;
    drawing->takes = 1u << PLOT_AGAINST | 1u << PLOT_LINES;
    if (list->count == 0) return error_set(err, ERR_SHAPE, "() is empty: there is nothing to draw");
    if (list->count > LINES_MAX)
        return error_set(err, ERR_LIMIT, "at most %d lines fit into one picture", LINES_MAX);
    for (size_t i = 0; i < list->count; i++) {
        Tensor *tensor = value_as_tensor(&list->items[i], "a line", err);
        if (!tensor && list->items[i].kind == VALUE_STRING)
            error_hint(err, "lines take no style; plot y against x draws y over x");
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

        const char *name = drawing_keep_source(drawing, request->call, request->value_at, i, err);
        if (!name) return false;
        drawing_line(drawing, name, y, NULL, count);
    }
    bool lines = plot_asks(request, PLOT_LINES) || plot_asks(request, PLOT_AGAINST);
    if (list->count == 2 && !lines && rises(&drawing->lines[0], &drawing->lines[1]))
        make_first_line_x(session->interp.host, drawing);
    return set_x(drawing, request, err);
}
