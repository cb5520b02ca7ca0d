/* Curves: of sweeps (or the weights at each value as an animation), and of the loss of models. */
#include "base/number.h"
#include "base/translate.h"
#include "library/model.h"
#include "session/bench/result_view.h"
#include "session/pictures/draw.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 4, SWEEPS_MOST = 4, MODELS_MOST = LINES_MAX / 2 };

static void add_curve(Drawing *drawing, const char *name, const double *y, const double *x,
                      size_t count, LineLook look) {
    drawing_line(drawing, name, y, x, count);
    if (drawing->failed) return;
    drawing->looks[drawing->picture.line_count - 1] = look;
    drawing->picture.looks = drawing->looks;
}

/* ---- sweeps ---- */

/* The measures behind the entropy, in their order. */
typedef enum Curve { CURVE_SHARE, CURVE_MAX_WEIGHT, CURVE_GRADIENT, CURVES } Curve;

/* The sweeps of a picture; names: NULL where there is only one. */
typedef struct Sweeps {
    const Sweep *items[SWEEPS_MOST];
    const char *names[SWEEPS_MOST];
    size_t count;
} Sweeps;

/* The curves of one kind have one colour; those of the second sweep are dashed otherwise. Gradients
 * are divided by the largest of all, so that they fit beside the others. */
static void draw_curves(Drawing *drawing, const Sweeps *sweeps) {
    static const char *const names[CURVES] = {"entropy / ln n", "largest weight", "gradient"};
    Picture *picture = &drawing->picture;
    const Sweep *first = sweeps->items[0];
    double largest = 0;
    for (size_t s = 0; s < sweeps->count; s++) {
        const Sweep *sweep = sweeps->items[s];
        if (sweep->knob != first->knob) {
            drawing_fail(drawing, ERR_VALUE, "sweeps of %s and of %s have no axis in common",
                         knobs[first->knob].name, knobs[sweep->knob].name);
            return;
        }
        for (size_t i = 0; i < sweep->count; i++) {
            double norm = sweep->measures[i].norm;
            if (isfinite(norm) && norm > largest) largest = norm;
        }
    }
    picture->log_x = true;
    picture->x_title = knobs[first->knob].axis;
    picture->high = 1; /* all three lie between 0 and 1 */
    /* Writes what was swept over which inputs with which settings; of several, what they share
     * once. */
    bool alike = true;
    for (size_t s = 1; s < sweeps->count; s++)
        alike = alike && strcmp(sweeps->items[s]->title, sweeps->items[0]->title) == 0;
    if (alike) text_string(&drawing->title, sweeps->items[0]->title);
    for (size_t s = 0; s < sweeps->count; s++) {
        text_string(&drawing->title, drawing->title.length ? "; " : "");
        if (sweeps->count > 1) text_format(&drawing->title, "%s: ", sweeps->names[s]);
        if (!alike) text_format(&drawing->title, "%s; ", sweeps->items[s]->title);
        text_string(&drawing->title, sweeps->items[s]->settings);
    }
    for (size_t s = 0; s < sweeps->count; s++) {
        const Sweep *sweep = sweeps->items[s];
        if (!sweep->log_x) picture->log_x = false;
        for (Curve curve = 0; curve < CURVES; curve++) {
            bool divided = curve == CURVE_GRADIENT && largest > 0;
            double *y = drawing_alloc(drawing, sweep->count, sizeof *y);
            for (size_t i = 0; y && i < sweep->count; i++)
                y[i] = sweep->measures[i].all[1 + curve] / (divided ? largest : 1);
            Text name = TEXT_EMPTY;
            if (sweeps->count > 1) text_format(&name, "%s: ", sweeps->names[s]);
            text_string(&name, names[curve]);
            if (divided) {
                text_string(&name, sweeps->count > 1 ? " / the largest, " : " / its largest, ");
                number_write(&name, largest, DIGITS);
            }
            add_curve(drawing, drawing_keep_text(drawing, &name), y, sweep->values, sweep->count,
                      (LineLook){(size_t)curve, s});
        }
    }
}

bool sweep_write_curves(Session *session, int rows, Error *err) {
    LocalDrawing *drawing = drawing_new(session, NULL, err);
    if (!drawing) return false;
    Sweeps alone = {.items = {session->bench.sweep}, .count = 1};
    draw_curves(drawing, &alone);
    if (!session->plots) text_clear(&drawing->title); /* the table above says what was swept */
    return !drawing->failed && drawing_write(session, drawing, rows, err);
}

