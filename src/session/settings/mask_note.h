/* Notes that a mask of numbers is all 0 and 1: numbers are added to the scores, so that it hides
 * nothing. */
#ifndef ATTN_SESSION_MASK_NOTE_H
#define ATTN_SESSION_MASK_NOTE_H

#include "session/session.h"

/* Appends the line to type instead, "to hide where it is 0: set mask (L == 1)". mask: what the
 * mask of the settings is now. typed: the text of an unnamed array, which is otherwise
 * written out, or called M if it is large; may be NULL. Returns false, and appends nothing, when no
 * array is such a one. */
bool mask_note_remedy(const Settings *settings, const MaskSpec *mask, const char *typed, Text *out);

/* Tells it in a note. */
void mask_note(Session *session, const Settings *settings, const char *typed);

#endif
