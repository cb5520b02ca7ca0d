#include "engine/tensor/threads.h"

#include "base/interrupt.h"
#include "base/memory.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static int chosen; /* 0: not yet */

int threads_most(void) {
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

int threads_now(void) { return chosen ? chosen : threads_most(); }

void threads_set(int count) {
#ifdef _OPENMP
    int limit = THREADS_LIMIT;
#else
    int limit = 1;
#endif
    chosen = count < 1 ? 1 : count > limit ? limit : count;
}

int threads_for_bytes(size_t bytes) {
    enum { WORTH_BYTES = 1 << 20 };
    return bytes < WORTH_BYTES ? 1 : threads_now();
}

/* One thread needs no parallel loop: to begin and end one takes as long as a small item. */
void threads_share(int threads, size_t items,
                   void (*run)(const void *job, size_t item, size_t thread), const void *job) {
#ifdef _OPENMP
    if (threads > 1) {
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (size_t i = 0; i < items; i++) run(job, i, (size_t)omp_get_thread_num());
        return;
    }
#else
    (void)threads;
#endif
    for (size_t i = 0; i < items; i++) run(job, i, 0);
}

typedef struct WithScratch {
    void (*run)(const void *job, size_t item, void *scratch);
    const void *job;
    char *memory; /* for each thread `bytes` */
    size_t bytes;
} WithScratch;

static void run_with_scratch(const void *job, size_t item, size_t thread) {
    const WithScratch *with = job;
    with->run(with->job, item, with->memory + with->bytes * thread);
}

bool threads_share_scratch(int threads, size_t items, size_t bytes,
                           void (*run)(const void *job, size_t item, void *scratch),
                           const void *job, Error *err) {
    const WithScratch with = {run, job, mem_aligned(bytes * (size_t)threads, err), bytes};
    if (!with.memory) return false;
    threads_share(threads, items, run_with_scratch, &with);
    mem_free(with.memory);
    return !interrupted(err);
}
