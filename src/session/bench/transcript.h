/* The transcript of a session: the entries that ran, as the cells of a notebook, each with what it
 * showed in blocks marked `attn output`. */
#ifndef ATTN_SESSION_TRANSCRIPT_H
#define ATTN_SESSION_TRANSCRIPT_H

#include "base/text.h"

typedef struct Transcript {
    Text cells;
    Text shown;   /* by the running entry, since its last picture; may hold colours */
    Text outputs; /* of the running entry: blocks */
    Text *lines;  /* also gets the entries that changed the session, as they were typed; or NULL */
    bool skip;    /* the running entry only saves the session and is left out */
} Transcript;

/* Appends a fenced block: `info` behind its opening fence, which is longer than any in the text; a
 * newline at its end. indent: the text before each of its lines. */
void transcript_write_block(Text *out, const char *indent, const char *info, const char *text,
                            size_t length);

/* Appends the words of a picture for behind a fence: on one line, without backticks, and not to be
 * read as Markdown. */
void transcript_write_words(Text *out, const char *words);

void transcript_init(Transcript *transcript);
void transcript_release(Transcript *transcript);
/* An entry begins: nothing was shown yet. */
void transcript_begin(Transcript *transcript);
/* Adds a picture to what the entry shows: its words, and as text. */
void transcript_add_picture(Transcript *transcript, const char *words, const Text *picture);
/* Adds an entry as a cell, with its outputs. An entry that was interrupted (whole is false) is kept
 * as text that does not run. */
void transcript_add(Transcript *transcript, const char *entry, size_t length, bool whole);
/* Hands an entry on to `lines`, where these are wanted. */
void transcript_hand_on(Transcript *transcript, const char *entry, size_t length);

#endif
