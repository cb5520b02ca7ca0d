/* Shows a run in a terminal: tables of weights, scores, entropy and output, with the tokens as
 * labels. */
#ifndef ATTN_SESSION_RESULT_VIEW_H
#define ATTN_SESSION_RESULT_VIEW_H

#include "session/bench/session_state.h"
#include "view/picture.h"
#include "view/terminal/table.h"

/* Labels of a list of strings; items is NULL for VALUE_NONE. Release with labels_release. */
bool labels_of(Value tokens, Labels *out, Error *err);
void labels_release(Labels *labels);
#define LocalLabels __attribute__((cleanup(labels_release))) Labels

/* The tokens that name `count` queries or keys: a borrowed list, or VALUE_NONE where there are none
 * or their number is another. */
Value query_labels(const Session *session, size_t count);
Value key_labels(const Session *session, size_t count);
/* head < 0: all heads, one table after the other. Entropy and output are always shown of all. */
bool show_weights(Session *session, Run *run, long head, Error *err);
bool show_scores(Session *session, Run *run, long head, Error *err);
bool show_entropy(Session *session, Run *run, long head, Error *err);
bool show_output(Session *session, Run *run, long head, Error *err);
/* Appends a table as the host can show it, with the palette and the digits of the settings where it
 * has none of its own. */
void write_table(const Session *session, Table *table, Text *out);
/* The same for a table whose rows are queries and, if by_key, whose columns are keys: their labels
 * are filled in, too. */
bool write_run_table(Session *session, Table *table, bool by_key, Text *out, Error *err);
/* The table of numbers (queries, heads), with the ceiling of entropies beside it unless that is
 * NULL. A column is called by its head; with one head, `single`. */
bool write_head_columns(Session *session, const Run *run, const double *cells, const char *single,
                        const char *corner, const double *ceiling, Text *out, Error *err);
/* The table of weights of one head, with the entropies beside it if they are wanted. */
bool write_weights(Session *session, const Run *run, size_t head, bool entropies, Text *out,
                   Error *err);
/* Appends lines about what is wrong with the weights of any head, and how many rows see no key: the
 * invariants are checked whenever a table is shown. */
void write_weights_check(const Run *run, int columns, Text *out);

/* The entropy that each query of a head could have: ln n_visible. A new array of doubles. */
double *ceilings_of(const Run *run, size_t head, Error *err);
/* New array of doubles: a copy of `count` numbers of the tensor from `first`. ERR_INTERRUPT. */
double *doubles_of(const Tensor *tensor, size_t first, size_t count, Error *err);
#endif
