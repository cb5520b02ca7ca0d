/* Pictures of any array, of vectors as lines, and of several matrices beside each other. */
#include "base/translate.h"
#include "library/run.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"
#include "session/pictures/draw.h"
#include "view/scale.h"

/* The source of what is plotted, without parentheses around all of it. */
static void write_source(Text *out, const PlotRequest *request, int at) {
    const CommandCall *call = request->call;
    const Node *node = call->node->command.arguments[at].value;
    size_t length;
    const char *text = command_argument_text(call, at, &length);
    bool enclosed = node && node->parenthesised && length > 2 && *text == '(';
    text_bytes(out, text + enclosed, length - (enclosed ? 2 : 0));
}

static const char *kept_source(Drawing *drawing, int at) {
    Text text = TEXT_EMPTY;
    write_source(&text, drawing->request, at);
    return drawing_keep_text(drawing, &text);
}

/* ---- lines over an x of their own ---- */

/* Gives all lines of the drawing the x that was asked for. */
static void set_x(Drawing *drawing) {
    const PlotRequest *request = drawing->request;
    Picture *picture = &drawing->picture;
    Error *err = drawing->err;
    if (drawing->failed || !plot_asks(request, PLOT_AGAINST)) return;
    LocalTensor *tensor =
        value_as_tensor(&request->values[PLOT_AGAINST], "what the lines are drawn against", err);
    const double *x = NULL;
    if (tensor && picture->kind != PICTURE_LINES) {
        error_set(err, ERR_SHAPE, "only lines are drawn against something: this is a heatmap");
        error_hint(err, "a row of A is one: plot A[0] against x");
    } else if (tensor && tensor->shape.axes != 1) {
        error_set(err, ERR_SHAPE, "lines are drawn against a list of numbers, not %s",
                  shape_words(&tensor->shape));
    } else if (tensor) {
        x = drawing_numbers(drawing, tensor, 0, tensor->count);
    }
    for (size_t l = 0; x && l < picture->line_count; l++) {
        size_t count = picture->lines[l].count;
        drawing->lines[l].x = x;
        if (count == tensor->count) continue;
        error_set(err, ERR_SHAPE, "%zu numbers cannot be drawn against %zu", count, tensor->count);
        x = NULL;
    }
    if (!drawing_check(drawing, x != NULL)) plot_error_at(request, PLOT_AGAINST, err);
    picture->x_title = kept_source(drawing, request->at[PLOT_AGAINST]);
}

/* ---- one array ---- */

void draw_array(Drawing *drawing) {
    const PlotRequest *request = drawing->request;
    const Value *value = &request->value;
    Error *err = drawing->err;
    LocalTensor *tensor = value_as_tensor(value, "what is plotted", err);
    if (!drawing_check(drawing, tensor != NULL)) {
        size_t length;
        const char *text = command_argument_text(request->call, request->value_at, &length);
        if (value->kind == VALUE_RECORD && record_get(value->record, "held_loss"))
            error_hint(err, "plot loss draws how the last training went; or plot %.*s.loss",
                       (int)length, text);
        return;
    }
    size_t axes = tensor->shape.axes;
    drawing->takes = axes > 2    ? 1u << PLOT_HEAD
                     : axes == 1 ? 1u << PLOT_AGAINST | 1u << PLOT_LINES
                                 : 0;
    /* "softmax(S / t), t = 0.5": the source alone would be the same for each t. */
    write_source(&drawing->title, request, request->value_at);
    if (plot_asks(request, PLOT_AGAINST)) {
        text_string(&drawing->title, " against ");
        write_source(&drawing->title, request, request->at[PLOT_AGAINST]);
    }
    command_write_numbers(request->call, request->value_at, &drawing->title);

    if (tensor->count == 0) {
        drawing_fail(drawing, ERR_SHAPE, "%s is empty: there is nothing to draw",
                     shape_words(&tensor->shape));
    } else if (axes == 0) {
        drawing_fail(drawing, ERR_SHAPE,
                     "a single number makes no picture: a line needs a list of "
                     "numbers, a heatmap a matrix");
    } else if (axes == 1) {
        drawing_line(drawing, NULL, drawing_numbers(drawing, tensor, 0, tensor->count), NULL,
                     tensor->count);
        if (plot_asks(request, PLOT_AGAINST))
            drawing->picture.y_title = kept_source(drawing, request->value_at);
    } else {
        /* A heatmap of the plane that the request asks for. Columns are queries, too, where they
         * are as many and the keys have no names of their own. */
        const Session *session = drawing->session;
        const Shape *shape = &tensor->shape;
        bool own_keys = session->bench.settings.key_tokens.kind != VALUE_NONE;
        size_t rows = shape_rows(shape), columns = shape_columns(shape),
               planes = tensor->count / (rows * columns), head = drawing->request->head;
        Value labels = query_labels(session, rows), keys = VALUE_NOTHING;
        if (planes > 1) text_format(&drawing->title, " of head %zu", head);
        if (rows == columns && !own_keys) keys = labels;
        if (labels.kind == VALUE_NONE || own_keys) keys = key_labels(session, columns);
        if (head >= planes)
            drawing_fail(drawing, ERR_VALUE,
                         "there is no head %zu: the array has %zu, counted from 0", head, planes);
        drawing_heatmap(drawing, &drawing->picture, tensor, head * rows * columns, rows, columns);
        drawing_label(drawing, labels, keys);
    }
    set_x(drawing);
}

