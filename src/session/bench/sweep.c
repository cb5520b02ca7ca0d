#include "session/bench/sweep.h"

#include "base/memory.h"
#include "base/number.h"
#include "session/session.h"
#include "session/explain/working.h"

#include <math.h>
#include <string.h>

enum {
    POINTS_LINEAR = 11,
    POINTS_PER_DECADE = 4,
    POINTS_MOST = 33,
    POINTS_WHOLE = 24,
    FRESH_ROWS = 32,
    FRESH_WIDTH = 16
};

const Knob knobs[] = {{"temperature", false, false, 0, 0.01, 100},
                      {"scale", false, false, -INFINITY, 0.01, 10},
                      {"window", true, false, 0, 0, 0},
                      {"heads", true, false, 1, 1, 0},
                      {"dk", true, true, 1, 1, 256},
                      {"length", true, true, 1, 2, 256},
                      {.name = NULL}};

/* ---- life cycle ---- */

static void sweep_free(Object *object) {
    Sweep *sweep = (Sweep *)object;
    for (size_t i = 0; sweep->runs && i < sweep->count; i++) run_unref(sweep->runs[i]);
    mem_free(sweep->runs);
    mem_free(sweep->values);
    mem_free(sweep->measures);
    mem_free(sweep->title);
    mem_free(sweep);
}

static size_t sweep_bytes(const Object *object, const Object *other) {
    const Sweep *sweep = (const Sweep *)object;
    size_t bytes = 0;
    (void)other; /* two sweeps have no run in common */
    for (size_t i = 0; i < sweep->count; i++) bytes += run_bytes(sweep->runs[i]);
    return bytes;
}

static const ObjectType sweep_type = {.name = "sweep", .free = sweep_free, .bytes = sweep_bytes};

static Sweep *sweep_new(const Knob *knob, Error *err) {
    Sweep *sweep = mem_zeroed(1, sizeof *sweep, err);
    if (!sweep) return NULL;
    sweep->object = (Object){.refs = 1, .type = &sweep_type};
    sweep->knob = knob->name;
    sweep->values = mem_zeroed(POINTS_MOST, sizeof *sweep->values, err);
    sweep->measures = sweep->values ? mem_zeroed(POINTS_MOST, sizeof *sweep->measures, err) : NULL;
    sweep->runs = sweep->measures ? mem_zeroed(POINTS_MOST, sizeof *sweep->runs, err) : NULL;
    if (!sweep->runs) return object_unref(sweep), NULL;
    return sweep;
}

/* ---- the values ---- */

static bool is_power_of_two(double x) {
    int exponent;
    return frexp(x, &exponent) == 0.5;
}

/* Widths and lengths are doubled, as people choose them. */
static bool by_doubling(const Knob *knob, double low, double high) {
    return knob->fresh && is_power_of_two(low) && is_power_of_two(high) &&
           log2(high / low) < POINTS_MOST;
}

/* Those between the ends are rounded: what the table shows can be typed, and gives that line again.
 */
static double value_between(double low, double high, bool log_x, size_t i, size_t last) {
    enum { LOG_DIGITS = 3, LINEAR_DIGITS = 12 };
    if (i == 0) return low;
    if (i == last) return high;
    double t = (double)i / (double)last;
    return log_x ? as_shown(pow(10, log10(low) * (1 - t) + log10(high) * t), LOG_DIGITS)
                 : as_shown(low * (1 - t) + high * t, LINEAR_DIGITS);
}

static bool takes_all(const Knob *knob, double low, double high) {
    return knob->whole && high - low < POINTS_WHOLE && !by_doubling(knob, low, high);
}

static size_t points(const Knob *knob, double low, double high, bool log_x) {
    if (low == high) return 1;
    if (by_doubling(knob, low, high)) return (size_t)log2(high / low) + 1;
    if (takes_all(knob, low, high)) return (size_t)(high - low) + 1;
    if (!log_x) return POINTS_LINEAR;
    double count = ceil((log10(high) - log10(low)) * POINTS_PER_DECADE - 1e-9) + 1;
    return count > POINTS_MOST ? POINTS_MOST : count < 5 ? 5 : (size_t)count;
}

/* Of numbers of heads those that divide the widths. */
static bool choose_divisors(Sweep *sweep, const Run *run, double low, double high, Error *err) {
    size_t width = run->d_k * run->heads, value_width = run->d_v * run->heads,
           most = width < value_width ? width : value_width;
    for (size_t heads = 1; heads <= most && sweep->count < POINTS_MOST; heads++) {
        double x = (double)heads;
        if (x >= low && x <= high && width % heads == 0 && value_width % heads == 0)
            sweep->values[sweep->count++] = x;
    }
    if (sweep->count > 0) return true;
    return error_set(err, ERR_VALUE,
                     "no number of heads from %g to %g divides the widths %zu and %zu", low, high,
                     width, value_width);
}

static bool choose_values(Sweep *sweep, const Session *session, const Knob *knob, double low,
                          double high, Error *err) {
    if (*knob->name == 'h' && session->bench.run)
        return choose_divisors(sweep, session->bench.run, low, high, err);
    bool all = takes_all(knob, low, high), doubled = by_doubling(knob, low, high);
    sweep->log_x = low > 0 && high / low >= 10;
    size_t count = points(knob, low, high, sweep->log_x);
    for (size_t i = 0; i < count; i++) {
        double x = doubled ? ldexp(low, (int)i)
                           : value_between(low, high, sweep->log_x && !all, i, count - 1);
        if (knob->whole) x = round(x);
        if (sweep->count == 0 || x > sweep->values[sweep->count - 1])
            sweep->values[sweep->count++] = x;
    }
    return true;
}

