/* The transcript of a session: the entries that ran, as the cells of a notebook. */
#ifndef ATTN_SESSION_TRANSCRIPT_H
#define ATTN_SESSION_TRANSCRIPT_H

#include "base/text.h"

typedef struct Transcript {
    Text cells;
    bool skip; /* the running entry is none of it: it only saves the session */
} Transcript;

void transcript_init(Transcript *transcript);
void transcript_release(Transcript *transcript);
/* Adds an entry. `whole` false: it was interrupted, so it stands there but does not run again. */
void transcript_add(Transcript *transcript, const char *entry, size_t length, bool whole);

#endif
