/* explore: the steps to the selected weight, which why shows too, in a few short lines. */
#ifndef ATTN_SHELL_EXPLORE_WORKING_H
#define ATTN_SHELL_EXPLORE_WORKING_H

#include "session/explain/derivation.h"

enum { WORKING_LINES_MOST = 16 };

typedef struct WorkingLine {
    size_t begin, length; /* in text, followed by a zero byte */
    int rank;             /* 0: it stays as long as any; else the highest is dropped first */
} WorkingLine;

typedef struct WorkingLines {
    Text text;
    WorkingLine lines[WORKING_LINES_MOST];
    size_t count;
} WorkingLines;

/* Writes at most `most` lines, those of the lowest ranks, in their order; of at most `columns`
 * where a shorter form allows it. */
void working_lines_write(WorkingLines *lines, const Derivation *derivation, size_t key, int digits,
                         size_t columns, size_t most);
void working_lines_release(WorkingLines *lines);

#endif
