/* The loss of the model that was trained last, step by step. */
#include "base/memory.h"
#include "library/model.h"
#include "session/pictures/draw.h"

#include <math.h>

/* Adds a line of `count` numbers that begins at *xs, *ys; on failure NULL. */
typedef struct Curve {
    double *x, *y;
    size_t count;
} Curve;

static bool curve_init(Drawing *drawing, Curve *curve, size_t most, Error *err) {
    *curve = (Curve){.count = 0};
    curve->x = drawing_keep(drawing, mem_aligned(most * sizeof *curve->x, err), err);
    curve->y =
        curve->x ? drawing_keep(drawing, mem_aligned(most * sizeof *curve->y, err), err) : NULL;
    return curve->y != NULL;
}

static void curve_add(Curve *curve, size_t step, double y) {
    if (isnan(y)) return;
    curve->x[curve->count] = (double)step;
    curve->y[curve->count++] = y;
}

const Model *session_trained(const Session *session) {
    const Journal *journal = &session->interp.journal;
    for (size_t i = journal->count; i > 0; i--) {
        SharedObject *object = journal->changes[i - 1].object;
        const Value value = {.kind = VALUE_OBJECT, .object = (Object *)object};
        const Model *model = object ? model_of(&value) : NULL;
        if (model && model_transformer(model)->history.count > 0) return model;
    }
    return session->bench.trained;
}

bool draw_loss(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Model *model = session_trained(session);
    const History *history = model ? &model_transformer(model)->history : NULL;
    Curve training, held_out;
    (void)request;
    if (!history || history->count == 0) {
        error_set(err, ERR_NAME, "no model was trained yet");
        return error_hint(err, "for example: train m on reverse; then plot loss");
    }
    if (!curve_init(drawing, &training, history->count, err) ||
        !curve_init(drawing, &held_out, history->count, err))
        return false;
    for (size_t i = 0; i < history->count; i++) {
        curve_add(&training, i + 1, history->rows[i].loss);
        curve_add(&held_out, i + 1, history->rows[i].held_loss);
    }
    text_string(&drawing->title, "loss");
    drawing->picture.x_title = "step";
    drawing->picture.y_title = "nats";
    drawing_line(drawing, "training", training.y, training.x, training.count);
    if (held_out.count > 1)
        drawing_line(drawing, "held-out", held_out.y, held_out.x, held_out.count);
    return true;
}
