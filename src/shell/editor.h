/* The line editor: reads one entry, of one line or many, at a terminal. */
#ifndef ATTN_SHELL_EDITOR_H
#define ATTN_SHELL_EDITOR_H

#include "session/session.h"

typedef enum ReadStatus { READ_ENTRY, READ_INTERRUPTED, READ_END } ReadStatus;

/* With readline: editing, history, completion. Without it (not built in, TERM=dumb): a plain reader of lines. */
void editor_open(Session *session, bool keep_history);
void editor_close(void);
/* Reads until an entry is whole or a mistake. READ_INTERRUPTED: Ctrl-C dropped it. `lines_follow` as for parse: false for what was
 * pasted or recalled as it stands, where an empty line ends no block. */
ReadStatus editor_read(Text *entry, bool *lines_follow);
bool editor_has_editing(void); /* readline is built in */
/* Columns that stand before the first line of an entry. */
int editor_prompt_width(void);

#endif
