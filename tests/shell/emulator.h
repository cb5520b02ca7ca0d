/* A terminal of a few lines: enough to see what a frame's escape sequences come to. */
#ifndef ATTN_TESTS_SHELL_EMULATOR_H
#define ATTN_TESTS_SHELL_EMULATOR_H

#include <stdbool.h>
#include <stddef.h>

enum { EMULATOR_COLUMNS = 128, EMULATOR_ROWS = 64, CELL_BYTES = 32 };

typedef struct Cell {
    char bytes[CELL_BYTES]; /* a character and its marks; "" is blank */
    char style;             /* 'r'everse, 'd'im or 0 */
    bool behind;            /* the right half of a wide character */
} Cell;

typedef struct Emulator {
    int columns, rows;
    int row, column;      /* column == columns: behind a full row */
    bool newline_returns; /* \n also goes to column 0, as where the terminal driver makes \r\n of it
                           */
    bool stays_on_last; /* movement from behind a full row begins at its last column; otherwise past
                           it */
    char style;
    int wrapped; /* characters that ran over the right edge */
    int beyond;  /* movements that ran over an edge, sequences that are not known */
    Cell cells[EMULATOR_ROWS][EMULATOR_COLUMNS];
} Emulator;

void emulator_init(Emulator *emulator, int columns, int rows);
void emulator_feed(Emulator *emulator, const char *bytes, size_t length);
bool emulator_row_is_blank(const Emulator *emulator, int row);

#endif
