/* What the last compare ran: counted, what it says never changes. */
#ifndef ATTN_SESSION_COMPARE_H
#define ATTN_SESSION_COMPARE_H

#include "session/bench/bench.h"

typedef struct RunPair {
    int refs;
    char *names[2]; /* "temperature 0.5", "temperature 2" */
    Run *runs[2];
} RunPair;

RunPair *run_pair_ref(RunPair *pair); /* NULL is fine */
void run_pair_unref(RunPair *pair);
size_t run_pair_bytes(const RunPair *pair); /* NULL: 0 */
bool run_pair_need_traces(const RunPair *pair, Error *err);
void run_pair_put_aside(const RunPair *pair); /* both runs */

#endif
