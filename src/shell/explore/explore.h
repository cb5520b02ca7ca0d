/* explore: the bench on the full screen, where keys change the settings and the weights follow at
 * once. */
#ifndef ATTN_SHELL_EXPLORE_H
#define ATTN_SHELL_EXPLORE_H

#include "session/session.h"

extern const CommandDef explore_commands[];

#endif
