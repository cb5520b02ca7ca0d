/* Some queries of a run with all that was computed on their way: out of the run's trace where it
 * has one, else computed for them alone, so that what is n x n is not held for the sake of a few
 * rows. */
#ifndef ATTN_SESSION_RUN_ROWS_H
#define ATTN_SESSION_RUN_ROWS_H

#include "session/bench/bench.h"

typedef struct RunRows {
    const Run *run;              /* borrowed */
    const AttentionTrace *trace; /* that holds the rows taken last */
    size_t first, queries;       /* its queries: first .. first + queries - 1 of the run */
    AttentionGiven projected;
    AttentionTrace own;
} RunRows;

bool run_rows_init(RunRows *rows, const Run *run, Error *err);
void run_rows_release(RunRows *rows);
/* rows->trace then has the queries first .. first + count - 1, to the last bit as the trace of the
 * whole run would. */
bool run_rows_take(RunRows *rows, size_t first, size_t count, Error *err);
/* Takes all queries, in blocks that are small beside n x n, and calls `visit` with each. */
typedef void RunRowsVisit(void *context, const RunRows *rows, size_t first, size_t count);
bool run_rows_each(const Run *run, RunRowsVisit *visit, void *context, Error *err);
/* Where a query that was taken stands among the rows of rows->trace. */
size_t run_rows_at(const RunRows *rows, size_t head, size_t query);

#endif