double knob_high(const Session *session, const Knob *knob) {
    const Run *run = session->bench.run;
    if (knob->high > 0) return knob->high;
    if (!run) return 8;
    if (strcmp(knob->name, "heads") == 0) return (double)(run->d_k * run->heads);
    return (double)(run->queries > run->keys ? run->queries : run->keys) - 1;
}

/* ---- the bench at a value ---- */

/* In place of the window that the mask has, or as one term more. */
static bool set_window(Settings *settings, double width, Error *err) {
    MaskSpec *mask = &settings->mask;
    int at = 0;
    while (at < mask->count && mask->terms[at].kind != &window_mask) at++;
    if (at == MASK_TERMS_MAX)
        return error_set(err, ERR_LIMIT,
                         "a mask joins at most %d terms, so there is no room for a window",
                         MASK_TERMS_MAX);
    if (at == mask->count) mask->count++;
    mask->terms[at] = (MaskTerm){.kind = &window_mask, .number = width};
    return true;
}

static bool turn(Settings *settings, const char *knob, double x, Error *err) {
    switch (*knob) {
    case 't': settings->temperature = x; return true;
    case 's': settings->scale_sqrt = false, settings->scale = x; return true;
    case 'w': return set_window(settings, x, err);
    case 'h': settings->heads = (size_t)x; return true;
    default: return true;
    }
}

static Tensor *normal_matrix(Random *random, size_t rows, size_t columns, Error *err) {
    Shape shape = shape_2d(rows, columns);
    Tensor *matrix = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; matrix && i < matrix->count; i++)
        tensor_doubles(matrix)[i] = random_normal(random);
    return matrix;
}

/* New standard normal queries, keys and values; d_k is that of a head. */
static bool draw_inputs(const Session *session, Inputs *inputs, size_t rows, size_t width,
                        Error *err) {
    Random random;
    random_seed(&random, session->bench.settings.seed);
    *inputs = (Inputs){.kind = INPUTS_QKV};
    Tensor **places[] = {&inputs->q.tensor, &inputs->k.tensor, &inputs->v.tensor};
    for (size_t i = 0; i < 3; i++) {
        *places[i] = normal_matrix(&random, rows, width * session->bench.settings.heads, err);
        if (!*places[i]) return inputs_release(inputs), false;
    }
    return true;
}

static bool inputs_at(const Session *session, const Knob *knob, double x, Inputs *inputs,
                      Error *err) {
    if (!knob->fresh) return inputs_copy(inputs, &session->bench.inputs), true;
    if (*knob->name == 'd') return draw_inputs(session, inputs, FRESH_ROWS, (size_t)x, err);
    return draw_inputs(session, inputs, (size_t)x,
                       session->bench.run ? session->bench.run->d_k : FRESH_WIDTH, err);
}

static Run *run_at(Session *session, const Knob *knob, double x, Error *err) {
    Settings settings;
    Inputs inputs;
    if (!inputs_at(session, knob, x, &inputs, err)) return NULL;
    settings_copy(&settings, &session->bench.settings);
    Run *run =
        turn(&settings, knob->name, x, err) ? bench_run(session, &inputs, &settings, err) : NULL;
    settings_release(&settings);
    inputs_release(&inputs);
    return run;
}

/* ---- the sweep ---- */

static void keep_sizes(Sweep *sweep, const Run *run, size_t i) {
    bool first = i == 0, same = sweep->heads == run->heads && sweep->queries == run->queries &&
                                sweep->keys == run->keys;
    sweep->heads = first || same ? run->heads : 0;
    sweep->queries = run->queries;
    sweep->keys = run->keys;
}

static bool add_title(Sweep *sweep, const Knob *knob, const Run *run, double last, Error *err) {
    Text title;
    text_init(&title);
    text_format(&title, "%s from ", knob->name);
    number_write(&title, sweep->values[0], 6);
    text_string(&title, " to ");
    number_write(&title, last, 6);
    if (knob->fresh) text_format(&title, ": standard normal Q, K and V, drawn anew for each");
    if (*knob->name == 'd') text_format(&title, ", of %d rows", FRESH_ROWS);
    if (*knob->name == 'l') text_format(&title, ", of %zu columns", run->d_k * run->heads);
    if (!knob->fresh) text_format(&title, " over %s", run->names);
    sweep->title = text_take(&title, err);
    return sweep->title != NULL;
}

static bool measure_at(Session *session, Sweep *sweep, const Knob *knob, size_t i, double last,
                       Error *err) {
    Run *run = run_at(session, knob, sweep->values[i], err);
    bool ok = run && run_measures(run, &sweep->measures[i], err) &&
              (sweep->title || add_title(sweep, knob, run, last, err));
    if (ok) {
        keep_sizes(sweep, run, i);
        sweep->runs[i] = run_ref(run);
    }
    run_unref(run);
    return ok;
}

Sweep *sweep_run(Session *session, const Knob *knob, double low, double high, Error *err) {
    Sweep *sweep = sweep_new(knob, err);
    if (!sweep) return NULL;
    bool ok = choose_values(sweep, session, knob, low, high, err);
    size_t wanted = sweep->count;
    double last = ok ? sweep->values[wanted - 1] : 0;
    for (sweep->count = 0; ok && sweep->count < wanted; sweep->count++) {
        host_progress(session->interp.host, "sweep", (double)sweep->count / (double)wanted);
        ok = measure_at(session, sweep, knob, sweep->count, last, err);
    }
    host_progress(session->interp.host, "sweep", 1);
    if (!ok) return object_unref(sweep), NULL;
    return sweep;
}
