/* Pictures of several matrices beside each other, under one bar of colours: plot A, B, and plot r
 * of a result that holds two attentions. */
#include "base/memory.h"
#include "library/run.h"
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"
#include "view/scale.h"

enum { PANELS_BESIDE = 6 };

static bool any_matrix(const List *list) {
    bool found = false;
    for (size_t i = 0; i < list->count && !found; i++)
        found = run_of(&list->items[i]) ||
                (value_is_array(&list->items[i]) && list->items[i].tensor->shape.axes > 1);
    return found;
}

static bool draw_run(Session *session, Drawing *drawing, Picture *panel, Run *run, size_t head,
                     Error *err) {
    drawing->takes |= run->heads > 1 ? 1u << PLOT_HEAD : 0;
    if (head >= run->heads)
        return error_set(err, ERR_VALUE, "there is no head %zu: there %s %zu, counted from 0", head,
                         run->heads == 1 ? "is" : "are", run->heads);
    bool ok = run_need_trace(run, err) &&
              drawing_weights(drawing, panel, run->trace.weights, run->trace.visible, head, err) &&
              drawing_label_panels(drawing, panel, 1, query_labels(session, run->queries),
                                   key_labels(session, run->keys), err);
    run_put_aside(run);
    return ok;
}

/* A matrix, or a vector as a column. */
static bool draw_cells(Session *session, Drawing *drawing, Picture *panel, const Value *value,
                       Error *err) {
    Tensor *tensor = value_as_tensor(value, "a matrix beside others", err);
    if (!tensor) return false;
    const Shape *shape = &tensor->shape;
    bool ok = shape->axes == 1 || shape->axes == 2;
    size_t rows = ok ? shape->size[0] : 0, columns = shape->axes == 2 ? shape->size[1] : 1;
    Value row_labels = query_labels(session, rows), column_labels = VALUE_NOTHING;
    if (rows == columns || row_labels.kind == VALUE_NONE)
        column_labels = query_labels(session, columns);
    if (!ok)
        error_set(err, ERR_SHAPE, "what is drawn beside others is a matrix or a vector, not %s",
                  shape_words(shape));
    ok = ok && drawing_heatmap(drawing, panel, tensor, 0, rows, columns, err) &&
         drawing_label_panels(drawing, panel, 1, row_labels, column_labels, err);
    tensor_unref(tensor);
    return ok;
}

/* weights: the colours are those from 0 to 1, as wherever one of the items is a run. */
static bool draw_beside(Session *session, Drawing *drawing, const Value *items,
                        const char *const *names, size_t count, size_t head, bool weights,
                        Error *err) {
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, count, err);
    Range range = range_empty();
    bool ok = panels != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        Run *run = run_of(&items[i]);
        panels[i].title = names[i];
        ok = run ? draw_run(session, drawing, &panels[i], run, head, err)
                 : draw_cells(session, drawing, &panels[i], &items[i], err);
        size_t cells = ok ? panels[i].rows * panels[i].columns : 0;
        for (size_t c = 0; c < cells; c++) range_add(&range, panels[i].cells[c]);
        weights = weights || run;
    }
    if (weights) range = (Range){0, 1};
    for (size_t i = 0; ok && i < count && !range_is_empty(range); i++) {
        panels[i].low = range.low;
        panels[i].high = range.high;
    }
    return ok;
}

/* The words of each sentence, of which the others are no part, and the sentences beside them. */
static bool draw_hierarchy(Session *session, Drawing *drawing, const Value *items, Error *err) {
    static const char *const names[] = {"words", "sentences"};
    if (!draw_beside(session, drawing, items, names, 2, 0, true, err)) return false;
    Picture *panels = (Picture *)drawing->picture.panels, *words = &panels[0];
    size_t count = words->rows * words->columns;
    bool *hidden = drawing_keep(drawing, mem_zeroed(count, sizeof *hidden, err), err);
    for (size_t i = 0; hidden && i < count; i++) hidden[i] = words->cells[i] == 0;
    words->hidden = hidden;
    panels[0].row_title = panels[1].row_title = "sentences";
    words->column_title = "words";
    return hidden != NULL;
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
    return run_of(value) || fields_drawn(value) ||
           (value->kind == VALUE_TUPLE && any_matrix(value->list));
}

bool draw_panels(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Value *value = &request->value;
    const char *const *fields = fields_drawn(value), *names[PANELS_BESIDE];
    if (fields) {
        const Value both[] = {*record_get(value->record, fields[0]),
                              *record_get(value->record, fields[1])};
        bool hierarchy = *fields[0] == 'b';
        text_string(&drawing->title, hierarchy ? "weights of words and of sentences" : "weights");
        return hierarchy ? draw_hierarchy(session, drawing, both, err)
                         : draw_beside(session, drawing, both, fields, 2, request->head, true, err);
    }
    bool many = value->kind == VALUE_TUPLE;
    size_t count = many ? value->list->count : 1;
    if (count > PANELS_BESIDE)
        return error_set(err, ERR_LIMIT, "at most %d matrices fit into one picture", PANELS_BESIDE);
    for (size_t i = 0; i < count; i++) {
        names[i] = drawing_keep_source(drawing, request->call, request->value_at, i, err);
        if (!names[i]) return false;
    }
    return draw_beside(session, drawing, many ? value->list->items : value, names, count,
                       request->head, false, err);
}