/* ---- several lines ---- */

/* True if x can be the axis that y is drawn over: as many finite numbers, each above the one
 * before. */
static bool rises(const PictureLine *x, const PictureLine *y) {
    for (size_t i = 1; i < x->count; i++)
        if (!(x->y[i] > x->y[i - 1])) return false;
    return x->count > 1 && x->count == y->count;
}

void draw_tuple(Drawing *drawing) {
    const PlotRequest *request = drawing->request;
    const List *list = request->value.list;
    drawing->takes = 1u << PLOT_AGAINST | 1u << PLOT_LINES;
    if (list->count == 0) drawing_fail(drawing, ERR_SHAPE, "() is empty: there is nothing to draw");
    else if (list->count > LINES_MAX)
        drawing_fail(drawing, ERR_LIMIT, "at most %d lines fit into one picture", LINES_MAX);
    for (size_t i = 0; i < list->count && !drawing->failed; i++) {
        LocalTensor *tensor = value_as_tensor(&list->items[i], "a line", drawing->err);
        if (!drawing_check(drawing, tensor != NULL)) {
            if (list->items[i].kind == VALUE_STRING)
                error_hint(drawing->err, "lines take no style; plot y against x draws y over x");
            break;
        }
        if (tensor->count == 0)
            drawing_fail(drawing, ERR_SHAPE, "line %zu is empty: there is nothing to draw", i + 1);
        else if (tensor->shape.axes > 1)
            drawing_fail(drawing, ERR_SHAPE,
                         "line %zu is %s: several things in one picture are vectors", i + 1,
                         shape_words(&tensor->shape));
        const double *y = drawing_numbers(drawing, tensor, 0, tensor->count);
        drawing_line(drawing, plot_source(drawing, request->value_at, i), y, NULL, tensor->count);
    }
    bool lines = plot_asks(request, PLOT_LINES) || plot_asks(request, PLOT_AGAINST);
    if (!drawing->failed && list->count == 2 && !lines &&
        rises(&drawing->lines[0], &drawing->lines[1])) {
        Picture *picture = &drawing->picture;
        PictureLine x = drawing->lines[0];
        drawing->lines[0] = drawing->lines[1];
        picture->line_count = 1;
        picture->x_title = x.name;
        picture->y_title = drawing->lines[0].name;
        drawing->lines[0].name = NULL;
        drawing->lines[0].x = x.y;
        text_format(&drawing->title, "%s against %s", picture->y_title, picture->x_title);
        host_note(drawing->session->interp.host,
                  "(drawn over %s, which rises; as lines draws two lines)\n", x.name);
    }
    set_x(drawing);
}

/* ---- matrices beside each other ---- */

enum { PANELS_BESIDE = 6 };

static void draw_run(Drawing *drawing, Picture *panel, Run *run) {
    const Session *session = drawing->session;
    size_t head = drawing->request->head;
    drawing->takes |= run->heads > 1 ? 1u << PLOT_HEAD : 0;
    if (head >= run->heads) {
        drawing_check(drawing, no_such_head((double)head, run->heads, drawing->err));
        return;
    }
    if (drawing_check(drawing, run_need_trace(run, drawing->err)))
        drawing_weights(drawing, panel, run->trace.weights, run->trace.visible, head);
    drawing_label_panels(drawing, panel, 1, query_labels(session, run->queries),
                         key_labels(session, run->keys));
    run_put_aside(run);
}

