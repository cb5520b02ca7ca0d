/* sweep KNOB [LOW HIGH]: the table, and the picture below it. */
#include "base/number.h"
#include "base/translate.h"
#include "session/bench/attend.h"
#include "session/bench/result_view.h"
#include "session/bench/sweep.h"
#include "session/pictures/draw.h"
#include "view/scale.h"

#include <math.h>

/* The measures in their order, and the series. The columns that say least are last, since a narrow
 * window leaves the last ones out. */
enum { SERIES = 6, COLUMNS };
static const char *const titles[COLUMNS] = {"entropy", "share",      "max weight",  "gradient",
                                            "ceiling", "gradient×τ", "ln n − v/2τ²"};

static bool show_table(Session *session, const Sweep *sweep, Error *err) {
    int digits = session->bench.settings.digits;
    size_t count = sweep->count;
    double columns[COLUMNS][SWEEP_POINTS_MOST] = {{0}};
    Text names[SWEEP_POINTS_MOST] = {TEXT_EMPTY}, text = TEXT_EMPTY;
    const char *labels[SWEEP_POINTS_MOST];
    for (size_t i = 0; i < count; i++) {
        text_init(&names[i]);
        number_write(&names[i], sweep->values[i],
                     digits < 3 ? 3 : digits); /* so that it can be typed */
        labels[i] = names[i].data;
        const Measures *m = &sweep->measures[i];
        double temperature = sweep->values[i];
        for (size_t c = 0; c < SERIES; c++) columns[c][i] = m->all[c];
        /* The entropy to second order in 1/τ, with the variance v of a row's scores. */
        columns[SERIES][i] = m->ceiling - m->variance / (2 * temperature * temperature);
    }

    /* The series is shown where it equals the entropy in the digits that are shown. Only a
     * temperature has it, and the factor 1/τ. */
    bool tau = sweep->knob == KNOB_TEMPERATURE;
    NumberForm form = number_form(columns[0], NULL, count, digits);
    for (size_t i = 0; i < count; i++)
        if (number_form_shown(form, fabs(columns[SERIES][i] - columns[0][i])) != 0)
            columns[SERIES][i] = NAN;

    TableColumn extra[COLUMNS];
    for (size_t c = 1; c < COLUMNS; c++) extra[c - 1] = (TableColumn){titles[c], columns[c], true};
    const char *first = tr(titles[0]);
    Table table = {.cells = columns[0],
                   .rows = count,
                   .columns = 1,
                   .row_labels = {labels, count},
                   .column_labels = {&first, 1},
                   .extra = extra,
                   .extra_count = tau ? COLUMNS - 1 : COLUMNS - 3,
                   .corner = tau ? "τ" : knobs[sweep->knob].name};
    text_say_wrapped(&text, sweep->title, session_columns(session));
    write_table(session, &table, &text);
    text_say_wrapped(
        &text,
        tau ? "share: of the ceiling, ln n. gradient: mean Frobenius norm of (diag p − ppᵀ)/τ. v: "
              "variance of a row's scores, shown where the sum gives the entropy."
            : "share: of the ceiling, ln n. gradient: mean Frobenius norm of (diag p − ppᵀ)/τ.",
        session_columns(session));
    for (size_t i = 0; i < count; i++) text_release_for(&names[i], &text);
    return session_write_text(session, true, &text, err);
}

/* Takes what is to be swept from the call. KNOBS and an error: it cannot be swept. */
static KnobKind knob_argument(CommandCall *call, Error *err) {
    const char *words[KNOBS + 1] = {NULL};
    for (KnobKind knob = 0; knob < KNOBS; knob++) {
        if (command_take(call, knobs[knob].name)) return knob;
        words[knob] = knobs[knob].name;
    }
    const char *name = command_take_name(call), *near = name ? nearest_word(name, words) : NULL;
    if (name) error_set(err, ERR_VALUE, "%s cannot be swept", name);
    else if (command_at_end(call)) error_set(err, ERR_SYNTAX, "what to sweep is missing");
    else error_set(err, ERR_SYNTAX, "what to sweep comes first, by its name");
    if (near) error_hint(err, "did you mean %s?", near);
    else
        error_hint(err, "temperature, scale, window, heads, dk or length; for example: sweep "
                        "temperature 0.01 100");
    if (name) command_error_last(call, err);
    return KNOBS;
}

