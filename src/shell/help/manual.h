/* --manual: the manual page, in roff, from the tables. */
#ifndef ATTN_SHELL_MANUAL_H
#define ATTN_SHELL_MANUAL_H

#include "session/session.h"

void manual_write(const Session *session, Text *out);

#endif
