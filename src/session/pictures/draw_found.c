/* Pictures of what sweep and compare found. */
#include "base/memory.h"
#include "base/number.h"
#include "session/bench/difference.h"
#include "session/pictures/draw.h"
#include "session/bench/result_view.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 4 };

/* ---- the curves of a sweep ---- */

typedef double Measure(const Measures *measures);

static double share_of(const Measures *m) { return m->share; }
static double max_weight_of(const Measures *m) { return m->max_weight; }
static double norm_of(const Measures *m) { return m->norm; }

static double *measure(Drawing *drawing, const Sweep *sweep, Measure *of, Error *err) {
    double *values = drawing_keep(drawing, mem_aligned(sweep->count * sizeof *values, err), err);
    for (size_t i = 0; values && i < sweep->count; i++) values[i] = of(&sweep->measures[i]);
    return values;
}

/* By its largest, so that it stands beside the others: returns that; 0 when there is nothing to
 * divide by. */
static double scale_down(double *values, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]) && values[i] > largest) largest = values[i];
    for (size_t i = 0; largest > 0 && i < count; i++) values[i] /= largest;
    return largest;
}

static bool add_gradient(Drawing *drawing, const Sweep *sweep, Error *err) {
    double *norms = measure(drawing, sweep, norm_of, err);
    if (!norms) return false;
    double largest = scale_down(norms, sweep->count);
    Text name;
    text_init(&name);
    text_string(&name, "gradient");
    if (largest > 0) {
        text_string(&name, " / its largest, ");
        number_write(&name, largest, DIGITS);
    }
    const char *words = drawing_words(drawing, &name, err);
    if (words) drawing_line(drawing, words, norms, sweep->values, sweep->count);
    return words != NULL;
}

