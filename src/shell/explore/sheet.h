/* A screen full of text before it is drawn: pieces of text, each with its place and style. What is
 * put beside the sheet is cut, so nothing that is drawn can leave the screen. */
#ifndef ATTN_SHELL_SHEET_H
#define ATTN_SHELL_SHEET_H

#include "base/text.h"

enum { INK_PLAIN = 0, INK_BOLD = 1, INK_FAINT = 2, INK_REVERSE = 4, INK_ALARM = 8 };

typedef enum SheetGround { GROUND_OWN, GROUND_SHADE, GROUND_ABSENT } SheetGround;

typedef struct SheetStyle {
    int ink;            /* INK_... together */
    SheetGround ground; /* the terminal's own, of the palette, or that of what is not there */
    double shade;       /* in [0, 1], of the palette */
} SheetStyle;

typedef struct SheetPiece {
    size_t row, column, width;
    size_t begin, length; /* in text: its bytes, exactly `width` columns of them */
    SheetStyle style;
} SheetPiece;

typedef struct Sheet {
    size_t rows, columns;
    size_t cursor_row,
        cursor_column;  /* where one looks: what reads the screen aloud begins there */
    bool utf8;          /* else all is ASCII */
    bool colored;       /* shades are seen */
    Text text;          /* of the pieces; its `failed` says that memory ran out */
    SheetPiece *pieces; /* later ones cover earlier ones */
    size_t count, capacity;
    Text clean, plain; /* being put together */
} Sheet;

void sheet_init(Sheet *sheet, bool utf8, bool colored);
void sheet_release(Sheet *sheet);
void sheet_clear(Sheet *sheet, size_t rows, size_t columns);

/* How many columns a text takes here. */
size_t sheet_width(Sheet *sheet, const char *text);
/* Puts a text, cut to and padded to exactly `width` columns (right: padded in front). What cannot
 * be shown is made harmless; NULL is empty. */
void sheet_put(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style,
               const char *text, bool right);
/* The same for a text that is being made; it is cleared. */
void sheet_put_text(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style,
                    Text *text, bool right);
/* A bar that fills `fraction` of the width, to the eighth of a column where there is UTF-8. */
void sheet_put_bar(Sheet *sheet, size_t row, size_t column, size_t width, SheetStyle style,
                   double fraction);

#endif
