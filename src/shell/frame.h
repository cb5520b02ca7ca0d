/* What stands on the screen while a person types: the prompt, the text (of one line or
 * many), and dim lines below it. Layout makes rows of it; paint turns one frame into
 * the next with as few bytes as it can. No terminal is touched: both write to a Text. */
#ifndef ATTN_SHELL_FRAME_H
#define ATTN_SHELL_FRAME_H

#include "base/host.h"
#include "base/text.h"

typedef struct FrameContent {
    const char *prompt;      /* before the first line: "attn> ", or that of a search */
    const char *next_prompt; /* before each further line: "  ... " */
    const char *text;        /* UTF-8; lines end in \n */
    size_t length, point;    /* bytes; point: where the cursor stands */
    size_t marked, marked_end; /* bytes shown in reverse; equal: none */
    const char *below;       /* lines shown below, dim, cut to the width; or NULL */
} FrameContent;

/* Rows of the screen as they are written, escape sequences within; each at most `columns` wide.
 * Where there are more rows than the screen has, those around the cursor. */
typedef struct Frame {
    Text text;           /* the rows, each ended by \n */
    size_t rows;
    size_t cursor_row, cursor_column; /* within the rows */
    size_t end_row;      /* the last row of the text itself, before those below */
} Frame;

void frame_init(Frame *frame);
void frame_release(Frame *frame);
/* Lays out content for a screen. A wide character that does not fit at the right edge goes to the next row; after a full
 * row the cursor stands at the beginning of the next. Controls are shown as ^X, a tab as spaces to the next multiple of 8 of
 * the line; invalid bytes as U+FFFD. Without utf8 every byte of another character is `?`. */
void frame_layout(Frame *frame, const FrameContent *content, int columns, int rows, ColorDepth color, bool utf8);
/* Appends what turns `old` (the cursor where it left it; without rows: the cursor stands at the beginning of a free row) into `now`. */
void frame_paint(const Frame *old, const Frame *now, Text *out);

#endif
