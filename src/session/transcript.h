/* The transcript of a session: the entries that ran, as the cells of a notebook. */
#ifndef ATTN_SESSION_TRANSCRIPT_H
#define ATTN_SESSION_TRANSCRIPT_H

#include "base/text.h"

typedef struct Transcript {
    Text cells;
    bool skip; /* the running entry only saves the session and is left out */
} Transcript;

void transcript_init(Transcript *transcript);
void transcript_release(Transcript *transcript);
/* Adds an entry as a cell. An entry that was interrupted (whole is false) is kept as text that does
 * not run. */
void transcript_add(Transcript *transcript, const char *entry, size_t length, bool whole);

#endif
