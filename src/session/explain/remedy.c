#include "session/explain/remedy.h"

#include "base/number.h"
#include "session/explain/working.h"
#include "session/session.h"

#include <math.h>

enum { DIGITS = 2, TEMPERATURES = 7, CANDIDATES_MOST = TEMPERATURES + 8 };

/* One setting at another value. */
typedef enum CandidateKind { SCALE_SQRT, SCALE, TEMPERATURE, NO_POSITION, NO_MASK } CandidateKind;

typedef struct Candidate {
    CandidateKind kind;
    double number; /* of SCALE and TEMPERATURE */
} Candidate;

typedef struct Candidates {
    Candidate items[CANDIDATES_MOST];
    size_t count;
} Candidates;

static void add(Candidates *all, CandidateKind kind) {
    all->items[all->count++] = (Candidate){kind, 0};
}

static void add_number(Candidates *all, CandidateKind kind, double number) {
    number = as_shown(number, DIGITS);
    if (isfinite(number) && number != 0) all->items[all->count++] = (Candidate){kind, number};
}

/* The most telling stand first. */
static void list_candidates(Candidates *all, const Findings *findings, unsigned found) {
    const Run *run = findings->run;
    const AttentionSpec *spec = &run->given.spec;
    double spread = sqrt(findings->variance);
    bool uneven = findings->variance_high || findings->variance_low;
    if (found == FOUND_EMPTY) {
        add(all, NO_MASK);
        return;
    }
    if (!uneven && spec->temperature != 1) add_number(all, TEMPERATURE, 1);
    if (!spec->scale_sqrt) add(all, SCALE_SQRT);
    if (uneven) {
        double scale = spec->scale_sqrt ? 1 / sqrt((double)run->d_k) : spec->scale;
        add_number(all, SCALE, scale / spread);
    }
    /* Steps of 2 from the temperature at which the scores have the spread 1. */
    double factor = found == FOUND_SATURATED ? 2 : 0.5;
    for (int i = 0; found != FOUND_VARIANCE && i < TEMPERATURES; i++)
        add_number(all, TEMPERATURE, spread * pow(factor, i));
    if (position_is_bias(spec->position.kind)) add(all, NO_POSITION);
    if (mask_has_numbers(&spec->mask)) add(all, NO_MASK);
}

/* Sets *found to what is found with a candidate; ~0 where the inputs do not fit it. False when
 * memory runs out or on Ctrl-C. */
static bool try_candidate(Session *session, const Candidate *candidate, unsigned *found,
                          Error *err) {
    Settings settings;
    settings_copy(&settings, &session->bench.settings);
    switch (candidate->kind) {
    case SCALE_SQRT: setting_reset(setting_find("scale"), &settings); break;
    case SCALE:
        settings.scale_sqrt = false;
        settings.scale = candidate->number;
        break;
    case TEMPERATURE: settings.temperature = candidate->number; break;
    case NO_POSITION: setting_reset(setting_find("position"), &settings); break;
    case NO_MASK: setting_reset(setting_find("mask"), &settings); break;
    }
    Error misfit = {.kind = ERR_NONE};
    Run *run = bench_run(session, &session->bench.inputs, &settings, &misfit);
    settings_release(&settings);
    *found = ~0u;
    if (!run) {
        bool failed = misfit.kind == ERR_LIMIT || misfit.kind == ERR_INTERRUPT;
        if (failed) *err = misfit;
        return !failed;
    }
    Findings findings;
    bool ok = findings_init(&findings, run, err);
    if (ok) {
        *found = findings.found;
        findings_release(&findings);
    }
    run_unref(run);
    return ok;
}

bool remedy_write(Session *session, const Findings *findings, unsigned found, Text *out,
                  Error *err) {
    static const char *const words[] = {[SCALE_SQRT] = "set scale sqrt",
                                        [SCALE] = "set scale ",
                                        [TEMPERATURE] = "set temperature ",
                                        [NO_POSITION] = "set position none",
                                        [NO_MASK] = "set mask none"};
    Candidates all = {.count = 0};
    const Candidate *best = NULL;
    unsigned left = ~0u; /* what is still found */
    list_candidates(&all, findings, found);
    for (size_t i = 0; i < all.count && left != 0; i++) {
        if (!try_candidate(session, &all.items[i], &left, err)) return false;
        if (!(left & found) && (!best || left == 0)) best = &all.items[i];
    }
    if (!best) return true;
    text_string(out, words[best->kind]);
    if (best->kind == SCALE || best->kind == TEMPERATURE)
        number_write_shortest(out, best->number, false);
    return true;
}
