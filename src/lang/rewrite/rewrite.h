/* Rewrites a line in the writing of Octave, of paper or of Chinese in that of this language. */
#ifndef ATTN_LANG_REWRITE_H
#define ATTN_LANG_REWRITE_H

#include "lang/interp.h"

/* Makes a line the hint of the error, behind an opening ("write "), unless it fails where it is
 * typed, as far as a trial sees that: then false, and the hint stays. */
bool propose(Interp *interp, Error *err, const char *opening, const char *line);

/* Proposes a line as rewriting has it, or as it is where nothing in it is foreign. */
void propose_rewritten(Interp *interp, Error *err, const char *text);

/* Makes the rewritten line of the error the hint, where that line parses. script: the text around
 * it, where nothing of it has run; or NULL. */
void rewrite_hint(Interp *interp, Error *err, const char *script);

#endif