static void draw_frames(Drawing *drawing, const Sweep *sweep, size_t head) {
    if (sweep->heads == 0) {
        drawing_fail(
            drawing, ERR_VALUE,
            "a sweep of %s cannot be animated: the weights have another size at each value",
            knobs[sweep->knob].name);
        error_hint(drawing->err, "plot sweep to \"sweep.png\" draws its curves; sweeps of "
                                 "temperature, scale and window can be animated");
        return;
    }
    Picture *frames = drawing_panels(drawing, PICTURE_FRAMES, sweep->count);
    for (size_t i = 0; i < sweep->count && !drawing->failed; i++) {
        Run *run = sweep->runs[i];
        Text title = TEXT_EMPTY;
        text_string(&title, "weights");
        if (sweep->heads > 1) text_format(&title, " of head %zu", head);
        text_format(&title, " at %s ", knobs[sweep->knob].name);
        number_write(&title, sweep->values[i], DIGITS);
        text_format(&title, " (%zu of %zu)", i + 1, sweep->count);
        frames[i].title = drawing_keep_text(drawing, &title);
        if (drawing_check(drawing, run_need_trace(run, drawing->err)))
            drawing_weights(drawing, &frames[i], run->trace.weights, run->trace.visible, head);
        run_put_aside(run);
    }
    drawing_label(drawing, query_labels(drawing->session, sweep->queries),
                  key_labels(drawing->session, sweep->keys));
}

bool value_is_sweeps(const Value *value) {
    size_t count;
    const Value *items = plot_items(value, &count);
    for (size_t i = 0; i < count; i++)
        if (!sweep_of(&items[i])) return false;
    return count > 0;
}

/* Adds the sweeps of the request's value, named as they were typed. */
static void add_kept(Sweeps *sweeps, Drawing *drawing) {
    const PlotRequest *request = drawing->request;
    size_t count;
    const Value *items = plot_items(&request->value, &count);
    if (!value_is_sweeps(&request->value)) {
        drawing_fail(drawing, ERR_TYPE,
                     "beside a sweep only sweeps that were kept are drawn, not %s",
                     value_words(&request->value));
        error_hint(drawing->err, "for example: sweep temperature 0.1 10 as "
                                 "before; plot sweep, before");
        return;
    }
    if (sweeps->count + count > SWEEPS_MOST) {
        drawing_fail(drawing, ERR_LIMIT, "at most %d sweeps fit into one picture", SWEEPS_MOST);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        sweeps->names[sweeps->count] = plot_source(drawing, request->value_at, i);
        sweeps->items[sweeps->count++] = sweep_of(&items[i]);
    }
}

/* True if the file is of a format of several frames. */
static bool asks_frames(const PlotRequest *request) {
    const char *path = plot_string(request, PLOT_TO);
    const PictureFormat *format = path ? picture_format_find(path) : NULL;
    return format && format->frames;
}

void draw_sweep(Drawing *drawing) {
    const PlotRequest *request = drawing->request;
    Sweeps sweeps = {.items = {drawing->session->bench.sweep}, .names = {"sweep"}, .count = 1};
    bool kept = request->value.kind != VALUE_UNSET;
    if (kept && !request->joined) sweeps.count = 0;
    if (kept) add_kept(&sweeps, drawing);
    if (drawing->failed) return;
    if (asks_frames(request) && sweeps.count > 1) {
        drawing_fail(drawing, ERR_VALUE, "an animation is of one sweep");
    } else if (asks_frames(request)) {
        draw_frames(drawing, sweeps.items[0], request->head);
    } else if (plot_asks(request, PLOT_HEAD)) {
        drawing_fail(drawing, ERR_VALUE, "the curves of a sweep are means over all heads");
        error_hint(drawing->err,
                   "plot sweep, or the weights of one head as they change: "
                   "plot sweep head %zu to \"sweep.gif\"",
                   request->head);
    } else {
        draw_curves(drawing, &sweeps);
    }
}

/* ---- the loss of models ---- */

/* Adds the line of the steps at which there is a loss of that kind. name: NULL for one model. */
static void add_loss(Drawing *drawing, const History *history, bool held, const char *name,
                     size_t model) {
    double *x = drawing_alloc(drawing, history->count, sizeof *x),
           *y = drawing_alloc(drawing, history->count, sizeof *y);
    const char *words = held ? "held-out" : "training";
    size_t count = 0;
    for (size_t i = 0; y && i < history->count; i++) {
        double loss = held ? history->rows[i].held_loss : history->rows[i].loss;
        if (isnan(loss)) continue;
        x[count] = (double)(i + 1);
        y[count++] = loss;
    }
    if (held && count < 2) return;
    if (name)
        add_curve(drawing, drawing_words(drawing, "%s: %s", name, words), y, x, count,
                  (LineLook){model, held});
    else drawing_line(drawing, words, y, x, count);
}

