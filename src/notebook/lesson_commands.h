/* The commands of lessons, which the shell gives to a session. */
#ifndef ATTN_NOTEBOOK_LESSON_COMMANDS_H
#define ATTN_NOTEBOOK_LESSON_COMMANDS_H

#include "notebook/player.h"

extern const CommandDef lesson_commands[]; /* lessons lesson next back hint check ... */

/* Opens a lesson: session->player becomes it, in the place of one that was open. what: its number
 * or id, or the path of a document that ends in .md; NULL: the one that was read last, else the
 * first. ERR_NAME, ERR_FILE, and what document_parse says. */
bool lesson_open(Session *session, const char *what, ReportError *report, Error *err);

/* Shows the lessons with what was done in them. */
bool lessons_show(Session *session, Error *err);

#endif
