/* Chooses inputs, runs attention over them, and says what a change did to the result. */
#ifndef ATTN_SESSION_ATTEND_H
#define ATTN_SESSION_ATTEND_H

#include "session/bench/session_state.h"

/* Runs attention over the inputs, whose trace is computed then or when it is read. ERR_NAME for an
 * input that does not exist, ERR_TYPE for one that is no matrix, ERR_SHAPE for ones that do not
 * fit. NULL on failure. */
Run *bench_run(Session *session, const Inputs *inputs, const Settings *settings, RunTrace trace,
               Error *err);

/* Chooses the inputs that a bare attend takes, unless inputs were named before. ERR_NAME: there are
 * none. */
bool session_find_inputs(Session *session, Error *err);

/* Makes sure that there is a run with the settings of now: where there is none, attends as a bare
 * attend does, showing nothing. */
bool session_need_run(Session *session, Error *err);

/* Shows the run on the bench as attend does: a heading, weights with entropies, the output. */
bool session_show_run(Session *session, Error *err);

/* Computes the result anew after a setting or an input changed, and says in one line what that did
 * to it. Does nothing when nothing was attended to yet. `what` begins the line: "temperature 1 →
 * 0.25"; `all`, unless it is NULL, where the inputs fit: all that changed since the result before.
 */
bool session_answer(Session *session, const char *what, const char *all, bool quiet, Error *err);

/* ---- the vectors that attend makes from the tokens ----
 *
 * X, and Y where the keys have tokens of their own. The bench keeps what it made (Inputs.made), so
 * that it knows its own X from one of a person's: its own follows the tokens, the person's does
 * not. */

/* Notes that rows are numbered because there are more or fewer tokens than rows, and what mends it.
 * Returns false if the tokens fit. */
bool note_labels(Session *session, const Run *run);

/* Says once a session that learned positions are random numbers, where these settings have them. */
void embedding_note_positions(Session *session, const Settings *settings);

/* True if a bare attend no longer takes the X that attend made itself, since Q, K and V have all
 * been assigned after it. */
bool embedding_gives_way(const Session *session);

/* Sets X, and Y unless the person has one, to vectors of the tokens, which are there. A note says
 * so. */
bool embedding_make(Session *session, Error *err);

/* Follows `set tokens` or `unset tokens`: makes X and Y again if attend made them; says of vectors
 * that a person made that they are the old ones, with the line that makes new ones. labelled: other
 * tokens were beside the vectors before, so Q, K and V may have been made for them. */
bool embedding_follow(Session *session, const CommandCall *call, bool labelled, Error *err);

#endif
