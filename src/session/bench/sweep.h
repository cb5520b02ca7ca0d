/* The results of a sweep: attention at many values of a setting, or of a size of random inputs. */
#ifndef ATTN_SESSION_SWEEP_H
#define ATTN_SESSION_SWEEP_H

#include "session/bench/measure.h"

/* clang-format off */
typedef enum KnobKind {
    KNOB_TEMPERATURE, KNOB_SCALE, KNOB_WINDOW, KNOB_HEADS, KNOB_DK, KNOB_LENGTH, KNOBS
} KnobKind;
/* clang-format on */

/* A quantity that can be swept. */
typedef struct Knob {
    const char *name;
    const char *axis; /* below the curves */
    bool whole;       /* whole numbers only */
    bool fresh;       /* each value draws new inputs */
    double least;     /* the smallest value that it may have */
    double low, high; /* the range when none is given; high 0: see knob_high */
} Knob;
extern const Knob knobs[KNOBS];

enum { SWEEP_POINTS_MOST = 33 };

typedef struct Sweep {
    Object object;
    KnobKind knob;
    char *title;    /* the setting that was swept, and the inputs */
    char *settings; /* the others that steer attention */
    bool log_x;     /* the values are spaced evenly by their logarithm */
    size_t count;
    double values[SWEEP_POINTS_MOST];
    Measures measures[SWEEP_POINTS_MOST];
    Run *runs[SWEEP_POINTS_MOST]; /* at each value: the frames of an animation */
    size_t queries, keys, heads;  /* of all of them; heads 0: they differ */
} Sweep;

/* A sweep is a value, too, once it is kept under a name: before.values, before.entropy. */
const Sweep *sweep_of(const Value *value); /* NULL: it is none */

struct Session;
/* The end of the range when none is given: for a size, as far as the inputs on the bench go. */
double knob_high(const struct Session *session, KnobKind knob);
/* Runs attention at each value; inputs and settings of the session are left as they are. NULL on
 * failure, ERR_INTERRUPT too. */
Sweep *sweep_run(struct Session *session, KnobKind knob, double low, double high, Error *err);

#endif