static bool bound_argument(CommandCall *call, const Knob *knob, const char *what, double *out,
                           Error *err) {
    enum { FRESH_MOST = 1 << 30 }; /* rows or columns that are drawn */
    if (!command_number(call, what, out, err)) return false;
    double x = *out;
    const char *kind = knob->whole ? "whole" : "finite";
    if (knob->fresh && isfinite(x) && x > FRESH_MOST)
        error_set(err, ERR_VALUE, "%s is swept to %d at the most, not to %.15g", knob->name,
                  FRESH_MOST, x);
    else if (isfinite(x) && x >= knob->least && (!knob->whole || x == floor(x))) return true;
    else if (isinf(knob->least))
        error_set(err, ERR_VALUE, "%s is swept over %s numbers, not to %.15g", knob->name, kind, x);
    else
        error_set(err, ERR_VALUE, "%s is swept over %s numbers from %.15g on, and %.15g is none",
                  knob->name, kind, knob->least, x);
    return command_error_last(call, err);
}

/* Takes `as NAME` from the call, if that comes next. */
static bool name_argument(CommandCall *call, const char **name, Error *err) {
    *name = NULL;
    if (!command_take(call, "as")) return true;
    *name = command_take_name(call);
    if (*name) return true;
    error_set(err, ERR_SYNTAX, "the name to keep the sweep under is missing");
    error_hint(err, "for example: sweep temperature 0.1 10 as before");
    return command_error_at(call, call->next, err);
}

static bool keep_sweep(Session *session, const char *name, Error *err) {
    Value value = {.kind = VALUE_OBJECT, .object = &session->bench.sweep->object};
    return !name || session_set_variable(session, name, &value, err);
}

static bool sweep(Session *session, CommandCall *call, Error *err) {
    enum { CURVES_LEAST = 14, BESIDE_TABLE = 4 };
    if (command_next_is(call, "as")) {
        const char *name;
        if (!session->bench.sweep) {
            error_set(err, ERR_NAME, "nothing was swept yet");
            return error_hint(err, "for example: sweep temperature 0.1 10 as before");
        }
        return name_argument(call, &name, err) && command_finish(call, err) &&
               keep_sweep(session, name, err);
    }
    KnobKind kind = knob_argument(call, err);
    if (kind == KNOBS) return false;
    const Knob *knob = &knobs[kind];
    if (!knob->fresh && !session_need_run(session, err)) return false;

    double low = knob->low, high = knob_high(session, kind);
    const char *name;
    if (!command_at_end(call) && !command_next_is(call, "as")) {
        if (!bound_argument(call, knob, "where to begin", &low, err) ||
            !bound_argument(call, knob, "where to end", &high, err))
            return false;
        if (low > high) {
            error_set(err, ERR_VALUE, "the range ends at %.15g, before it begins at %.15g", high,
                      low);
            error_hint(err, "sweep %s %.15g %.15g", knob->name, high, low);
            return command_error_last(call, err);
        }
    }
    if (!name_argument(call, &name, err) || !command_finish(call, err)) return false;

    Sweep *made = sweep_run(session, kind, low, high, err);
    if (!made) return false;
    object_unref(session->bench.sweep);
    session->bench.sweep = made;
    if (!keep_sweep(session, name, err)) return false;
    if (call->quiet) return true;
    /* The curves take the rows of the screen that the table leaves, and a few at least. */
    int rows = session->interp.host->rows - (int)made->count - BESIDE_TABLE;
    return show_table(session, made, err) &&
           sweep_write_curves(session, rows > CURVES_LEAST ? rows : CURVES_LEAST, err);
}

/* clang-format off */
const CommandDef sweep_commands[] = {
    {{.name = "sweep", .words = "temperature scale window heads dk length as"}, sweep, false,
     "sweep KNOB [LOW HIGH] [as NAME]",
     "Runs attention at many values of one knob, with everything else as it is on the bench, and "
     "shows for each the mean entropy and its share of the most that is possible (ln n), the "
     "largest weight, and how strongly weights answer to scores: the mean Frobenius norm of their "
     "derivative. temperature, scale, window and heads are settings; dk (the width of a head) and "
     "length draw new standard normal inputs. The values are spaced by their logarithm where the "
     "range spans a factor of ten. plot sweep draws it again, to \"sweep.gif\" as an animation. "
     "sweep ... as before keeps it under a name (sweep as before the last one): then "
     "plot sweep, before draws two in one picture, and before.values, .entropy, .share, "
     ".max_weight, .gradient are its numbers.",
     "Q = randn(6, 4); K = randn(6, 4); V = Q\nattend Q K V;\nsweep temperature 0.1 10 as before\n"
     "set mask causal; sweep temperature 0.1 10;\nplot sweep, before",
     "set compare entropy plot"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
