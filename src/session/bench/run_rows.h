/* Some queries of a run with all that is computed on their way. They are read from the run's trace
 * where it has one, else computed for these queries alone, so that no n x n arrays are held for the
 * sake of a few rows. */
#ifndef ATTN_SESSION_RUN_ROWS_H
#define ATTN_SESSION_RUN_ROWS_H

#include "session/bench/bench.h"

typedef struct RunRows {
    const Run *run;              /* borrowed */
    const AttentionTrace *trace; /* holds the rows taken last: */
    size_t first, queries;       /* the queries first .. first + queries - 1 of the run */
    AttentionGiven
        projected; /* the inputs, of which parts are computed; only where the run has no trace */
    AttentionTrace own; /* the trace of such a part */
} RunRows;

bool run_rows_init(RunRows *rows, const Run *run, Error *err);
void run_rows_release(RunRows *rows);
/* Takes the queries first .. first + count - 1 into rows->trace: the same numbers, to the last bit,
 * as the trace of the whole run would have. */
bool run_rows_take(RunRows *rows, size_t first, size_t count, Error *err);
/* Takes all queries, in blocks that are small beside n x n, and calls `visit` for each row: number
 * `row` of the run, which stands at `at` in rows->trace. */
typedef void RunRowsVisit(void *context, const RunRows *rows, size_t row, size_t at);
bool run_rows_each(const Run *run, RunRowsVisit *visit, void *context, Error *err);
/* The row of rows->trace in which a query that was taken stands. */
size_t run_rows_at(const RunRows *rows, size_t head, size_t query);

#endif
