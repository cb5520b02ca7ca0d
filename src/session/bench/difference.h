/* Shows what differs between two runs: tables and lists for compare and diff. Those of cells need
 * runs that difference_fits, and their traces. */
#ifndef ATTN_SESSION_DIFFERENCE_H
#define ATTN_SESSION_DIFFERENCE_H

#include "session/session.h"

/* The means of both, beside each other, with their difference. */
bool difference_write_measures(Session *session, Run *const runs[2], const char *const names[2],
                               Text *out, Error *err);
/* The tables of weights of one head of up to COMPARED_MOST runs beside each other, with the
 * entropies of each if they are wanted. */
bool difference_write_tables(Session *session, Run *const *runs, const char *const *names,
                             size_t count, size_t head, bool entropies, Text *out, Error *err);
/* Both tables of weights of one head, then the second less the first with the Jensen-Shannon
 * divergence of each query (nats). */
bool difference_write_weights(Session *session, Run *const runs[2], const char *const names[2],
                              size_t head, Text *out, Error *err);
/* The divergence of each query alone, a column for each head. */
bool difference_write_divergences(Session *session, Run *const runs[2], Text *out, Error *err);
/* The cells whose weight changed most, over all heads; nothing when none changed. */
bool difference_write_largest(Session *session, Run *const runs[2], Text *out, Error *err);
/* True if cells can be compared: the same heads, queries and keys. */
bool difference_fits(Run *const runs[2]);
/* weights[1] - weights[0] of one head: new, row-major. */
double *difference_cells(Run *const runs[2], size_t head, Error *err);

#endif
