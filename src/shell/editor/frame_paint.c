#include "shell/editor/frame.h"

#include "base/utf8.h"

#include <string.h>

/* A character with the marks on it, or an escape sequence: the smallest piece that can be written
 * alone. */
typedef struct Piece {
    size_t length, width;
    bool styles, plain; /* an escape sequence; that which ends the others */
} Piece;

static Piece take_sequence(TextLine row, size_t at) {
    const char *begin = row.bytes + at, *end = memchr(begin, 'm', row.length - at);
    size_t length = end ? (size_t)(end - begin) + 1 : row.length - at;
    return (Piece){
        .length = length, .styles = true, .plain = length == 4 && memcmp(begin, "\033[0m", 4) == 0};
}

static Piece take_piece(TextLine row, size_t at) {
    if (row.bytes[at] == '\033') return take_sequence(row, at);
    Piece piece = {.length = 0};
    while (at + piece.length < row.length && row.bytes[at + piece.length] != '\033') {
        uint32_t code_point;
        const char *bytes = row.bytes + at + piece.length;
        size_t taken = utf8_next(bytes, row.length - at - piece.length, &code_point);
        size_t width = utf8_width(bytes, taken);
        if (piece.length > 0 && width > 0) break;
        piece.length += taken;
        piece.width += width;
    }
    return piece;
}

static size_t width_from(TextLine row, size_t at) {
    size_t width = 0;
    while (at < row.length) {
        Piece piece = take_piece(row, at);
        at += piece.length;
        width += piece.width;
    }
    return width;
}

typedef struct Place {
    size_t bytes, column;
} Place;

static bool same_piece(TextLine a, TextLine b, size_t at, Piece *piece) {
    if (at >= a.length || at >= b.length) return false;
    *piece = take_piece(a, at);
    return take_piece(b, at).length == piece->length &&
           memcmp(a.bytes + at, b.bytes + at, piece->length) == 0;
}

/* Up to where both rows are the same; a place without a style, so that writing can begin there. */
static Place common_part(TextLine a, TextLine b) {
    Place at = {0, 0}, common = {0, 0};
    bool plain = true;
    for (Piece piece; same_piece(a, b, at.bytes, &piece);) {
        at.bytes += piece.length;
        at.column += piece.width;
        if (piece.styles) plain = piece.plain;
        if (plain) common = at;
    }
    return common;
}

/* Where the terminal's cursor is. Behind a full row it may or may not have gone to the next: its
 * column is then greater than that of any place to go to, and each way from there begins with \r,
 * after which all terminals agree. */
typedef struct Pen {
    Text *out;
    size_t row, column;
} Pen;

static void write_move(Text *out, size_t count, char direction) {
    if (count == 1) text_format(out, "\033[%c", direction);
    else if (count > 1) text_format(out, "\033[%zu%c", count, direction);
}

/* Downwards by newlines, which scroll at the bottom. */
static void move(Pen *pen, size_t row, size_t column) {
    if (pen->column > column || row > pen->row) {
        if (pen->column > 0) text_char(pen->out, '\r');
        pen->column = 0;
    }
    if (row < pen->row) write_move(pen->out, pen->row - row, 'A');
    else text_repeat(pen->out, '\n', row - pen->row);
    write_move(pen->out, column - pen->column, 'C');
    pen->row = row;
    pen->column = column;
}

static void paint_row(Pen *pen, size_t number, TextLine old, TextLine now) {
    Place common = common_part(old, now);
    move(pen, number, common.column);
    text_bytes(pen->out, now.bytes + common.bytes, now.length - common.bytes);
    pen->column += width_from(now, common.bytes);
    if (common.column + width_from(old, common.bytes) > pen->column)
        text_string(pen->out, "\033[K");
}

static bool same_row(TextLine a, TextLine b) {
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

static void clear_below(Pen *pen, size_t row) {
    move(pen, row, 0);
    text_string(pen->out, "\033[J");
}

void frame_paint(const Frame *old, const Frame *now, Text *out) {
    Pen pen = {out, old->rows ? old->cursor_row : 0, old->rows ? old->cursor_column : 0};
    size_t old_at = 0, now_at = 0;
    if (old->rows == 0)
        text_char(out, '\r'),
            clear_below(&pen, 0); /* a terminal echoes ^C while no line is edited */
    for (size_t row = 0; row < now->rows; row++) {
        TextLine before = row < old->rows ? text_line(&old->text, &old_at) : (TextLine){"", 0};
        TextLine after = text_line(&now->text, &now_at);
        if (row >= old->rows || !same_row(before, after)) paint_row(&pen, row, before, after);
    }
    if (old->rows > now->rows) clear_below(&pen, now->rows);
    move(&pen, now->cursor_row, now->cursor_column);
}

/* Where the cursor was given an empty row behind a full one, that is the row after the text. */
static bool ends_in_free_row(const Frame *frame) {
    size_t at = 0;
    TextLine row = {"", 0};
    for (size_t i = 0; i <= frame->end_row; i++) row = text_line(&frame->text, &at);
    return frame->end_row > 0 && row.length == 0;
}

void frame_leave(const Frame *frame, Text *out) {
    if (frame->rows == 0) return;
    Pen pen = {out, frame->cursor_row, frame->cursor_column};
    size_t row = frame->end_row + !ends_in_free_row(frame);
    if (frame->rows > frame->end_row + 1) clear_below(&pen, row);
    else move(&pen, row, 0);
}

size_t frame_rows_above(const Frame *frame, size_t columns) {
    size_t above = frame->cursor_column / columns, at = 0;
    for (size_t i = 0; i < frame->cursor_row; i++) {
        size_t width = width_from(text_line(&frame->text, &at), 0);
        above += width > columns ? (width + columns - 1) / columns : 1;
    }
    return above;
}
