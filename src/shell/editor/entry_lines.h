/* An entry as lines: where they begin and end, how they are indented. Offsets are bytes. */
#ifndef ATTN_SHELL_ENTRY_LINES_H
#define ATTN_SHELL_ENTRY_LINES_H

#include "base/error.h"

enum { INDENT = 4 };

/* Replaces `line` by the one above (below) it. False: there is none. */
bool line_above(const char *text, size_t length, Span *line);
bool line_below(const char *text, size_t length, Span *line);

/* The number of blanks that the text begins with. */
size_t line_blanks(const char *text, size_t length);
bool line_is_blank(const char *text, size_t length);
/* The columns to indent the line that follows the text: as its last line, more behind a `:`; none
 * within a string. */
size_t line_next_indent(const char *text, size_t length);
/* The number of blanks that `line` should begin with: an else, elif or except that still has the
 * indentation of the block belongs below what it continues. Any other line should stay as it is. */
size_t line_clause_indent(const char *text, size_t length, Span line);

#endif
