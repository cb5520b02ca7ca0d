/* Which variables of the person's own are in the way of a lesson's cell or check. */
#ifndef ATTN_NOTEBOOK_CAUSES_H
#define ATTN_NOTEBOOK_CAUSES_H

#include "notebook/progress.h"
#include "base/language.h"
#include "session/session.h"

/* Appends "your K is 3×2, your z is a string" for what the person has made among the names in
 * the line where an error came up; functions only where that is wanted. Returns how many they are.
 */
int causes_write(Text *out, Session *session, const Document *document, const Progress *progress,
                 Language language, const Error *problem, bool functions);

#endif