/* A matrix, or a vector as a column. */
static void draw_cells(Drawing *drawing, Picture *panel, const Value *value) {
    LocalTensor *tensor = value_as_tensor(value, "a matrix beside others", drawing->err);
    if (!drawing_check(drawing, tensor != NULL)) return;
    const Shape *shape = &tensor->shape;
    if (shape->axes == 1 || shape->axes == 2) {
        size_t rows = shape->size[0], columns = shape->axes == 2 ? shape->size[1] : 1;
        Value row_labels = query_labels(drawing->session, rows), column_labels = VALUE_NOTHING;
        if (rows == columns || row_labels.kind == VALUE_NONE)
            column_labels = query_labels(drawing->session, columns);
        drawing_heatmap(drawing, panel, tensor, 0, rows, columns);
        drawing_label_panels(drawing, panel, 1, row_labels, column_labels);
    } else {
        drawing_fail(drawing, ERR_SHAPE,
                     "what is drawn beside others is a matrix or a vector, not "
                     "%s",
                     shape_words(shape));
    }
}

/* weights: the colours are those from 0 to 1, as wherever one of the items is a run. */
static void draw_beside(Drawing *drawing, const Value *items, const char *const *names,
                        size_t count, bool weights) {
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, count);
    Range range = range_empty();
    for (size_t i = 0; i < count && !drawing->failed; i++) {
        Run *run = run_of(&items[i]);
        panels[i].title = names[i];
        if (run) draw_run(drawing, &panels[i], run);
        else draw_cells(drawing, &panels[i], &items[i]);
        size_t cells = drawing->failed ? 0 : panels[i].rows * panels[i].columns;
        for (size_t c = 0; c < cells; c++) range_add(&range, panels[i].cells[c]);
        weights = weights || run;
    }
    if (weights) range = (Range){0, 1};
    for (size_t i = 0; i < count && !drawing->failed && !range_is_empty(range); i++) {
        panels[i].low = range.low;
        panels[i].high = range.high;
    }
}

/* The fields that are drawn of a record, or NULL. */
static const char *const *fields_drawn(const Value *value) {
    static const char *const fields[][2] = {{"far", "near"}, {"by_sentence", "sentence_weights"}};
    for (int i = 0; i < 2 && value->kind == VALUE_RECORD; i++)
        if (record_get(value->record, fields[i][0]) && record_get(value->record, fields[i][1]))
            return fields[i];
    return NULL;
}

bool value_is_drawn_in_panels(const Value *value) {
    if (run_of(value) || fields_drawn(value)) return true;
    if (value->kind != VALUE_TUPLE) return false;
    for (size_t i = 0; i < value->list->count; i++) {
        const Value *item = &value->list->items[i];
        if (run_of(item) || (value_is_array(item) && item->tensor->shape.axes > 1)) return true;
    }
    return false;
}

void draw_panels(Drawing *drawing) {
    const Value *value = &drawing->request->value;
    const char *const *fields = fields_drawn(value), *names[PANELS_BESIDE];
    if (fields) {
        const Value both[] = {*record_get(value->record, fields[0]),
                              *record_get(value->record, fields[1])};
        bool hierarchy = *fields[0] == 'b';
        text_string(&drawing->title, hierarchy ? "weights of words and of sentences" : "weights");
        names[0] = hierarchy ? tr("words") : fields[0]; /* whatever variables are called so */
        names[1] = hierarchy ? tr("sentences") : fields[1];
        draw_beside(drawing, both, names, 2, true);
        if (!hierarchy || drawing->failed) return;
        /* The words of each sentence, of which the others are no part, beside the sentences. */
        Picture *panels = (Picture *)drawing->picture.panels, *words = &panels[0];
        size_t cells = words->rows * words->columns;
        bool *hidden = drawing_alloc(drawing, cells, sizeof *hidden);
        for (size_t i = 0; hidden && i < cells; i++) hidden[i] = words->cells[i] == 0;
        words->hidden = hidden;
        panels[0].row_title = panels[1].row_title = names[1];
        words->column_title = names[0];
        return;
    }
    size_t count;
    const Value *items = plot_items(value, &count);
    if (count > PANELS_BESIDE) {
        drawing_fail(drawing, ERR_LIMIT, "at most %d matrices fit into one picture", PANELS_BESIDE);
        return;
    }
    for (size_t i = 0; i < count; i++)
        names[i] = plot_source(drawing, drawing->request->value_at, i);
    draw_beside(drawing, items, names, count, false);
}
