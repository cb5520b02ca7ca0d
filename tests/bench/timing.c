#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double sample_ms = 20;

static double now_ms(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static bool make_calls(const Timed *timed, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!timed->call(timed->context)) return false;
    return true;
}

/* Half as many calls go before, so that threads are awake, each on a core of its own. */
bool timed_sample(Timed *timed, double *ms) {
    if (!make_calls(timed, timed->calls / 2)) return false;
    double start = now_ms(CLOCK_MONOTONIC), busy = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    if (!make_calls(timed, timed->calls)) return false;
    double wall = now_ms(CLOCK_MONOTONIC) - start;
    timed->wall_ms += wall;
    timed->busy_ms += now_ms(CLOCK_PROCESS_CPUTIME_ID) - busy;
    *ms = wall / (double)timed->calls;
    return true;
}

/* The first calls are slow, and few of them are measured badly: at most four times as many at each
 * step. */
bool timed_calibrate(Timed *timed) {
    double ms;
    for (timed->calls = 1;;) {
        if (!timed_sample(timed, &ms)) return false;
        double wanted = sample_ms / ms, now = (double)timed->calls;
        if (wanted <= now) return true;
        timed->calls = (size_t)(wanted < 4 * now ? wanted + 1 : 4 * now);
    }
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

Times times_of(double *samples, size_t count) {
    qsort(samples, count, sizeof *samples, by_value);
    double middle = (samples[(count - 1) / 2] + samples[count / 2]) / 2;
    return (Times){.median = middle, .least = samples[0], .greatest = samples[count - 1]};
}

bool timed_serve(Timed *timed, double checksum, double work) {
    double ms;
    int c;
    if (!timed_calibrate(timed)) return false;
    printf("ready %.8g %.10g\n", checksum, work);
    fflush(stdout);
    while ((c = getchar()) != EOF) {
        if (c != '\n') continue;
        if (!timed_sample(timed, &ms)) return false;
        printf("%.6g\n", ms);
        fflush(stdout);
    }
    return true;
}
