/* What a terminal gets that does not read UTF-8: × as x, √d_k as sqrt d_k, τ as tau. */
#ifndef ATTN_SHELL_ASCII_H
#define ATTN_SHELL_ASCII_H

#include "base/text.h"

/* Appends `text` in ASCII; what has no twin is a `?`. keep_width: each character takes
 * as many columns as it has, so that what stands below it stays below it. */
void ascii_write(Text *out, const char *text, size_t length, bool keep_width);
/* The same for whole lines: one that fitted into `columns` and no longer does is broken at a space.
 */
void ascii_write_lines(Text *out, const char *text, size_t length, size_t columns);

#endif
