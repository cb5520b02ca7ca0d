/* Timing of a call that is made many times: samples of enough calls that neither
 * the clock nor the waking of threads counts. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef bool (*Call)(void *context); /* false: it failed, and nothing more is timed */

/* Something to be timed. */
typedef struct Timed {
    Call call;
    void *context;
    size_t calls;            /* in a sample; timed_calibrate sets it */
    double wall_ms, busy_ms; /* sums over all samples: time, processor time of all threads */
} Timed;

typedef struct Times {
    double median, least, greatest;
} Times;

bool timed_calibrate(Timed *timed);
/* One sample: milliseconds per call. */
bool timed_sample(Timed *timed, double *ms);
/* Sorts the samples. */
Times times_of(double *samples, size_t count);

/* Says `ready`, a checksum and the work of a call, then takes a sample for each line of standard
 * input and prints its milliseconds per call; between them it waits. Several programs that serve
 * can so be alive at once, and be asked in turn. */
bool timed_serve(Timed *timed, double checksum, double work);

#ifdef __cplusplus
}
#endif

#endif
