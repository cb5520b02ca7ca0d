/* Pictures of the last sweep: its curves, or the weights at each value as an animation. */
#include "base/memory.h"
#include "base/number.h"
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"
#include "session/pictures/plot_show.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 4, SWEEPS_MOST = 4 };

typedef enum Curve { CURVE_SHARE, CURVE_MAX_WEIGHT, CURVE_GRADIENT, CURVES } Curve;

/* The sweeps of a picture; names: NULL where there is only one. */
typedef struct Sweeps {
    const Sweep *items[SWEEPS_MOST];
    const char *names[SWEEPS_MOST];
    size_t count;
} Sweeps;

static double value_of(const Sweep *sweep, Curve curve, size_t i) {
    const Measures *m = &sweep->measures[i];
    const double values[CURVES] = {m->share, m->max_weight, m->norm};
    return values[curve];
}

/* Gradients are divided by the largest of all, so that they fit beside the others. */
static double largest_gradient(const Sweeps *sweeps) {
    double largest = 0;
    for (size_t s = 0; s < sweeps->count; s++) {
        for (size_t i = 0; i < sweeps->items[s]->count; i++) {
            double norm = value_of(sweeps->items[s], CURVE_GRADIENT, i);
            if (isfinite(norm) && norm > largest) largest = norm;
        }
    }
    return largest;
}

static void write_curve_name(Text *name, const Sweeps *sweeps, size_t which, Curve curve,
                             double largest) {
    if (sweeps->count > 1) text_format(name, "%s: ", sweeps->names[which]);
    switch (curve) {
    case CURVE_SHARE: text_string(name, "entropy / ln n"); break;
    case CURVE_MAX_WEIGHT: text_string(name, "largest weight"); break;
    default:
        text_string(name, "gradient");
        if (largest == 0) break;
        text_string(name, sweeps->count > 1 ? " / the largest, " : " / its largest, ");
        number_write(name, largest, DIGITS);
    }
}

/* The curves of one kind have one colour; those of the second sweep are dashed otherwise. */
static bool add_curve(Drawing *drawing, const Sweeps *sweeps, size_t which, Curve curve,
                      Error *err) {
    const Sweep *sweep = sweeps->items[which];
    double *y = drawing_keep(drawing, mem_aligned(sweep->count * sizeof *y, err), err),
           largest = largest_gradient(sweeps);
    if (!y) return false;
    for (size_t i = 0; i < sweep->count; i++) {
        y[i] = value_of(sweep, curve, i);
        if (curve == CURVE_GRADIENT && largest > 0) y[i] /= largest;
    }
    Text name = TEXT_EMPTY;
    write_curve_name(&name, sweeps, which, curve, largest);
    const char *words = drawing_keep_text(drawing, &name, err);
    if (!words) return false;
    drawing_line(drawing, words, y, sweep->values, sweep->count);
    drawing->looks[drawing->picture.line_count - 1] = (LineLook){(size_t)curve, which};
    drawing->picture.looks = drawing->looks;
    return true;
}

/* Writes what was swept over which inputs with which settings; of several, what they share once. */
static void write_title(Text *title, const Sweeps *sweeps) {
    bool alike = true;
    for (size_t s = 1; s < sweeps->count; s++)
        alike = alike && strcmp(sweeps->items[s]->title, sweeps->items[0]->title) == 0;
    if (alike) text_string(title, sweeps->items[0]->title);
    for (size_t s = 0; s < sweeps->count; s++) {
        text_string(title, title->length ? "; " : "");
        if (sweeps->count > 1) text_format(title, "%s: ", sweeps->names[s]);
        if (!alike) text_format(title, "%s; ", sweeps->items[s]->title);
        text_string(title, sweeps->items[s]->settings);
    }
}

static bool draw_curves(Drawing *drawing, const Sweeps *sweeps, Error *err) {
    Picture *picture = &drawing->picture;
    const Sweep *first = sweeps->items[0];
    picture->log_x = first->log_x;
    picture->x_title = knobs[first->knob].axis;
    picture->high = 1; /* all three lie between 0 and 1 */
    write_title(&drawing->title, sweeps);
    for (size_t s = 0; s < sweeps->count; s++) {
        const Sweep *sweep = sweeps->items[s];
        if (sweep->knob != first->knob) {
            error_set(err, ERR_VALUE, "sweeps of %s and of %s have no axis in common",
                      knobs[first->knob].name, knobs[sweep->knob].name);
            return false;
        }
        if (!sweep->log_x) picture->log_x = false;
        for (Curve curve = 0; curve < CURVES; curve++)
            if (!add_curve(drawing, sweeps, s, curve, err)) return false;
    }
    return true;
}

bool sweep_write_curves(Session *session, int rows, Error *err) {
    Drawing *drawing = drawing_new(&session->bench.settings, err);
    if (!drawing) return false;
    Sweeps alone = {.items = {session->bench.sweep}, .count = 1};
    bool ok = draw_curves(drawing, &alone, err);
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
        bool ok =
            frames[i].title && run_need_trace(run, err) &&
            drawing_weights(drawing, &frames[i], run->trace.weights, run->trace.visible, head, err);
        run_put_aside(run);
        if (!ok) return false;
    }
    return drawing_label(drawing, query_labels(session, sweep->queries),
                         key_labels(session, sweep->keys), err);
}

/* ---- kept ones ---- */

bool value_is_sweeps(const Value *value) {
    size_t count;
    const Value *items = plot_items(value, &count);
    for (size_t i = 0; i < count; i++)
        if (!sweep_of(&items[i])) return false;
    return count > 0;
}

/* Adds the sweeps of the request's value, named as they were typed. */
static bool add_kept(Sweeps *sweeps, Drawing *drawing, const PlotRequest *request, Error *err) {
    size_t count;
    const Value *items = plot_items(&request->value, &count);
    if (!value_is_sweeps(&request->value)) {
        error_set(err, ERR_TYPE, "beside a sweep stand sweeps that were kept, not %s",
                  value_words(&request->value));
        return error_hint(err,
                          "for example: sweep temperature 0.1 10 as before; plot sweep, before");
    }
    if (sweeps->count + count > SWEEPS_MOST)
        return error_set(err, ERR_LIMIT, "at most %d sweeps fit into one picture", SWEEPS_MOST);
    for (size_t i = 0; i < count; i++) {
        const char *name = drawing_keep_source(drawing, request->call, request->value_at, i, err);
        if (!name) return false;
        sweeps->names[sweeps->count] = name;
        sweeps->items[sweeps->count++] = sweep_of(&items[i]);
    }
    return true;
}

bool draw_sweep(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    Sweeps sweeps = {.items = {session->bench.sweep}, .names = {"sweep"}, .count = 1};
    bool kept = request->value.kind != VALUE_UNSET;
    if (kept && !request->joined) sweeps.count = 0;
    if (kept && !add_kept(&sweeps, drawing, request, err)) return false;
    if (plot_asks_frames(request) && sweeps.count > 1)
        return error_set(err, ERR_VALUE, "an animation is of one sweep");
    if (plot_asks_frames(request))
        return draw_frames(session, drawing, sweeps.items[0], request->head, err);
    if (!plot_asks(request, PLOT_HEAD)) return draw_curves(drawing, &sweeps, err);
    error_set(err, ERR_VALUE, "the curves of a sweep are means over all heads");
    return error_hint(err,
                      "plot sweep, or the weights of one head as they change: plot sweep head %zu "
                      "to \"sweep.gif\"",
                      request->head);
}
