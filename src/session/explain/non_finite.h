/* Inputs of a run that are nan or infinite, and what they do to its rows. */
#ifndef ATTN_SESSION_NON_FINITE_H
#define ATTN_SESSION_NON_FINITE_H

#include "session/bench/session_state.h"

/* Appends a sentence that names the first such number of the inputs, or says that finite ones led
 * there, and the queries whose weights or outputs are not finite. Nothing when all are finite. */
bool non_finite_write(Session *session, const Run *run, Text *out, Error *err);

#endif
