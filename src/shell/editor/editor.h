/* The line editor: reads one entry, of one line or many, at a terminal. With readline it has
 * editing, history and completion; without it (not built in, or TERM=dumb) the terminal itself
 * edits each line. */
#ifndef ATTN_SHELL_EDITOR_H
#define ATTN_SHELL_EDITOR_H

#include "session/session.h"

#include <stdio.h>

typedef enum ReadStatus { READ_ENTRY, READ_INTERRUPTED, READ_END } ReadStatus;

/* There is one editor, between open and close. session: borrowed. */
void editor_open(Session *session, bool keep_history);
void editor_close(void);
/* Reads until an entry is whole or wrong; each of its lines ends with \n. READ_INTERRUPTED: Ctrl-C
 * dropped it. `lines_follow` is for parse: false for what was pasted or recalled as it is, in which
 * an empty line ends no block. */
ReadStatus editor_read(Text *entry, bool *lines_follow);
/* True if keys were typed that no entry has read. */
bool editor_has_keys(void);
/* Drops the keys that were typed ahead, as a terminal does at Ctrl-C. */
void editor_forget_keys(void);
/* Sets the text before the first line of each entry; copied, cut where it is long. */
void editor_set_prompt(const char *prompt);
/* The columns before the first line of an entry. */
int editor_prompt_width(void);

/* The version of readline; NULL: built without it. */
const char *editor_readline(void);

/* Drives the editor in tests, after editor_open: keys come from `keys` (borrowed; byte 3 is a
 * Ctrl-C), whose end is the end of the input, and what would be shown is written to `out`, for the
 * size of the session's host. False: built without readline. */
bool editor_drive(const char *keys, size_t length, FILE *out);

#endif
