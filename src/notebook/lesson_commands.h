/* The commands of lessons, which the shell gives to a session. */
#ifndef ATTN_NOTEBOOK_LESSON_COMMANDS_H
#define ATTN_NOTEBOOK_LESSON_COMMANDS_H

#include "notebook/player.h"

extern const CommandDef lesson_commands[]; /* lessons lesson next back hint check ... */

/* Shows the lessons with what was done in them. */
bool lessons_show(Session *session, Error *err);

#endif
