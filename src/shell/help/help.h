/* help: the overview, and one page for each function, command and setting, all
 * made from the tables that run them. */
#ifndef ATTN_SHELL_HELP_H
#define ATTN_SHELL_HELP_H

#include "session/session.h"

extern const CommandDef help_commands[];

/* A word that means something to attn: a command, builtin, setting, or variable. */
bool help_is_name(const Session *session, const char *word);
/* The reference: every command, setting and function, in Markdown. */
void help_write_reference(const Session *session, Text *out);

#endif