static const char *axis_of(const char *knob) {
    static const struct {
        const char *knob, *title;
    } axes[] = {{"temperature", "temperature τ"},
                {"window", "window: keys seen on each side"},
                {"heads", "number of heads"},
                {"dk", "width of a head, d_k"},
                {"length", "length: number of queries and keys"}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        if (strcmp(axes[i].knob, knob) == 0) return axes[i].title;
    return knob;
}

static bool draw_curves(Drawing *drawing, const Sweep *sweep, Error *err) {
    Picture *picture = &drawing->picture;
    const double *shares = measure(drawing, sweep, share_of, err),
                 *largest = shares ? measure(drawing, sweep, max_weight_of, err) : NULL;
    if (!largest) return false;
    text_string(&drawing->title, sweep->title);
    picture->log_x = sweep->log_x;
    picture->x_title = axis_of(sweep->knob);
    picture->high = 1; /* all three lie between 0 and 1 */
    drawing_line(drawing, "entropy / ln n", shares, sweep->values, sweep->count);
    drawing_line(drawing, "largest weight", largest, sweep->values, sweep->count);
    return add_gradient(drawing, sweep, err);
}

/* The table above says what was swept. */
bool sweep_write_curves(Session *session, int rows, Error *err) {
    Drawing *drawing = drawing_new(&session->settings, err);
    if (!drawing) return false;
    bool ok = draw_curves(drawing, session->sweep, err);
    if (!session->plots) text_clear(&drawing->title);
    ok = ok && drawing_write(session, drawing, rows, err);
    drawing_free(drawing);
    return ok;
}

/* ---- the frames of a sweep ---- */

static bool sizes_stay(const Sweep *sweep, Error *err) {
    if (sweep->heads > 0) return true;
    error_set(err, ERR_VALUE,
              "a sweep of %s cannot be animated: the weights have another size at each value",
              sweep->knob);
    return error_hint(err, "plot sweep to \"sweep.png\" draws its curves; sweeps of temperature, "
                           "scale and window can be animated");
}

static bool fill_frame(Drawing *drawing, Picture *frame, const Sweep *sweep, size_t i,
                       const Wish *wish, Error *err) {
    Run *run = sweep->runs[i];
    Text title;
    text_init(&title);
    text_string(&title, "weights");
    if (sweep->heads > 1) text_format(&title, " of head %zu", wish->head);
    text_format(&title, " at %s ", sweep->knob);
    number_write(&title, sweep->values[i], DIGITS);
    text_format(&title, " (%zu of %zu)", i + 1, sweep->count);
    frame->title = drawing_words(drawing, &title, err);
    bool ok = frame->title && run_need_trace(run, err) &&
              drawing_weights(drawing, frame, run->trace.weights, run->trace.visible, wish->head,
                              run->queries, run->keys, err);
    run_put_aside(run);
    return ok;
}

static bool draw_frames(Session *session, Drawing *drawing, const Sweep *sweep, const Wish *wish,
                        Error *err) {
    if (!sizes_stay(sweep, err)) return false;
    Picture *frames = drawing_panels(drawing, PICTURE_FRAMES, sweep->count, err);
    bool ok = frames != NULL;
    for (size_t i = 0; ok && i < sweep->count; i++)
        ok = fill_frame(drawing, &frames[i], sweep, i, wish, err);
    return ok && drawing_label(drawing, query_labels(session, sweep->queries),
                               key_labels(session, sweep->keys), err);
}

bool draw_sweep(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    if (wish->animated) return draw_frames(session, drawing, session->sweep, wish, err);
    if (!wish->head_given) return draw_curves(drawing, session->sweep, err);
    error_set(err, ERR_VALUE, "the curves of a sweep are means over all heads");
    return error_hint(err,
                      "plot sweep, or the weights of one head as they change: plot sweep head %zu "
                      "to \"sweep.gif\"",
                      wish->head);
}

/* ---- compare ---- */

static bool fill_run(Drawing *drawing, Picture *panel, const RunPair *pair, size_t i, size_t head,
                     Error *err) {
    const Run *run = pair->runs[i];
    panel->title = pair->names[i];
    return drawing_weights(drawing, panel, run->trace.weights, run->trace.visible, head,
                           run->queries, run->keys, err);
}

/* What both hide. */
static bool hide_both(Drawing *drawing, Picture *panels, Error *err) {
    const bool *first = panels[0].hidden, *second = panels[1].hidden;
    size_t count = panels[0].rows * panels[0].columns;
    if (!first || !second) return true;
    bool *both = drawing_keep(drawing, mem_zeroed(count, sizeof *both, err), err);
    for (size_t i = 0; both && i < count; i++) both[i] = first[i] && second[i];
    panels[2].hidden = both;
    return both != NULL;
}

static bool fill_change(Drawing *drawing, Picture *panels, const RunPair *pair, size_t head,
                        Error *err) {
    Picture *panel = &panels[2];
    *panel = panels[0];
    panel->title = "change";
    panel->palette = "diverging";
    panel->low = panel->high = 0; /* from the data, around 0 */
    panel->hidden = NULL;
    panel->cells = drawing_keep(drawing, difference_cells(pair->runs, head, err), err);
    return panel->cells && hide_both(drawing, panels, err);
}

bool draw_compare(Session *session, Drawing *drawing, const Wish *wish, Error *err) {
    const RunPair *pair = session->compared;
    const Run *run = pair->runs[0];
    bool fits = difference_fits(pair->runs);
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, fits ? 3 : 2, err);
    bool ok = panels != NULL && run_pair_need_traces(pair, err);
    for (size_t i = 0; ok && i < 2; i++)
        ok = fill_run(drawing, &panels[i], pair, i, wish->head, err);
    ok = ok && (!fits || fill_change(drawing, panels, pair, wish->head, err));
    run_pair_put_aside(pair);
    text_string(&drawing->title, "weights");
    if (run->heads > 1 || pair->runs[1]->heads > 1)
        text_format(&drawing->title, " of head %zu", wish->head);
    text_format(&drawing->title, ": %s%s", run->names,
                fits ? "; change: the second less the first" : "");
    return ok && drawing_label(drawing, query_labels(session, run->queries),
                               key_labels(session, run->keys), err);
}
