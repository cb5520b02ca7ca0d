/* attn-bench: times one case of the engine and prints one line of JSON. Before and after every
 * sample of it stands one of what bounds it, the peak of multiply-adds or the bandwidth of a copy;
 * the best of them is the bound. Where they differ, or where the program did not have its core all
 * the time, the line says that the machine was not quiet. */
#include "case.h"
#include "timing.h"

#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Case *const cases[] = {
    &case_attention, &case_attention_backward, &case_gemm, &case_softmax,
    &case_train,     &case_generate,           &case_peak, &case_copy};
enum { CASES = sizeof cases / sizeof cases[0], USAGE = 2 };

#define STRING_EXPANDED(x) #x
#define STRING(x) STRING_EXPANDED(x)
#if defined(__clang__)
static const char compiler[] =
    "clang " STRING(__clang_major__) "." STRING(__clang_minor__) "." STRING(__clang_patchlevel__);
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

static int help(void) {
    puts(
        "usage: attn-bench CASE [OPTION...]\n\n"
        "Times a case and prints one line of JSON: milliseconds of a call, GFLOP/s of useful work\n"
        "and its part of the peak that was measured around the samples; or GB/s and its part of\n"
        "the copy's. ATTN_KERNELS=base|avx2|avx512 chooses the kernels. --version names the\n"
        "compiler.\n");
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

typedef struct Measured {
    Times times, limits;
    double busy; /* the program's processor time in the samples, by their time */
} Measured;

/* What tells that other programs had the cores, or NULL. */
static const char *disturbance(const Measured *m) {
    if (m->busy < 0.9) return "the program had to wait for a core";
    if (m->limits.median > 1.1 * m->limits.least) return "the limit changed by more than 10%";
    return NULL;
}

static void print(const Subject *subject, const Measured *m, double limit, double scratch) {
    const Bench *bench = &subject->bench;
    bool moves = subject->what->moves;
    double reached = rate(bench->work, m->times.median);
    const char *disturbed = disturbance(m);
    printf("{\"case\": \"%s %s\", \"threads\": %d, \"kernels\": \"%s\", \"compiler\": \"%s\", ",
           bench->title, bench->options->dtype, threads_now(), kernels()->name, compiler);
    printf("\"runs\": %ld, \"median_ms\": %.6g, \"min_ms\": %.6g, \"max_ms\": %.6g, ",
           bench->options->runs, m->times.median, m->times.least, m->times.greatest);
    printf("\"%s\": %.5g, \"%s\": %.4f", moves ? "gb_per_s" : "gflops", reached,
           moves ? "copy_fraction" : "peak_fraction", reached / limit);
    if (bench->options->scratch) printf(", \"memory_mb\": %.3f", scratch);
    if (disturbed) printf(", \"warning\": \"the machine was not quiet: %s\"", disturbed);
    puts("}");
}

/* Samples of both in turn; the limit has the first and the last. */
static bool measure(Timed *timed, Timed *limit, size_t runs, Measured *measured, Error *err) {
    double *samples = mem_zeroed(2 * runs + 1, sizeof *samples, err), *limits = samples + runs;
    bool done = samples && timed_sample(limit, limits);
    timed->wall_ms = timed->busy_ms = 0;
    for (size_t i = 0; done && i < runs; i++)
        done = timed_sample(timed, samples + i) && timed_sample(limit, limits + i + 1);
    if (done)
        *measured = (Measured){.times = times_of(samples, runs),
                               .limits = times_of(limits, runs + 1),
                               .busy = timed->busy_ms / timed->wall_ms};
    mem_free(samples);
    return done;
}

/* The peak is measured on one core, and holds for each: several seldom are quiet at a time. */
static bool compare(Subject *subject, double scratch) {
    Options options = *subject->bench.options;
    bool moves = subject->what->moves;
    double cores = moves ? 1 : threads_now();
    Subject bound;
    Timed timed = {.call = run, .context = subject}, limit = {.call = run, .context = &bound};
    Measured measured;
    if (!moves) options.threads = 1;
    bool done = prepare(&bound, moves ? &case_copy : &case_peak, &options) &&
                timed_calibrate(&limit) && timed_calibrate(&timed) &&
                measure(&timed, &limit, (size_t)options.runs, &measured, &subject->bench.err);
    if (done)
        print(subject, &measured, cores * rate(bound.bench.work, measured.limits.least), scratch);
    if (bound.bench.err.kind != ERR_NONE) subject->bench.err = bound.bench.err;
    bench_release(&bound.bench);
    return done;
}

/* The first call tells what it holds beyond inputs and outputs: nothing else has been held before.
 */
static bool bench(const Case *what, const Options *options, Subject *subject) {
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
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf("attn-bench, built by %s; kernels: %s, cores: %d\n", compiler, kernels()->name,
               threads_most());
        return EXIT_SUCCESS;
    }
    const Case *what = argc > 1 ? find(argv[1]) : NULL;
    if (!what) {
        fprintf(stderr, "attn-bench: %s%s; attn-bench --help lists all\n",
                argc > 1 ? "there is no case " : "which case is to be timed?",
                argc > 1 ? argv[1] : "");
        return USAGE;
    }
    if (!options_read(&options, what->name, argv + 2)) return USAGE;
    threads_set((int)options.threads);
    options.threads = threads_now();
    return options.help ? help() : report(&subject, bench(what, &options, &subject));
}
