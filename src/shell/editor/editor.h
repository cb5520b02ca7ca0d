/* The line editor: reads one entry, of one line or many, at a terminal. */
#ifndef ATTN_SHELL_EDITOR_H
#define ATTN_SHELL_EDITOR_H

#include "base/text.h"

#include <stdio.h>

/* Of session/session.h, whose names clash with readline's: the editor asks it through
 * editor_language.h. */
typedef struct Session Session;

typedef enum ReadStatus { READ_ENTRY, READ_INTERRUPTED, READ_END } ReadStatus;

/* With readline: editing, history, completion. Without it (not built in, TERM=dumb): a plain reader
 * of lines. */
void editor_open(Session *session, bool keep_history);
void editor_close(void);
/* Reads until an entry is whole or a mistake; each of its lines ends with \n. READ_INTERRUPTED:
 * Ctrl-C dropped it. `lines_follow` as for parse: false for what was pasted or recalled as it
 * stands, where an empty line ends no block. */
ReadStatus editor_read(Text *entry, bool *lines_follow);
/* Forgets what was typed ahead, as a terminal does at Ctrl-C. */
void editor_forget_keys(void);
/* Columns that stand before the first line of an entry. */
int editor_prompt_width(void);

/* Tests, after editor_open: keys come from `keys` (borrowed; byte 3 is a Ctrl-C) and their end is
 * the end of the input; each key is painted to `out` for the size that the session's host has.
 * False: there is no editing. */
bool editor_drive(const char *keys, size_t length, FILE *out);

#endif
