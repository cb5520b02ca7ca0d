#include "session/bench/sweep.h"

#include "base/memory.h"
#include "base/number.h"
#include "session/bench/attend.h"
#include "session/bench/run_words.h"

#include <math.h>
#include <string.h>

enum { POINTS_LINEAR = 11, POINTS_PER_DECADE = 4, POINTS_LEAST = 5 };
enum { POINTS_WHOLE = 24, FRESH_ROWS = 32, FRESH_WIDTH = 16 };

const Knob knobs[KNOBS] = {
    [KNOB_TEMPERATURE] = {"temperature", "temperature τ", false, false, 0, 0.01, 100},
    [KNOB_SCALE] = {"scale", "scale", false, false, -INFINITY, 0.01, 10},
    [KNOB_WINDOW] = {"window", "window: keys seen on each side", true, false, 0, 0, 0},
    [KNOB_HEADS] = {"heads", "number of heads", true, false, 1, 1, 0},
    [KNOB_DK] = {"dk", "width of a head, d_k", true, true, 1, 1, 256},
    [KNOB_LENGTH] = {"length", "length: number of queries and keys", true, true, 1, 2, 256}};

double knob_high(const Session *session, KnobKind knob) {
    const Run *run = session->bench.run;
    if (knobs[knob].high > 0) return knobs[knob].high;
    if (!run) return 8;
    if (knob == KNOB_HEADS) return (double)(run->d_k * run->heads);
    return (double)(run->queries > run->keys ? run->queries : run->keys) - 1;
}

/* ---- life cycle ---- */

static void sweep_free(Object *object) {
    Sweep *sweep = (Sweep *)object;
    for (size_t i = 0; i < sweep->count; i++) object_unref(sweep->runs[i]);
    mem_free(sweep->title);
    mem_free(sweep->settings);
    mem_free(sweep);
}

static size_t sweep_bytes(const Object *object, const Object *other) {
    const Sweep *sweep = (const Sweep *)object;
    (void)other; /* two sweeps have no run in common */
    return runs_bytes(sweep->runs, sweep->count);
}

/* ---- as a value ---- */

/* The values, and behind them measures in their order. */
static const char *const attributes[] = {"values",     "entropy",  "share",
                                         "max_weight", "gradient", NULL};

static bool sweep_attribute(Object *object, const char *name, Value *out, Error *err) {
    const Sweep *sweep = (const Sweep *)object;
    size_t which = 0;
    while (attributes[which] && strcmp(attributes[which], name) != 0) which++;
    if (!attributes[which]) {
        error_set(err, ERR_NAME, "a sweep has no %s", name);
        return error_hint(err, "It has values, entropy, share, max_weight and gradient.");
    }
    Shape shape = shape_1d(sweep->count);
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; tensor && i < sweep->count; i++) {
        double x = which == 0 ? sweep->values[i] : sweep->measures[i].all[which - 1];
        tensor_doubles(tensor)[i] = x;
    }
    if (tensor) *out = value_tensor(tensor);
    return tensor != NULL;
}

static void sweep_write(Object *object, Text *text, int digits) {
    const Sweep *sweep = (const Sweep *)object;
    (void)digits;
    text_format(text, "sweep of %s, %zu values; %s", sweep->title, sweep->count, sweep->settings);
}

static const ObjectType sweep_type = {.name = "sweep",
                                      .words = "a sweep",
                                      .attributes = attributes,
                                      .attribute = sweep_attribute,
                                      .write = sweep_write,
                                      .free = sweep_free,
                                      .bytes = sweep_bytes};

const Sweep *sweep_of(const Value *value) {
    bool is_sweep = value->kind == VALUE_OBJECT && value->object->type == &sweep_type;
    return is_sweep ? (const Sweep *)value->object : NULL;
}

/* ---- the values ---- */

