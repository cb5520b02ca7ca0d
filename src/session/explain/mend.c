#include "session/explain/mend.h"

#include "base/number.h"
#include "session/session.h"
#include "session/explain/working.h"

#include <math.h>

enum { DIGITS = 2, LADDER = 6, CANDIDATES_MOST = 2 * LADDER + 8 };

typedef enum Turn {
    TURN_SCALE_SQRT,
    TURN_SCALE,
    TURN_TEMPERATURE,
    TURN_NO_POSITION,
    TURN_NO_MASK
} Turn;

/* One setting to another value. */
typedef struct Candidate {
    Turn turn;
    double number;
} Candidate;

typedef struct Candidates {
    Candidate items[CANDIDATES_MOST];
    size_t count;
} Candidates;

/* ---- which are tried, the most telling first ---- */

static void add(Candidates *all, Turn turn, double number) {
    number = as_shown(number, DIGITS);
    bool some = turn != TURN_SCALE && turn != TURN_TEMPERATURE;
    if (some || (isfinite(number) && number != 0))
        all->items[all->count++] = (Candidate){turn, number};
}

/* Steps of 2 from the temperature at which the scores have the spread 1. */
static void add_temperatures(Candidates *all, double spread, double factor) {
    for (int i = 0; i <= LADDER; i++) add(all, TURN_TEMPERATURE, spread * pow(factor, i));
}

static void add_all(Candidates *all, const Judged *judged, unsigned finding) {
    const Run *run = judged->run;
    double spread = sqrt(judged->variance);
    bool uneven = judged_variance_high(judged) || judged_variance_low(judged);
    if (finding == FOUND_EMPTY) {
        add(all, TURN_NO_MASK, 0);
        return;
    }
    if (!uneven && run->given.spec.temperature != 1) add(all, TURN_TEMPERATURE, 1);
    if (!run->given.spec.scale_sqrt) add(all, TURN_SCALE_SQRT, 0);
    if (uneven)
        add(all, TURN_SCALE,
            (run->given.spec.scale_sqrt ? 1 / sqrt((double)run->d_k) : run->given.spec.scale) /
                spread);
    if (finding != FOUND_VARIANCE)
        add_temperatures(all, spread, finding == FOUND_SATURATED ? 2 : 0.5);
    if (position_is_bias(run->given.spec.position.kind)) add(all, TURN_NO_POSITION, 0);
    if (mask_has_numbers(&run->given.spec.mask)) add(all, TURN_NO_MASK, 0);
}

/* ---- trying one ---- */

static void turn_to(Settings *settings, const Candidate *candidate) {
    switch (candidate->turn) {
    case TURN_SCALE_SQRT: setting_reset(setting_find("scale"), settings); break;
    case TURN_SCALE: settings->scale_sqrt = false, settings->scale = candidate->number; break;
    case TURN_TEMPERATURE: settings->temperature = candidate->number; break;
    case TURN_NO_POSITION: setting_reset(setting_find("position"), settings); break;
    case TURN_NO_MASK: setting_reset(setting_find("mask"), settings); break;
    }
}

/* What is found with it. Inputs that no longer fit are no candidate; out of memory or interrupted
 * is an error. */
static bool findings_with(Session *session, const Candidate *candidate, unsigned *found,
                          Error *err) {
    Settings settings;
    Judged judged;
    Error misfit = {.kind = ERR_NONE};
    settings_copy(&settings, &session->bench.settings);
    turn_to(&settings, candidate);
    Run *run = bench_run(session, &session->bench.inputs, &settings, &misfit);
    settings_release(&settings);
    *found = ~0u;
    if (!run && (misfit.kind == ERR_LIMIT || misfit.kind == ERR_INTERRUPT))
        return *err = misfit, false;
    if (!run) return true;
    bool ok = judge(&judged, run, err);
    if (ok) {
        *found = judged_findings(&judged);
        judged_release(&judged);
    }
    run_unref(run);
    return ok;
}

static void write_candidate(const Candidate *candidate, Text *out) {
    static const char *const words[] = {"set scale sqrt", "set scale ", "set temperature ",
                                        "set position none", "set mask none"};
    text_string(out, words[candidate->turn]);
    if (candidate->turn == TURN_SCALE || candidate->turn == TURN_TEMPERATURE)
        number_write_shortest(out, candidate->number, false);
}

bool mend_write(Session *session, const Judged *judged, unsigned finding, Text *out, Error *err) {
    Candidates all = {.count = 0};
    const Candidate *best = NULL;
    unsigned found = ~0u;
    add_all(&all, judged, finding);
    for (size_t i = 0; i < all.count && found != 0; i++) {
        if (!findings_with(session, &all.items[i], &found, err)) return false;
        if (!(found & finding) && (!best || found == 0)) best = &all.items[i];
    }
    if (best) write_candidate(best, out);
    return true;
}
