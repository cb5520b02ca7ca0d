/* What the last sweep found: counted, never changed. */
#ifndef ATTN_SESSION_SWEEP_H
#define ATTN_SESSION_SWEEP_H

#include "session/measure.h"

typedef struct Sweep {
    int refs;
    char *what;        /* "temperature" "scale" "window" "heads" "dk" "length" */
    bool log_x;        /* the values span decades: they are spaced evenly by their logarithm */
    size_t count;
    double *values;
    Measures *measures;
    Run **runs;        /* for the animation: what attention gave at each value */
} Sweep;

Sweep *sweep_ref(Sweep *sweep); /* NULL is fine */
void sweep_unref(Sweep *sweep);

#endif
