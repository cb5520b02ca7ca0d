/* The texts in which the program explains itself: the commands help and apropos, the banner, and
 * the output of --manual, --reference and --version. */
#ifndef ATTN_SHELL_HELP_H
#define ATTN_SHELL_HELP_H

#include "session/session.h"

extern const CommandDef help_commands[];

/* Writes the banner: at most four lines at any width from 40. */
void welcome_write(Host *host);

void manual_write(const Session *session, Text *out);    /* --manual: the manual page, in roff */
void reference_write(const Session *session, Text *out); /* --reference: in Markdown */

/* Writes the version of the program, and which optional parts it has. */
void version_write(Text *text);

#endif
