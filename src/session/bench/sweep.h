/* What a sweep found: attention at many values of one setting or size. */
#ifndef ATTN_SESSION_SWEEP_H
#define ATTN_SESSION_SWEEP_H

#include "session/bench/measure.h"

typedef struct Sweep {
    Object object;
    const char *knob; /* "temperature" "scale" "window" "heads" "dk" "length" */
    char *title;      /* what was swept over which inputs, and the settings that stayed */
    bool log_x;       /* the values are spaced evenly by their logarithm */
    size_t count;
    double *values;
    Measures *measures;
    Run **runs;                  /* at each value: the frames of an animation */
    size_t queries, keys, heads; /* of all of them; heads 0: they differ */
} Sweep;

/* A knob that can be swept. */
typedef struct Knob {
    const char *name;
    bool whole;       /* whole numbers only */
    bool fresh;       /* draws inputs of its own */
    double least;     /* the smallest value that it may have */
    double low, high; /* the range when none is given; high 0: as far as the inputs go */
} Knob;
extern const Knob knobs[]; /* ends with a NULL name */

struct Session;
/* As far as it makes sense for the inputs on the bench. */
double knob_high(const struct Session *session, const Knob *knob);
/* Runs attention at each value; inputs and settings of the session are left as they are. NULL on
 * failure, ERR_INTERRUPT too. */
Sweep *sweep_run(struct Session *session, const Knob *knob, double low, double high, Error *err);

#endif