static void draw_losses(Drawing *drawing, const Model *model, const char *name, size_t index) {
    const History *history = model ? &model_transformer(model)->history : NULL;
    if (drawing->failed) return;
    if (history && history->count > 0) {
        add_loss(drawing, history, false, name, index);
        add_loss(drawing, history, true, name, index);
        return;
    }
    drawing_fail(drawing, ERR_NAME, "%s was %strained yet", name ? name : "no model",
                 name ? "not " : "");
    error_hint(drawing->err, "for example: train %s on reverse; then plot loss", name ? name : "m");
}

void draw_loss(Drawing *drawing) {
    const PlotRequest *request = drawing->request;
    size_t count;
    const Value *models = plot_items(&request->values[PLOT_OF], &count);
    text_string(&drawing->title, "loss");
    drawing->picture.x_title = "step";
    drawing->picture.y_title = "nats";
    if (!plot_asks(request, PLOT_OF)) {
        draw_losses(drawing, session_trained(drawing->session), NULL, 0);
        return;
    }
    if (count > MODELS_MOST)
        drawing_fail(drawing, ERR_LIMIT, "at most %d models fit into one picture", MODELS_MOST);
    for (size_t i = 0; i < count && !drawing->failed; i++) {
        const char *name = plot_source(drawing, request->at[PLOT_OF], i);
        if (!name) return;
        text_format(&drawing->title, "%s%s", i ? ", " : " of ", name);
        if (model_of(&models[i])) {
            draw_losses(drawing, model_of(&models[i]), name, i);
            continue;
        }
        drawing_fail(drawing, ERR_TYPE, "%s is no model, but %s", name, value_words(&models[i]));
        error_hint(drawing->err, "for example: plot loss of m1, m2");
    }
    if (drawing->failed) plot_error_at(request, PLOT_OF, drawing->err);
}

/* The lines of one measure for each head that was watched. */
static void add_watched(Drawing *drawing, const Transformer *model, size_t measure,
                        Picture *panel) {
    static const char *const names[] = {"previous", "first", "same", "induction"};
    const History *history = &model->history;
    PictureLine *lines = drawing_alloc(drawing, LINES_MAX, sizeof *lines);
    panel->kind = PICTURE_LINES;
    panel->title = tr(names[measure]);
    panel->lines = lines;
    panel->x_title = "step";
    panel->high = 1;
    for (size_t h = 0; lines && h < head_count(&model->config); h++) {
        double *x = drawing_alloc(drawing, history->head_count, sizeof *x),
               *y = drawing_alloc(drawing, history->head_count, sizeof *y);
        size_t count = 0;
        for (size_t i = 0; y && i < history->head_count; i++) {
            const HeadRow *row = &history->heads[i];
            const double measures[] = {row->previous, row->first, row->same, row->induction};
            if ((size_t)row->head != h || isnan(measures[measure])) continue;
            x[count] = row->step;
            y[count++] = measures[measure];
        }
        if (count == 0 || panel->line_count == LINES_MAX) continue;
        Text name = TEXT_EMPTY;
        text_string(&name, "head ");
        head_write(&model->config, head_at(&model->config, h), &name);
        lines[panel->line_count++] = (PictureLine){drawing_keep_text(drawing, &name), y, x, count};
    }
}

void draw_history(Drawing *drawing) {
    enum { MEASURES = 4 };
    const Value *of = &drawing->request->values[PLOT_OF];
    const Model *model = of->kind == VALUE_UNSET ? session_trained(drawing->session) : model_of(of);
    draw_loss(drawing);
    if (drawing->failed || !model || !model_transformer(model)->history.head_count) return;
    text_clear(&drawing->title);
    text_string(&drawing->title, "loss, and the share of the weights that heads give");
    Picture loss = drawing->picture, *whole = &drawing->picture;
    whole->line_count = 0;
    Picture *panels = drawing_panels(drawing, PICTURE_GRID, 1 + MEASURES);
    if (!panels) return;
    panels[0] = loss;
    panels[0].title = "loss";
    for (size_t m = 0, next = 1; m < MEASURES; m++, next = whole->panel_count) {
        add_watched(drawing, model_transformer(model), m, &panels[next]);
        whole->panel_count = next + (panels[next].line_count > 0);
    }
}
