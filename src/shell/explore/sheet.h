/* A screen full of text before it is drawn: pieces of text, each with its position and style. What
 * is put beside the sheet is cut, so nothing that is drawn can leave the screen. */
#ifndef ATTN_SHELL_SHEET_H
#define ATTN_SHELL_SHEET_H

#include "base/text.h"

enum { INK_PLAIN = 0, INK_BOLD = 1, INK_FAINT = 2, INK_REVERSE = 4, INK_ALARM = 8 };

typedef enum SheetGround { GROUND_OWN, GROUND_SHADE, GROUND_ABSENT } SheetGround;

typedef struct SheetStyle {
    int ink;            /* INK_... together */
    SheetGround ground; /* the terminal's own, of the palette, or that of what is not there */
    double shade;       /* in [0, 1], of the palette */
    bool right;         /* a text that is narrower than its width is padded in front */
} SheetStyle;

static const SheetStyle style_plain = {.ink = INK_PLAIN}, style_bold = {.ink = INK_BOLD},
                        style_faint = {.ink = INK_FAINT},
                        style_selected = {.ink = INK_BOLD | INK_REVERSE},
                        style_alarm = {.ink = INK_ALARM | INK_BOLD};
static inline SheetStyle style_right(SheetStyle style) {
    style.right = true;
    return style;
}

typedef struct SheetPiece {
    size_t row, column, width;
    size_t begin, length; /* in text: its bytes, exactly `width` columns of them */
    SheetStyle style;
} SheetPiece;

typedef struct Sheet {
    size_t rows, columns;
    size_t cursor_row, cursor_column; /* the point of interest: a screen reader begins there */
    bool utf8;                        /* else all is ASCII */
    bool colored;                     /* shades are seen */
    Text text;                        /* of the pieces; its `failed` says that memory ran out */
    SheetPiece *pieces;               /* later ones cover earlier ones */
    size_t count, capacity;
    Text clean, plain; /* being put together */
    Text line;         /* for whoever puts a text together; sheet_put_line puts it */
} Sheet;

void sheet_init(Sheet *sheet, bool utf8, bool colored);
void sheet_release(Sheet *sheet);
void sheet_clear(Sheet *sheet, size_t rows, size_t columns);

/* The columns that a text takes here. */
size_t sheet_width(Sheet *sheet, const char *text);
/* Puts a text, cut to and padded to exactly `width` columns. What cannot be shown is made harmless;
 * NULL is empty. */
void sheet_put(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style,
               const char *text);
/* The same for sheet->line, which is then empty. */
void sheet_put_line(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style);
/* Puts the lines of a text into the rows from `row` on, as far as they go before `end`. Returns the
 * row behind them. */
size_t sheet_put_lines(Sheet *sheet, size_t row, size_t end, const Text *lines, SheetStyle style);
/* The first two for words of the program's, which are put in the person's language. */
void sheet_say(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style,
               const char *words);
void sheet_say_line(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style);
/* A bar that fills `fraction` of the width, to the eighth of a column where there is UTF-8. */
void sheet_put_bar(Sheet *sheet, size_t row, size_t column, size_t width, double fraction);
/* The mark before a selected row. */
const char *sheet_mark(const Sheet *sheet);

#endif
