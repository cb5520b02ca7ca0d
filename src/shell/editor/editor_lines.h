/* An entry as lines: where they begin and end, how they are indented. Offsets are bytes. */
#ifndef ATTN_SHELL_EDITOR_LINES_H
#define ATTN_SHELL_EDITOR_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum { INDENT = 4 };

typedef struct Line {
    size_t begin, end; /* without its \n */
} Line;

Line line_at(const char *text, size_t length, size_t point);
/* The line above (below) `line`. False: there is none. */
bool line_above(const char *text, size_t length, Line *line);
bool line_below(const char *text, size_t length, Line *line);

/* Blanks that `text` begins with. */
size_t line_blanks(const char *text, size_t length);
bool line_is_blank(const char *text, size_t length);
/* Columns of the indentation of the line that follows the text: that of its last line, more after a
 * `:`; within a string none. */
size_t line_next_indent(const char *text, size_t length);
/* Blanks that `line` should begin with: an else, elif or except that still stands where the lines
 * of the block do belongs below what it goes on from. Any other line: those that it has. */
size_t line_clause_indent(const char *text, size_t length, Line line);

#endif
