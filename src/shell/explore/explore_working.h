/* explore: how the selected weight comes about, as why has it, in a few short lines. */
#ifndef ATTN_SHELL_EXPLORE_WORKING_H
#define ATTN_SHELL_EXPLORE_WORKING_H

#include "session/explain/derivation.h"

enum { WORKING_LINES_MOST = 16 };

typedef struct WorkingLine {
    size_t begin, length; /* in text, followed by a zero byte */
    int rank;             /* 0: always there; else the first to go is the highest */
} WorkingLine;

typedef struct WorkingLines {
    Text text;
    WorkingLine lines[WORKING_LINES_MOST];
    size_t count;
} WorkingLines;

/* Lines of at most `columns` where a shorter form allows it: those of the least rank, in order, no
 * more than `most`. */
void working_lines_write(WorkingLines *lines, const Derivation *derivation, size_t key, int digits,
                         size_t columns, size_t most);
void working_lines_release(WorkingLines *lines);

#endif
