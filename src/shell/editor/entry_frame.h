/* The frame on the screen while a person types an entry: the prompt, the text (of one line or
 * many), and dim lines below it. Layout makes rows of these; update turns one frame into the next
 * with as few bytes as it can. Nothing here touches a terminal: all is written to a Text. */
#ifndef ATTN_SHELL_ENTRY_FRAME_H
#define ATTN_SHELL_ENTRY_FRAME_H

#include "base/host.h"
#include "base/text.h"

typedef struct EntryContent {
    const char *prompt; /* before the first line; what is between \001 and \002 in it is skipped, as
                           readline does */
    const char *next_prompt;   /* before each further line */
    const char *text;          /* UTF-8; lines end in \n */
    size_t length, point;      /* in bytes; point: the offset of the cursor */
    size_t marked, marked_end; /* bytes shown in reverse; equal: none */
    const char *below;         /* lines shown below, dim, cut to the width; or NULL */
} EntryContent;

/* Rows as they are written, escape sequences included; each at most as wide as the screen. If there
 * are more rows than the screen has, the frame holds those around the cursor; the lines below give
 * way first. */
typedef struct EntryFrame {
    Text text;                        /* the rows, each ended by \n */
    size_t rows;                      /* at least 1 after layout; 0: nothing is on the screen */
    size_t cursor_row, cursor_column; /* within the rows */
    size_t end_row;                   /* the last row of the entry itself, before those below */
} EntryFrame;

void entry_frame_init(EntryFrame *frame);
void entry_frame_release(EntryFrame *frame);

/* Lays out content for a screen. A wide character that does not fit at the right edge moves to the
 * next row; if the cursor is behind a full row, it gets an empty row. Control characters are shown
 * as ^X, a tab as spaces to the next multiple of 8 of the line; invalid bytes, and characters that
 * cannot be seen or would not combine, as U+FFFD. Without utf8 each byte of any other character is
 * `?`. text.failed says if memory ran out. */
void entry_frame_layout(EntryFrame *frame, const EntryContent *content, int columns, int rows,
                        ColorDepth color, bool utf8);

/* Appends the bytes that turn `old` (with the cursor where it left it) into `now`. If old has no
 * rows, the cursor must be in a free row, and what is below on the screen is cleared. */
void entry_frame_update(const EntryFrame *old, const EntryFrame *now, Text *out);
/* Rows above the cursor once the terminal has broken the rows at a new width, as most do. */
size_t entry_frame_rows_above(const EntryFrame *frame, size_t columns);
/* Appends what leaves the frame: clears the rows below the entry and puts the cursor at the
 * beginning of the row after it. */
void entry_frame_leave(const EntryFrame *frame, Text *out);

#endif
