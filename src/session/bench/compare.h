/* The result of a compare: two to six runs that differ in one setting. */
#ifndef ATTN_SESSION_COMPARE_H
#define ATTN_SESSION_COMPARE_H

#include "session/bench/bench.h"

enum { COMPARED_MOST = 6 };

typedef struct ComparedRuns {
    Object object;
    size_t count;               /* 2 .. COMPARED_MOST */
    char *names[COMPARED_MOST]; /* "temperature 0.5", "temperature 2" */
    Run *runs[COMPARED_MOST];   /* of the same inputs; the heads may differ in number */
} ComparedRuns;

bool compared_runs_need_traces(const ComparedRuns *compared, Error *err);
void compared_runs_put_aside(const ComparedRuns *compared); /* all runs */
/* True if all runs have the same number of heads: then cells can be compared. */
bool compared_runs_fits(const ComparedRuns *compared);

#endif
