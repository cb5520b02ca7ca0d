/* A line in the writing of Octave, of paper or of Chinese, in the writing of this language. */
#ifndef ATTN_LANG_REWRITE_H
#define ATTN_LANG_REWRITE_H

#include "lang/interp.h"

/* Appends the line as it should be. False when nothing in it is foreign, or when what is foreign
 * cannot be rewritten; `out` is then of no use. Variables decide what A(1) is. unread: the line
 * could not be parsed, so that its full-width signs are foreign too. */
bool rewrite_line(const Interp *interp, const char *line, size_t length, bool unread, Text *out);

/* Makes the rewritten line of the error the hint, where that line parses. */
void rewrite_hint(Interp *interp, Error *err);

#endif
