/* The checks of an exercise, over what the session holds. */
#ifndef ATTN_NOTEBOOK_EXERCISE_H
#define ATTN_NOTEBOOK_EXERCISE_H

#include "notebook/document.h"
#include "session/session.h"

/* Runs the exercise's checks, one after the other; the first that fails is the error, with its
 * place in the document. In a check the name of a builtin means the builtin, but where the solution
 * makes something of that name. What the checks do to the session stays: to be called between
 * session_begin_trial and session_end_trial. */
bool exercise_run_checks(Session *session, const Document *document, int exercise, Error *err);

/* The same on a copy of the session, and what the checks write is not shown. */
bool exercise_passes(Session *session, const Document *document, int exercise, Error *err);

#endif
