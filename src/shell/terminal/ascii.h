/* Text for a terminal that does not read UTF-8: × becomes x, √d_k sqrt d_k, τ tau. */
#ifndef ATTN_SHELL_ASCII_H
#define ATTN_SHELL_ASCII_H

#include "base/text.h"

/* Appends `text` in ASCII; a character that has no equivalent becomes `?`. keep_width: each
 * character keeps its number of columns, so that what is below it stays below it. */
void ascii_write(Text *out, const char *text, size_t length, bool keep_width);
/* Appends whole lines in ASCII. A line that fitted into `columns` and no longer does is broken at a
 * space. */
void ascii_write_lines(Text *out, const char *text, size_t length, size_t columns);

#endif
