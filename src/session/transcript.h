/* The transcript of a session: the entries that ran, as the cells of a notebook. */
#ifndef ATTN_SESSION_TRANSCRIPT_H
#define ATTN_SESSION_TRANSCRIPT_H

#include "base/text.h"

typedef struct Transcript {
    Text cells;
    bool skip; /* the running entry only saves the session and is left out */
} Transcript;

/* Appends a fenced block: `info` behind its opening fence, which is longer than any in the text; a
 * newline at its end. indent: what stands before each of its lines. */
void transcript_write_block(Text *out, const char *indent, const char *info, const char *text,
                            size_t length);

void transcript_init(Transcript *transcript);
void transcript_release(Transcript *transcript);
/* Adds an entry as a cell. An entry that was interrupted (whole is false) is kept as text that does
 * not run. */
void transcript_add(Transcript *transcript, const char *entry, size_t length, bool whole);

#endif
