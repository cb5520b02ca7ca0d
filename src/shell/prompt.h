/* The prompt: reads entries from a person, line by line. */
#ifndef ATTN_SHELL_PROMPT_H
#define ATTN_SHELL_PROMPT_H

#include "session/session.h"

/* Until exit or the end of input. */
void prompt_run(Session *session, bool banner);

#endif
