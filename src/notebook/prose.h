/* The prose of a document as a terminal shows it. */
#ifndef ATTN_NOTEBOOK_PROSE_H
#define ATTN_NOTEBOOK_PROSE_H

#include "base/host.h"
#include "notebook/document.h"

#include <stdint.h>

/* Appends one block, with an empty line after it, in lines of the host's width, at most 100
 * columns; code alone is not broken into lines. Without colour the marks of Markdown stand for bold
 * text and code. Comments and other HTML are left out, and so are control characters. */
void prose_write(Text *out, const Host *host, const DocNode *block);

/* Appends the words of a node and its parts in one line, without any marks. */
void prose_plain(Text *out, const DocNode *node);

/* Appends the words of an option, "the mean -- as all weights are equal", and the reason behind the
 * dashes; either may be NULL. False: it has no reason. */
bool prose_option(const DocNode *item, Text *words, Text *reason);

/* Appends lines behind `first`, and further ones behind `rest`, or where that is NULL behind as
 * many blanks; an empty line gets none. The lines are released. */
void prose_write_behind(Text *out, Text *lines, const char *first, const char *rest);

/* The end of a line of the source is a space for the reader, but none within Chinese text. before:
 * the last character in front of it. */
bool prose_break_is_space(uint32_t before, const DocNode *soft_break);

#endif
