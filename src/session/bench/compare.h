/* What a compare ran: two runs that differ in one setting. */
#ifndef ATTN_SESSION_COMPARE_H
#define ATTN_SESSION_COMPARE_H

#include "session/bench/bench.h"

typedef struct RunPair {
    Object object;
    const char *names[2]; /* "temperature 0.5", "temperature 2"; owned */
    Run *runs[2];
} RunPair;

bool run_pair_need_traces(const RunPair *pair, Error *err);
void run_pair_put_aside(const RunPair *pair); /* both runs */

#endif
