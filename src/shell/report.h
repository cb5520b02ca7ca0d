/* Shows an error: the source line with a caret, then kind, cause and remedy. */
#ifndef ATTN_SHELL_REPORT_H
#define ATTN_SHELL_REPORT_H

#include "session/session.h"

/* Shows it on stderr, as wide as the screen. typed: the line that was typed at the prompt right
 * above, below which only the caret is shown; or NULL. */
void report_error(const Session *session, const Error *error, const char *typed);

#endif
