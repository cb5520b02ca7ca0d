/* The loss of models, step by step. */
#include "base/memory.h"
#include "library/model.h"
#include "session/pictures/draw.h"

#include <math.h>

enum { MODELS_MOST = LINES_MAX / 2 };

/* Adds the line of the steps at which there is a loss of that kind. name: NULL for one model. */
static bool add_loss(Drawing *drawing, const History *history, bool held, const char *name,
                     size_t model, Error *err) {
    double *x = drawing_keep(drawing, mem_aligned(history->count * sizeof *x, err), err),
           *y = x ? drawing_keep(drawing, mem_aligned(history->count * sizeof *y, err), err) : NULL;
    size_t count = 0;
    for (size_t i = 0; y && i < history->count; i++) {
        double loss = held ? history->rows[i].held_loss : history->rows[i].loss;
        if (isnan(loss)) continue;
        x[count] = (double)(i + 1);
        y[count++] = loss;
    }
    if (!y || (held && count < 2)) return y != NULL;
    Text words = TEXT_EMPTY;
    if (name) text_format(&words, "%s: ", name);
    text_string(&words, held ? "held-out" : "training");
    const char *kept = drawing_keep_text(drawing, &words, err);
    drawing_line(drawing, kept, y, x, count);
    drawing->looks[drawing->picture.line_count - 1] = (LineLook){model, held};
    drawing->picture.looks = name ? drawing->looks : NULL;
    return kept != NULL;
}

static bool draw_history(Drawing *drawing, const Model *model, const char *name, size_t index,
                         Error *err) {
    const History *history = model ? &model_transformer(model)->history : NULL;
    if (!history || history->count == 0) {
        error_set(err, ERR_NAME, "%s was %strained yet", name ? name : "no model",
                  name ? "not " : "");
        return error_hint(err, "for example: train %s on reverse; then plot loss",
                          name ? name : "m");
    }
    return add_loss(drawing, history, false, name, index, err) &&
           add_loss(drawing, history, true, name, index, err);
}

bool draw_loss(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    size_t count;
    const Value *models = plot_items(&request->values[PLOT_OF], &count);
    text_string(&drawing->title, "loss");
    drawing->picture.x_title = "step";
    drawing->picture.y_title = "nats";
    if (!plot_asks(request, PLOT_OF))
        return draw_history(drawing, session_trained(session), NULL, 0, err);
    if (count > MODELS_MOST) {
        error_set(err, ERR_LIMIT, "at most %d models fit into one picture", MODELS_MOST);
        return plot_error_at(request, PLOT_OF, err);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name =
            drawing_keep_source(drawing, request->call, request->at[PLOT_OF], i, err);
        if (!name) return false;
        text_format(&drawing->title, "%s%s", i ? ", " : " of ", name);
        if (!model_of(&models[i])) {
            error_set(err, ERR_TYPE, "%s is no model, but %s", name, value_words(&models[i]));
            error_hint(err, "for example: plot loss of m1, m2");
            return plot_error_at(request, PLOT_OF, err);
        }
        if (!draw_history(drawing, model_of(&models[i]), name, i, err))
            return plot_error_at(request, PLOT_OF, err);
    }
    return true;
}