/* Chooses the numbers of heads that divide the widths of keys and values. */
static bool choose_heads(Sweep *sweep, const Run *run, double low, double high, Error *err) {
    size_t width = run->d_k * run->heads, value_width = run->d_v * run->heads,
           most = width < value_width ? width : value_width;
    for (size_t heads = 1; heads <= most && sweep->count < SWEEP_POINTS_MOST; heads++) {
        double x = (double)heads;
        if (x >= low && x <= high && width % heads == 0 && value_width % heads == 0)
            sweep->values[sweep->count++] = x;
    }
    if (sweep->count > 0) return true;
    return error_set(err, ERR_VALUE,
                     "no number of heads from %g to %g divides the widths %zu and %zu", low, high,
                     width, value_width);
}

static bool is_power_of_two(double x) {
    int exponent;
    return frexp(x, &exponent) == 0.5;
}

static void choose_values(Sweep *sweep, double low, double high) {
    enum { LOG_DIGITS = 3, LINEAR_DIGITS = 12 };
    const Knob *knob = &knobs[sweep->knob];
    sweep->log_x = low > 0 && high / low >= 10;

    /* Sizes are doubled, as people choose them; of few whole numbers all are taken. */
    bool doubled = knob->fresh && is_power_of_two(low) && is_power_of_two(high) &&
                   log2(high / low) < SWEEP_POINTS_MOST;
    bool all = knob->whole && high - low < POINTS_WHOLE && !doubled;
    double count = POINTS_LINEAR;
    if (low == high) count = 1;
    else if (doubled) count = floor(log2(high / low)) + 1;
    else if (all) count = floor(high - low) + 1;
    else if (sweep->log_x) {
        count = ceil((log10(high) - log10(low)) * POINTS_PER_DECADE - 1e-9) + 1;
        count = fmin(fmax(count, POINTS_LEAST), SWEEP_POINTS_MOST);
    }

    /* Values between the ends are rounded: what the table shows can be typed, and gives that line
     * again. */
    for (double i = 0; i < count; i++) {
        double t = i / (count - 1), x;
        if (doubled) x = ldexp(low, (int)i);
        else if (i == 0) x = low;
        else if (i == count - 1) x = high;
        else if (sweep->log_x && !all)
            x = number_as_shown(pow(10, log10(low) * (1 - t) + log10(high) * t), LOG_DIGITS);
        else x = number_as_shown(low * (1 - t) + high * t, LINEAR_DIGITS);
        if (knob->whole) x = round(x);
        if (sweep->count == 0 || x > sweep->values[sweep->count - 1])
            sweep->values[sweep->count++] = x;
    }
}

/* ---- one value ---- */

/* The index of the mask's window among its terms; their number where it has none. */
static int window_of(const MaskSpec *mask) {
    int at = 0;
    while (at < mask->count && mask->terms[at].kind != &window_mask) at++;
    return at;
}

/* Sets the width of the window in the mask, which gets a window where it has none. */
static bool set_window(Settings *settings, double width, Error *err) {
    MaskSpec *mask = &settings->mask;
    int at = window_of(mask);
    if (at == MASK_TERMS_MAX)
        return error_set(err, ERR_LIMIT,
                         "a mask joins at most %d terms, so there is no room for a window",
                         MASK_TERMS_MAX);
    if (at == mask->count) mask->count++;
    mask->terms[at] = (MaskTerm){.kind = &window_mask, .number = width};
    return true;
}

static void remove_window(Settings *settings) {
    MaskSpec *mask = &settings->mask;
    int at = window_of(mask);
    if (at == mask->count) return;
    mask->count--;
    for (; at < mask->count; at++) {
        mask->terms[at] = mask->terms[at + 1];
        settings->mask_names[at] = settings->mask_names[at + 1];
    }
}

/* Draws standard normal queries, keys and values (rows, width of a head times heads). */
static bool draw_inputs(const Session *session, Inputs *inputs, size_t rows, size_t width,
                        Error *err) {
    const Settings *settings = &session->bench.settings;
    Shape shape = shape_2d(rows, width * settings->heads);
    Random random;
    random_seed(&random, settings->seed);
    *inputs = (Inputs){.kind = INPUTS_QKV};
    for (size_t i = 0; i < INPUTS_MOST; i++) {
        Tensor *matrix = tensor_new(DTYPE_DOUBLE, &shape, err);
        if (!matrix) return false;
        for (size_t j = 0; j < matrix->count; j++)
            tensor_doubles(matrix)[j] = random_normal(&random);
        inputs->items[i].tensor = matrix;
    }
    return true;
}

