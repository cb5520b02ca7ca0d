/* Which setting mends what was found of a run: candidates are tried on the inputs of the bench, so
 * that what is named does what is said of it. */
#ifndef ATTN_SESSION_MEND_H
#define ATTN_SESSION_MEND_H

#include "session/explain/judge.h"

/* Appends the line to type, "set scale 0.25", after which `finding` (one of FOUND_...) is gone; of
 * several the first that leaves nothing else either. Nothing when no setting does it. */
bool mend_write(struct Session *session, const Judged *judged, unsigned finding, Text *out,
                Error *err);

#endif
