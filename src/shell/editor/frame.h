/* What stands on the screen while a person types: the prompt, the text (of one line or
 * many), and dim lines below it. Layout makes rows of it; paint turns one frame into
 * the next with as few bytes as it can. No terminal is touched: all write to a Text. */
#ifndef ATTN_SHELL_FRAME_H
#define ATTN_SHELL_FRAME_H

#include "base/host.h"
#include "base/text.h"

typedef struct FrameContent {
    const char *prompt; /* before the first line: "attn> ", or that of a search; \001 … \002 in it
                           is passed over */
    const char *next_prompt;   /* before each further line: "  ... " */
    const char *text;          /* UTF-8; lines end in \n */
    size_t length, point;      /* bytes; point: where the cursor stands */
    size_t marked, marked_end; /* bytes shown in reverse; equal: none */
    const char *below;         /* lines shown below, dim, cut to the width; or NULL */
} FrameContent;

/* Rows of the screen as they are written, escape sequences within; each at most `columns` wide.
 * Where there are more rows than the screen has, those around the cursor; the lines below give way
 * first. */
typedef struct Frame {
    Text text;                        /* the rows, each ended by \n */
    size_t rows;                      /* at least 1 after layout; 0: nothing stands on the screen */
    size_t cursor_row, cursor_column; /* within the rows */
    size_t end_row;                   /* the last row of the text itself, before those below */
} Frame;

void frame_init(Frame *frame);
void frame_release(Frame *frame);
/* Lays out content for a screen. A wide character that does not fit at the right edge goes to the
 * next row; where the cursor stands behind a full row, an empty row follows for it. Controls are
 * shown as ^X, a tab as spaces to the next multiple of 8 of the line; invalid bytes, and characters
 * that cannot be seen or would not combine, as U+FFFD. Without utf8 every byte of another character
 * is `?`. When memory runs out text.failed says so. */
void frame_layout(Frame *frame, const FrameContent *content, int columns, int rows,
                  ColorDepth color, bool utf8);
/* Appends what turns `old` (the cursor where it left it) into `now`. Where old has no rows the
 * cursor stands at the beginning of a free row, and what is below it on the screen is cleared. */
void frame_paint(const Frame *old, const Frame *now, Text *out);
/* Rows that stand above the cursor once the terminal has cut the rows to a new width, as most do.
 */
size_t frame_rows_above(const Frame *frame, size_t columns);
/* Appends what leaves the frame: the rows below the text are cleared, the cursor stands at the
 * beginning of the row after it. */
void frame_leave(const Frame *frame, Text *out);

#endif