static Run *run_at(Session *session, KnobKind knob, double x, Error *err) {
    const Run *run = session->bench.run;
    LocalSettings settings;
    LocalInputs inputs = {.kind = INPUTS_NONE};
    bool ok = true;
    settings_copy(&settings, &session->bench.settings);
    if (!knobs[knob].fresh) inputs_copy(&inputs, &session->bench.inputs);
    switch (knob) {
    case KNOB_TEMPERATURE: settings.temperature = x; break;
    case KNOB_SCALE:
        settings.scale_sqrt = false;
        settings.scale = x;
        break;
    case KNOB_WINDOW: ok = set_window(&settings, x, err); break;
    case KNOB_HEADS: settings.heads = (size_t)x; break;
    case KNOB_DK: ok = draw_inputs(session, &inputs, FRESH_ROWS, (size_t)x, err); break;
    default: ok = draw_inputs(session, &inputs, (size_t)x, run ? run->d_k : FRESH_WIDTH, err);
    }
    return ok ? bench_run(session, &inputs, &settings, TRACE_LATER, err) : NULL;
}

/* ---- the sweep ---- */

static bool add_titles(Sweep *sweep, const Session *session, double last, Error *err) {
    const Run *run = sweep->runs[0];
    Text title = TEXT_EMPTY, line = TEXT_EMPTY;
    LocalSettings shared; /* by all values */
    settings_copy(&shared, &session->bench.settings);
    if (sweep->knob == KNOB_WINDOW) remove_window(&shared);
    settings_write_line(&shared, knobs[sweep->knob].name, &line);
    sweep->settings = text_take(&line, err);
    text_format(&title, "%s from ", knobs[sweep->knob].name);
    number_write(&title, sweep->values[0], 6);
    text_string(&title, " to ");
    number_write(&title, last, 6);
    if (knobs[sweep->knob].fresh) {
        text_string(&title, ": standard normal Q, K and V, drawn anew for each");
    } else {
        text_string(&title, " over ");
        run_heading_write_inputs(session, run, &title);
    }
    if (sweep->knob == KNOB_DK) text_format(&title, ", of %d rows", FRESH_ROWS);
    if (sweep->knob == KNOB_LENGTH) text_format(&title, ", of %zu columns", run->d_k * run->heads);
    sweep->title = text_take(&title, err);
    return sweep->title && sweep->settings;
}

Sweep *sweep_run(Session *session, KnobKind knob, double low, double high, Error *err) {
    Sweep *sweep = mem_zeroed(1, sizeof *sweep, err);
    if (!sweep) return NULL;
    sweep->object = (Object){.refs = 1, .type = &sweep_type};
    sweep->knob = knob;
    bool ok = true;
    if (knob == KNOB_HEADS && session->bench.run)
        ok = choose_heads(sweep, session->bench.run, low, high, err);
    else choose_values(sweep, low, high);

    size_t wanted = sweep->count;
    sweep->count = 0; /* from here on it counts the runs, which sweep_free releases */
    while (ok && sweep->count < wanted) {
        size_t i = sweep->count;
        host_progress(session->interp.host, "sweep", (double)i / (double)wanted);
        Run *run = run_at(session, knob, sweep->values[i], err);
        ok = run != NULL;
        if (!ok) break;
        sweep->runs[sweep->count++] = run;
        ok = run_measures(run, &sweep->measures[i], err) &&
             (i > 0 || add_titles(sweep, session, sweep->values[wanted - 1], err));
        bool same = i == 0 || (sweep->heads == run->heads && sweep->queries == run->queries &&
                               sweep->keys == run->keys);
        sweep->heads = same ? run->heads : 0;
        sweep->queries = run->queries;
        sweep->keys = run->keys;
    }
    host_progress(session->interp.host, "sweep", 1);
    if (ok) return sweep;
    object_unref(sweep);
    return NULL;
}
