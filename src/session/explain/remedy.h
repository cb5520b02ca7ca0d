/* Which setting puts right what was found of a run. Candidates are tried on the inputs of the
 * bench, so that what is named does what is said of it. */
#ifndef ATTN_SESSION_REMEDY_H
#define ATTN_SESSION_REMEDY_H

#include "session/explain/findings.h"

/* Appends the line to type, "set scale 0.25", after which `found` (one of FOUND_...) is gone; of
 * several the first that leaves nothing else either. Appends nothing when no setting does it. */
bool remedy_write(struct Session *session, const Findings *findings, unsigned found, Text *out,
                  Error *err);

#endif
