/* The commands help and apropos. */
#ifndef ATTN_SHELL_HELP_H
#define ATTN_SHELL_HELP_H

#include "session/session.h"

extern const CommandDef help_commands[];

#endif
