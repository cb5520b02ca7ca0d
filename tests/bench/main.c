/* attn-bench: times one case of the engine and prints one line of JSON. Every
 * sample of it is followed by one of what bounds it, the peak of multiply-adds
 * or the bandwidth of a copy, so that both saw the same machine. */
#include "case.h"
#include "timing.h"

#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Case *const cases[] = {
    &case_attention, &case_attention_backward, &case_gemm, &case_softmax, &case_peak, &case_copy};
enum { CASES = sizeof cases / sizeof cases[0], USAGE = 2 };

static int help(void) {
    puts(
        "usage: attn-bench CASE [OPTION...]\n\n"
        "Times a case and prints one line of JSON: milliseconds of a call, GFLOP/s of useful work\n"
        "and its part of the peak that was measured between the samples; or GB/s and its part of\n"
        "the copy's. ATTN_KERNELS=base|avx2|avx512 chooses the kernels.\n");
    for (int i = 0; i < CASES; i++) printf("  %-18s %s\n", cases[i]->name, cases[i]->help);
    putchar('\n');
    options_list();
    return EXIT_SUCCESS;
}

static const Case *find(const char *name) {
    for (int i = 0; i < CASES; i++)
        if (strcmp(cases[i]->name, name) == 0) return cases[i];
    return NULL;
}

/* A case that is prepared, as Timed sees it. */
typedef struct Subject {
    const Case *what;
    Bench bench;
} Subject;

static bool run(void *context) {
    Subject *subject = context;
    return subject->what->run(&subject->bench);
}

static bool prepare(Subject *subject, const Case *what, const Options *options) {
    *subject = (Subject){.what = what, .bench = {.options = options}};
    return what->prepare(&subject->bench);
}

static int report(Subject *subject, bool done) {
    if (!done) fprintf(stderr, "attn-bench: %s\n", subject->bench.err.message);
    bench_release(&subject->bench);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The work of a millisecond, in billions of a second. */
static double rate(double work, double ms) { return work / ms * 1e-6; }

static void print(const Subject *subject, Times times, double limit, double scratch) {
    const Bench *bench = &subject->bench;
    bool moves = subject->what->moves;
    double reached = rate(bench->work, times.median);
    printf("{\"case\": \"%s %s\", \"threads\": %d, \"kernels\": \"%s\", \"runs\": %ld, ",
           bench->title, bench->options->dtype, threads_now(), kernels()->name,
           bench->options->runs);
    printf("\"median_ms\": %.6g, \"min_ms\": %.6g, \"max_ms\": %.6g, ", times.median, times.least,
           times.greatest);
    printf("\"%s\": %.5g, \"%s\": %.4f", moves ? "gb_per_s" : "gflops", reached,
           moves ? "copy_fraction" : "peak_fraction", reached / limit);
    if (bench->options->scratch) printf(", \"memory_mb\": %.3f", scratch);
    puts("}");
}

/* Samples of both in turn. */
static bool measure(Timed *timed, Timed *limit, long runs, Times *times, Times *limits,
                    Error *err) {
    double *samples = mem_zeroed((size_t)runs * 2, sizeof *samples, err);
    bool done = samples != NULL;
    for (long i = 0; done && i < runs; i++)
        done = timed_sample(timed, samples + i) && timed_sample(limit, samples + runs + i);
    if (done) {
        *times = times_of(samples, (size_t)runs);
        *limits = times_of(samples + runs, (size_t)runs);
    }
    mem_free(samples);
    return done;
}

static bool compare(Subject *subject, double scratch) {
    const Options *options = subject->bench.options;
    Subject bound;
    Timed timed = {.call = run, .context = subject}, limit = {.call = run, .context = &bound};
    Times times, limits;
    bool done = prepare(&bound, subject->what->moves ? &case_copy : &case_peak, options) &&
                timed_calibrate(&limit) && timed_calibrate(&timed) &&
                measure(&timed, &limit, options->runs, &times, &limits, &subject->bench.err);
    if (done) print(subject, times, rate(bound.bench.work, limits.median), scratch);
    if (bound.bench.err.kind != ERR_NONE) subject->bench.err = bound.bench.err;
    bench_release(&bound.bench);
    return done;
}

/* The first call tells what it holds beyond inputs and outputs: nothing else has been held before.
 */
static bool bench(const Case *what, const Options *options, Subject *subject) {
    threads_set((int)options->threads);
    if (!prepare(subject, what, options) || !run(subject)) return false;
    double scratch = (double)(mem_peak() - mem_used()) * 1e-6;
    Timed timed = {.call = run, .context = subject};
    return options->serve
               ? timed_serve(&timed, what->checksum(&subject->bench), subject->bench.work)
               : compare(subject, scratch);
}

int main(int argc, char **argv) {
    Options options;
    Subject subject;
    options_init(&options);
    if (argc > 1 && strcmp(argv[1], "--help") == 0) return help();
    const Case *what = argc > 1 ? find(argv[1]) : NULL;
    if (!what) {
        fprintf(stderr, "attn-bench: %s%s; attn-bench --help lists all\n",
                argc > 1 ? "there is no case " : "which case is to be timed?",
                argc > 1 ? argv[1] : "");
        return USAGE;
    }
    if (!options_read(&options, what->name, argv + 2)) return USAGE;
    return options.help ? help() : report(&subject, bench(what, &options, &subject));
}
