/* How many threads large operators may use. Results do not depend on it: work
 * is cut where the order of sums does not change. One thread where the compiler
 * has no OpenMP. */
#ifndef ATTN_ENGINE_THREADS_H
#define ATTN_ENGINE_THREADS_H

#include "base/error.h"

#include <stddef.h>

enum { THREADS_LIMIT = 256 };

int threads_most(void);              /* the cores of this machine: more are never faster */
int threads_now(void);               /* at start threads_most() */
void threads_set(int count);         /* cut to 1 .. THREADS_LIMIT; to 1 without OpenMP */
int threads_for_bytes(size_t bytes); /* for a pass over so many bytes: 1 where waking others costs
                                        more than they save */

/* run(job, i, thread) for i = 0 .. items-1, each taken by the thread that is free next: thread is 0
 * .. threads-1. */
void threads_share(int threads, size_t items,
                   void (*run)(const void *job, size_t item, size_t thread), const void *job);
/* The same, where each thread has `bytes` of scratch, aligned to 64 bytes. ERR_LIMIT; ERR_INTERRUPT
 * when the flag is up at the end, so that items may leave off and need not say so. */
bool threads_share_scratch(int threads, size_t items, size_t bytes,
                           void (*run)(const void *job, size_t item, void *scratch),
                           const void *job, Error *err);

#endif
