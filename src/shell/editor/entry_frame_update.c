#include "shell/editor/entry_frame.h"

#include "base/size.h"
#include "base/utf8.h"

#include <string.h>

/* The smallest piece of a row that can be written alone: a character with the marks on it, or an
 * escape sequence. */
typedef struct Piece {
    size_t length, width;
    bool is_sequence, ends_style; /* ends_style: the sequence that ends the styles of all others */
} Piece;

static Piece piece_at(TextLine row, size_t at) {
    const char *bytes = row.bytes + at;
    size_t left = row.length - at;
    Piece piece = {.length = 0};
    if (*bytes == '\033') {
        const char *end = memchr(bytes, 'm', left);
        piece.is_sequence = true;
        piece.length = end ? (size_t)(end - bytes) + 1 : left;
        piece.ends_style = piece.length == 4 && memcmp(bytes, "\033[0m", 4) == 0;
        return piece;
    }
    while (piece.length < left && bytes[piece.length] != '\033') {
        uint32_t code_point;
        size_t size = utf8_next(bytes + piece.length, left - piece.length, &code_point);
        size_t width = utf8_width(bytes + piece.length, size);
        if (piece.length > 0 && width > 0) break;
        piece.length += size;
        piece.width += width;
    }
    return piece;
}

static size_t width_from(TextLine row, size_t at) {
    size_t width = 0;
    while (at < row.length) {
        Piece piece = piece_at(row, at);
        at += piece.length;
        width += piece.width;
    }
    return width;
}

/* The terminal's cursor. Behind a full row it may or may not have moved to the next: its column is
 * then greater than any that it is moved to, and each way from there begins with \r, after which
 * all terminals agree. */
typedef struct Cursor {
    Text *out;
    size_t row, column;
} Cursor;

static void write_move(Text *out, size_t count, char direction) {
    if (count == 1) text_format(out, "\033[%c", direction);
    else if (count > 1) text_format(out, "\033[%zu%c", count, direction);
}

/* Moves downwards by newlines, which scroll at the bottom. */
static void cursor_move(Cursor *cursor, size_t row, size_t column) {
    if (cursor->column > column || row > cursor->row) {
        if (cursor->column > 0) text_char(cursor->out, '\r');
        cursor->column = 0;
    }
    if (row < cursor->row) write_move(cursor->out, cursor->row - row, 'A');
    else text_repeat(cursor->out, '\n', row - cursor->row);
    write_move(cursor->out, column - cursor->column, 'C');
    cursor->row = row;
    cursor->column = column;
}

static void clear_from(Cursor *cursor, size_t row) {
    cursor_move(cursor, row, 0);
    text_string(cursor->out, "\033[J");
}

void entry_frame_update(const EntryFrame *old, const EntryFrame *now, Text *out) {
    Cursor cursor = {out, old->rows ? old->cursor_row : 0, old->rows ? old->cursor_column : 0};
    size_t old_at = 0, now_at = 0;
    if (old->rows == 0) {
        text_char(out, '\r'); /* a terminal echoes ^C while no line is edited */
        clear_from(&cursor, 0);
    }
    for (size_t row = 0; row < now->rows; row++) {
        TextLine before = row < old->rows ? text_line(&old->text, &old_at) : (TextLine){"", 0};
        TextLine after = text_line(&now->text, &now_at);
        /* The row is written from where it begins to differ, or from the last column before that
         * which has no style. */
        size_t at = 0, column = 0, common = 0, common_column = 0;
        bool styled = false;
        while (at < before.length && at < after.length) {
            Piece piece = piece_at(after, at);
            if (piece_at(before, at).length != piece.length ||
                memcmp(before.bytes + at, after.bytes + at, piece.length) != 0)
                break;
            at += piece.length;
            column += piece.width;
            if (piece.is_sequence) styled = !piece.ends_style;
            if (styled) continue;
            common = at;
            common_column = column;
        }
        if (row < old->rows && at == before.length && at == after.length) continue; /* the same */
        cursor_move(&cursor, row, common_column);
        text_bytes(out, after.bytes + common, after.length - common);
        cursor.column += width_from(after, common);
        if (common_column + width_from(before, common) > cursor.column) text_string(out, "\033[K");
    }
    if (old->rows > now->rows) clear_from(&cursor, now->rows);
    cursor_move(&cursor, now->cursor_row, now->cursor_column);
}

void entry_frame_leave(const EntryFrame *frame, Text *out) {
    if (frame->rows == 0) return;
    Cursor cursor = {out, frame->cursor_row, frame->cursor_column};
    /* If the cursor was given an empty row behind a full one, that is the row after the entry. */
    TextLine last = {"", 0};
    size_t at = 0, row = frame->end_row + 1;
    for (size_t i = 0; i <= frame->end_row; i++) last = text_line(&frame->text, &at);
    if (frame->end_row > 0 && last.length == 0) row--;
    if (frame->rows > frame->end_row + 1) clear_from(&cursor, row);
    else cursor_move(&cursor, row, 0);
}

size_t entry_frame_rows_above(const EntryFrame *frame, size_t columns) {
    size_t above = frame->cursor_column / columns, at = 0;
    for (size_t i = 0; i < frame->cursor_row; i++) {
        size_t width = width_from(text_line(&frame->text, &at), 0);
        above += larger(divided_up(width, columns), 1);
    }
    return above;
}
