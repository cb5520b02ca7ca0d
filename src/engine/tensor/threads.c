#ifdef __linux__
#define _GNU_SOURCE /* for sched_getaffinity */
#include <sched.h>
#endif

#include "engine/tensor/threads.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int most, chosen; /* 0: not yet known */
static atomic_int granted;      /* as threads_allowed tells it */

int threads_most(void) {
    if (most > 0) return most;
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) count = CPU_COUNT(&allowed);
#endif
    most = count < 1 ? 1 : count > THREADS_LIMIT ? THREADS_LIMIT : (int)count;
    return most;
}

static _Thread_local bool in_item; /* this thread runs one of several items of a job */

int threads_now(void) {
    if (in_item) return 1;
    return chosen ? chosen : threads_most();
}

int threads_allowed(void) { return granted; }

int threads_for_bytes(size_t bytes) {
    enum { WORTH_BYTES = 1 << 20 };
    return bytes < WORTH_BYTES ? 1 : threads_now();
}

/* ---- the pool ----
 *
 * A call of threads_share opens a job. Workers join it and take items, one after the other, and so
 * does the caller. When no item is left, the caller closes the job and waits only for workers that
 * are in the middle of an item: one that has not woken up by then has no part in the job, so a
 * worker without a core delays nothing but an item that it has begun.
 *
 * Such a delay can still take longer than the whole job, for as long as another program keeps the
 * core. Sharing has then made the call slower than one thread alone would have been. The loss is
 * known, as each thread's processor time is, and callers work alone for PATIENCE times as long, and
 * for twice as long as before while losses follow each other: a busy machine is hardly ever tried,
 * and a quiet one that was disturbed once forgets it soon. */

enum {
    PATIENCE = 10,
    LONGEST_REST = 1000000000, /* ns */
    SPIN = 50000,              /* ns; to put a thread to sleep and wake it takes about as long */
    USUAL_LOSS = 20000, /* ns, and an eighth of the job: to wake threads that are not needed */
};

typedef struct Job {
    void (*run)(const void *job, size_t item, size_t thread);
    const void *job;
    size_t items;
    atomic_size_t next; /* the first item that nobody has taken */
} Job;

static atomic_flag busy = ATOMIC_FLAG_INIT; /* there is a job: others work alone */

/* All but the two atomic counts is read and written under the lock, alone_until by who is busy. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER, left = PTHREAD_COND_INITIALIZER;
static int workers;       /* threads of the pool */
static Job *open_job;     /* valid while somebody may join or is inside */
static atomic_int seats;  /* workers that may still join */
static atomic_int inside; /* workers that have joined and not left */
static size_t joined;     /* workers that have joined: their numbers are 1 .. joined */
static long long worked;  /* ns of processor time that they have spent */
static atomic_llong rest, alone_until;

static long long clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Waits until the count is zero, or is not; gives up after a while, and the caller sleeps. */
static void spin_until(atomic_int *count, bool zero) {
    long long end = clock_ns(CLOCK_MONOTONIC) + SPIN;
    while ((*count == 0) != zero && clock_ns(CLOCK_MONOTONIC) < end) {
        for (int i = 0; i < 16; i++) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#elif defined(__aarch64__)
            __asm__ volatile("yield");
#endif
        }
    }
}

/* Takes items of the job until none is left, as thread number `thread`. */
static void run_items(Job *job, size_t thread) {
    bool nested = in_item;
    in_item = nested || job->items > 1; /* a single item may share its own work */
    for (size_t i; (i = atomic_fetch_add(&job->next, 1)) < job->items;)
        job->run(job->job, i, thread);
    in_item = nested;
}

/* The life of a thread of the pool: it waits for a seat at a job, and does items of it. */
static void *run_worker(void *unused) {
    for (;;) {
        spin_until(&seats, false);
        pthread_mutex_lock(&lock);
        while (seats == 0) pthread_cond_wait(&opened, &lock);
        seats--;
        inside++;
        Job *job = open_job;
        size_t thread = ++joined;
        pthread_mutex_unlock(&lock);

        long long before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        run_items(job, thread);
        long long spent = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;

        pthread_mutex_lock(&lock);
        worked += spent;
        inside--;
        pthread_cond_signal(&left);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

/* A child process has none of its parent's threads, and may find the lock taken. */
static void forget_workers(void) {
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    opened = left = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    workers = 0;
    seats = 0;
    inside = 0;
    atomic_flag_clear(&busy);
}

/* Hires the workers that are wanted, or as many as the system gives. Signals go to the program's
 * own threads, but for those that an instruction raises. Call with the lock held. */
static void hire_workers(int wanted) {
    static bool told;
    sigset_t signals, before;
    if (workers >= wanted) return;
    if (!told) told = pthread_atfork(NULL, NULL, forget_workers) == 0;
    sigfillset(&signals);
    sigdelset(&signals, SIGSEGV);
    sigdelset(&signals, SIGBUS);
    sigdelset(&signals, SIGFPE);
    sigdelset(&signals, SIGILL);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    for (pthread_t thread; workers < wanted; workers++) {
        if (pthread_create(&thread, NULL, run_worker, NULL) != 0) {
            granted = workers + 1;
            break;
        }
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Has the pool and the calling thread do the items, and waits for the workers that have joined. If
 * that took longer than the processor time that all of them spent, sharing was no gain, and the
 * caller works alone for a while. */
static void share_items(int threads, Job *job) {
    long long start = clock_ns(CLOCK_MONOTONIC), before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    pthread_mutex_lock(&lock);
    hire_workers(threads - 1);
    open_job = job;
    joined = 0;
    worked = 0;
    seats = threads - 1;
    pthread_mutex_unlock(&lock);
    for (int i = 1; i < threads; i++) pthread_cond_signal(&opened);

    run_items(job, 0);
    long long spent = clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;

    pthread_mutex_lock(&lock);
    seats = 0;
    pthread_mutex_unlock(&lock);
    spin_until(&inside, true);
    pthread_mutex_lock(&lock);
    while (inside > 0) pthread_cond_wait(&left, &lock);
    spent += worked;
    pthread_mutex_unlock(&lock);

    long long end = clock_ns(CLOCK_MONOTONIC), lost = end - start - spent;
    if (lost <= spent / 8 + USUAL_LOSS) {
        rest = rest / 4;
        return;
    }
    rest = 2 * rest + PATIENCE * lost;
    if (rest > LONGEST_REST) rest = LONGEST_REST;
    alone_until = end + rest;
}

void threads_set(int count) {
    chosen = count < 1 ? 1 : count > THREADS_LIMIT ? THREADS_LIMIT : count;
    rest = alone_until = 0;
}

void threads_share(int threads, size_t items,
                   void (*run)(const void *job, size_t item, size_t thread), const void *data) {
    Job job = {.run = run, .job = data, .items = items};
    if (items < (size_t)threads) threads = (int)items;
    if (threads > 1 && !in_item && !atomic_flag_test_and_set(&busy)) {
        bool shared = alone_until == 0 || clock_ns(CLOCK_MONOTONIC) >= alone_until;
        if (shared) share_items(threads, &job);
        atomic_flag_clear(&busy);
        if (shared) return;
    }
    run_items(&job, 0);
}

typedef struct WithScratch {
    void (*run)(const void *job, size_t item, void *scratch);
    const void *job;
    char *memory; /* `bytes` for each thread */
    size_t bytes;
} WithScratch;

/* Serves threads_share: one item, with the scratch of its thread. */
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
