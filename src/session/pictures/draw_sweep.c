/* Pictures of the last sweep: its curves, or the weights at each value as an animation. */
#include "base/memory.h"
#include "base/number.h"
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"
#include "session/pictures/plot_show.h"

#include <math.h>

enum { DIGITS = 4 };

typedef enum Curve { CURVE_SHARE, CURVE_MAX_WEIGHT, CURVE_GRADIENT, CURVES } Curve;

static bool add_curve(Drawing *drawing, const Sweep *sweep, Curve curve, Error *err) {
    double *y = drawing_keep(drawing, mem_aligned(sweep->count * sizeof *y, err), err), largest = 0;
    if (!y) return false;
    for (size_t i = 0; i < sweep->count; i++) {
        const Measures *m = &sweep->measures[i];
        const double values[CURVES] = {m->share, m->max_weight, m->norm};
        y[i] = values[curve];
        if (isfinite(y[i]) && y[i] > largest) largest = y[i];
    }

    Text name = TEXT_EMPTY;
    switch (curve) {
    case CURVE_SHARE: text_string(&name, "entropy / ln n"); break;
    case CURVE_MAX_WEIGHT: text_string(&name, "largest weight"); break;
    default: /* gradients are divided by their largest, so that they fit beside the others */
        text_string(&name, "gradient");
        if (largest == 0) break;
        text_string(&name, " / its largest, ");
        number_write(&name, largest, DIGITS);
        for (size_t i = 0; i < sweep->count; i++) y[i] /= largest;
    }
    const char *words = drawing_keep_text(drawing, &name, err);
    if (words) drawing_line(drawing, words, y, sweep->values, sweep->count);
    return words != NULL;
}

static bool draw_curves(Drawing *drawing, const Sweep *sweep, Error *err) {
    Picture *picture = &drawing->picture;
    text_string(&drawing->title, sweep->title);
    picture->log_x = sweep->log_x;
    picture->x_title = knobs[sweep->knob].axis;
    picture->high = 1; /* all three lie between 0 and 1 */
    for (Curve curve = 0; curve < CURVES; curve++)
        if (!add_curve(drawing, sweep, curve, err)) return false;
    return true;
}

bool sweep_write_curves(Session *session, int rows, Error *err) {
    Drawing *drawing = drawing_new(&session->bench.settings, err);
    if (!drawing) return false;
    bool ok = draw_curves(drawing, session->bench.sweep, err);
    if (!session->plots) text_clear(&drawing->title); /* the table above says what was swept */
    ok = ok && drawing_write(session, drawing, rows, err);
    drawing_free(drawing);
    return ok;
}

static bool draw_frames(Session *session, Drawing *drawing, const Sweep *sweep, size_t head,
                        Error *err) {
    if (sweep->heads == 0) {
        error_set(err, ERR_VALUE,
                  "a sweep of %s cannot be animated: the weights have another size at each value",
                  knobs[sweep->knob].name);
        return error_hint(err, "plot sweep to \"sweep.png\" draws its curves; sweeps of "
                               "temperature, scale and window can be animated");
    }
    Picture *frames = drawing_panels(drawing, PICTURE_FRAMES, sweep->count, err);
    if (!frames) return false;
    for (size_t i = 0; i < sweep->count; i++) {
        Run *run = sweep->runs[i];
        Text title = TEXT_EMPTY;
        text_string(&title, "weights");
        if (sweep->heads > 1) text_format(&title, " of head %zu", head);
        text_format(&title, " at %s ", knobs[sweep->knob].name);
        number_write(&title, sweep->values[i], DIGITS);
        text_format(&title, " (%zu of %zu)", i + 1, sweep->count);
        frames[i].title = drawing_keep_text(drawing, &title, err);
        bool ok = frames[i].title && run_need_trace(run, err) &&
                  drawing_weights(drawing, &frames[i], run, run->trace.weights, head, err);
        run_put_aside(run);
        if (!ok) return false;
    }
    return drawing_label(drawing, query_labels(session, sweep->queries),
                         key_labels(session, sweep->keys), err);
}

bool draw_sweep(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    if (plot_asks_frames(request))
        return draw_frames(session, drawing, session->bench.sweep, request->head, err);
    if (!plot_asks(request, PLOT_HEAD)) return draw_curves(drawing, session->bench.sweep, err);
    error_set(err, ERR_VALUE, "the curves of a sweep are means over all heads");
    return error_hint(err,
                      "plot sweep, or the weights of one head as they change: plot sweep head %zu "
                      "to \"sweep.gif\"",
                      request->head);
}
