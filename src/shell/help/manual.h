/* Everything that has a page of help, as one document. */
#ifndef ATTN_SHELL_MANUAL_H
#define ATTN_SHELL_MANUAL_H

#include "session/session.h"

void manual_write(const Session *session, Text *out);    /* --manual: the manual page, in roff */
void reference_write(const Session *session, Text *out); /* --reference: in Markdown */

#endif
