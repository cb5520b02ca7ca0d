/* How many threads large operators may use, and the sharing of items among them. Results do not
 * depend on the number: work is cut where the order of sums does not change. The threads belong to
 * a pool that grows when it is first used; a thread that the system refuses is done without. */
#ifndef ATTN_ENGINE_THREADS_H
#define ATTN_ENGINE_THREADS_H

#include "base/error.h"

#include <stddef.h>

enum { THREADS_LIMIT = 256 };

int threads_most(void);      /* the cores that this process may use: more are never faster */
int threads_now(void);       /* at the start threads_most(); 1 inside items of threads_share */
void threads_set(int count); /* cut to 1 .. THREADS_LIMIT */

/* The threads that there are, the caller's included, where the system has refused further ones; 0:
 * it never has. */
int threads_allowed(void);

/* The threads for a pass over so many bytes: 1 where waking others costs more than they save. */
int threads_for_bytes(size_t bytes);

/* Calls run(job, i, thread) for i = 0 .. items-1, each once, on at most `threads` threads; `thread`
 * is below `threads`, and no two calls at a time have the same. The caller is thread 0, takes items
 * like the others, and takes all of them where a job is being shared already (so an item may share
 * items of its own) or where other programs have the cores. Returns when all items are done.
 * A thread that loses its core is waited for as long as it needs for the item that it has begun, so
 * items should be short: 0.1 ms is long enough. */
void threads_share(int threads, size_t items,
                   void (*run)(const void *job, size_t item, size_t thread), const void *job);
/* The same, where each thread has `bytes` of scratch, aligned to 64 bytes. ERR_LIMIT; ERR_INTERRUPT
 * when the flag is up at the end, so that items may leave off and need not say so. */
bool threads_share_scratch(int threads, size_t items, size_t bytes,
                           void (*run)(const void *job, size_t item, void *scratch),
                           const void *job, Error *err);

#endif
