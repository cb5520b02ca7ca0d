/* Runs of the same inputs beside each other, and what differs between them: for compare and diff.
 */
#ifndef ATTN_SESSION_COMPARE_H
#define ATTN_SESSION_COMPARE_H

#include "session/bench/session_state.h"

enum { COMPARED_MOST = 6 };

/* The result of a compare; and for diff the runs of two snapshots, borrowed. */
typedef struct ComparedRuns {
    Object object;
    size_t count;               /* 2 .. COMPARED_MOST */
    char *names[COMPARED_MOST]; /* "temperature 0.5", "temperature 2" */
    char *settings;             /* "scale sqrt, mask causal, ...": those that all runs share */
    Run *runs[COMPARED_MOST];
} ComparedRuns;

ComparedRuns *compared_runs_new(Error *err); /* without runs */
bool compared_runs_need_traces(const ComparedRuns *compared, Error *err);
void compared_runs_put_aside(const ComparedRuns *compared); /* all runs */
/* True if cells can be compared: the same heads, queries and keys. The functions about cells need
 * that, and the traces. */
bool compared_runs_fit(const ComparedRuns *compared);

/* weights[1] - weights[0] of one head: new, row-major. */
double *compared_cells(const ComparedRuns *pair, size_t head, Error *err);

/* The means of two runs, beside each other, with their difference. */
bool compared_write_measures(Session *session, const ComparedRuns *pair, Text *out, Error *err);
/* The tables of weights of head 0 of all runs beside each other, with the entropies of each if they
 * are wanted. */
bool compared_write_tables(Session *session, const ComparedRuns *compared, bool entropies,
                           Text *out, Error *err);
/* The tables of both runs with their entropies, then the second less the first with the
 * Jensen-Shannon divergence of each query (nats). */
bool compared_write_weights(Session *session, const ComparedRuns *pair, Text *out, Error *err);
/* The divergence of each query alone, a column for each head. */
bool compared_write_divergences(Session *session, const ComparedRuns *pair, Text *out, Error *err);
/* The cells whose weight changed most, over all heads; nothing when none changed. */
bool compared_write_largest(Session *session, const ComparedRuns *pair, Text *out, Error *err);

#endif
