/* Finds where an error is: the line, the column, and the part of the line that is shown. */
#include "base/error.h"

#include "base/characters.h"
#include "base/size.h"

#include <stdio.h>
#include <string.h>

/* One character of a line as the excerpt shows it. */
typedef struct Cell {
    char bytes[4];
    size_t length, columns;
    size_t taken; /* bytes of the line */
} Cell;

/* Tabs and other controls become a space; what else does not show, its sign. */
static Cell cell_at(const char *line, size_t length) {
    uint32_t c;
    Cell cell = {.taken = utf8_next(line, length, &c)};
    bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    cell.length = utf8_from_code_point(cell.bytes, control ? ' ' : utf8_sign(c));
    cell.columns = utf8_width(cell.bytes, cell.length);
    return cell;
}

/* The part [from, to) of a line that is shown. */
typedef struct Window {
    const char *line;
    size_t length, from, to, columns, bytes;
} Window;

/* An excerpt fits the error's buffer and, with a prompt, 80 columns. */
enum { MOST_COLUMNS = 72, MOST_BYTES = sizeof((Error *)0)->excerpt - 1 - 2 * ELLIPSIS_BYTES };

static bool window_add(Window *w, Cell cell, size_t most_columns) {
    if (w->columns + cell.columns > most_columns || w->bytes + cell.length > MOST_BYTES)
        return false;
    w->columns += cell.columns;
    w->bytes += cell.length;
    return true;
}

static void grow_right(Window *w, size_t most_columns) {
    while (w->to < w->length) {
        Cell cell = cell_at(w->line + w->to, w->length - w->to);
        if (!window_add(w, cell, most_columns)) return;
        w->to += cell.taken;
    }
}

static void grow_left(Window *w, size_t most_columns) {
    while (w->from > 0) {
        /* The beginning of the character before; of bytes that are none, the byte before. */
        size_t before = w->from - 1;
        uint32_t c;
        while (before > 0 && w->from - before < 4 && utf8_continues(w->line[before])) before--;
        if (before + utf8_next(w->line + before, w->from - before, &c) != w->from)
            before = w->from - 1;
        if (!window_add(w, cell_at(w->line + before, w->from - before), most_columns)) return;
        w->from = before;
    }
}

/* Fills the excerpt with the part in the window, and marks the place in it. */
static void write_excerpt(Error *err, const Window *w, Span place) {
    char *out = err->excerpt;
    size_t columns = 0, marked = 0;
    if (w->from > 0) {
        out = (char *)memcpy(out, ELLIPSIS, ELLIPSIS_BYTES) + ELLIPSIS_BYTES;
        columns = 1;
    }
    err->caret = (int)columns;
    for (size_t at = w->from; at < w->to;) {
        Cell cell = cell_at(w->line + at, w->length - at);
        out = (char *)memcpy(out, cell.bytes, cell.length) + cell.length;
        columns += cell.columns;
        if (at < place.begin) err->caret = (int)columns;
        else if (at < place.end) marked += cell.columns;
        at += cell.taken;
    }
    err->caret_width = marked ? (int)marked : 1;
    memcpy(out, w->to < w->length ? ELLIPSIS : "", w->to < w->length ? ELLIPSIS_BYTES + 1 : 1);
}

/* True if each byte is a character that is shown as it is, one column wide. */
static bool is_plain_ascii(const char *line, size_t length) {
    size_t at = 0;
    while (at < length && line[at] >= 0x20 && line[at] < 0x7F) at++;
    return at == length;
}

/* The end of a path says more than its beginning. What does not show becomes a sign. */
static void copy_path(char *out, size_t size, const char *path) {
    size_t length = strlen(path);
    const char *tail = path;
    if (length < size && is_plain_ascii(path, length)) { /* as most are */
        memcpy(out, path, length + 1);
        return;
    }
    if (length >= size) {
        tail += length - (size - 1 - ELLIPSIS_BYTES);
        while (utf8_continues(*tail)) tail++;
    }
    size_t end = 0, left = strlen(tail);
    if (tail > path) end = (size_t)snprintf(out, size, "%s", ELLIPSIS);
    while (left > 0) {
        uint32_t c;
        char bytes[4];
        size_t taken = utf8_next(tail, left, &c), shown = utf8_from_code_point(bytes, utf8_sign(c));
        if (end + shown >= size) break;
        memcpy(out + end, bytes, shown);
        end += shown;
        tail += taken;
        left -= taken;
    }
    out[end] = 0;
}

Span line_around(const char *text, size_t length, size_t at) {
    Span line = {at, at};
    while (line.begin > 0 && text[line.begin - 1] != '\n') line.begin--;
    while (line.end < length && text[line.end] != '\n') line.end++;
    return line;
}

void error_place(Error *err, const char *file, const char *text, size_t length, Span span) {
    CountedLine first = {0};
    error_place_counted(err, file, text, length, span, &first);
}

void error_place_counted(Error *err, const char *file, const char *text, size_t length, Span span,
                         CountedLine *counted) {
    if (!err || err->line > 0) return;
    size_t begin = smaller(span.begin, length);
    Span line = line_around(text, length, begin);
    if (line.end > line.begin && text[line.end - 1] == '\r') line.end--;
    begin = smaller(begin, line.end);
    size_t end = smaller(span.end, line.end);
    Span place = {begin - line.begin, end > begin ? end - line.begin : begin - line.begin};
    size_t width = line.end - line.begin;
    if (counted->begin > line.begin) *counted = (CountedLine){0};
    const char *at = text + counted->begin, *line_begin = text + line.begin;
    for (; (at = memchr(at, '\n', (size_t)(line_begin - at))) != NULL; at++) counted->before++;
    counted->begin = line.begin;
    err->line = counted->before + 1;
    copy_path(err->file, sizeof err->file, file ? file : "");
    if (width <= MOST_COLUMNS && is_plain_ascii(line_begin, width)) {
        memcpy(err->excerpt, line_begin, width);
        err->excerpt[width] = 0;
        err->column = (int)place.begin + 1;
        err->caret = (int)place.begin;
        err->caret_width = place.end > place.begin ? (int)(place.end - place.begin) : 1;
        return;
    }
    err->column = (int)utf8_length(line_begin, place.begin) + 1;

    /* The text behind the place tells more than that before it: two thirds for it, then whatever is
     * left. */
    Window w = {.line = line_begin, .length = width, .from = place.begin, .to = place.begin};
    grow_right(&w, MOST_COLUMNS * 2 / 3);
    grow_left(&w, MOST_COLUMNS);
    grow_right(&w, MOST_COLUMNS);
    write_excerpt(err, &w, place);
}

void error_place_as(Error *err, const Error *other) {
    if (!err || err->line > 0) return;
    Error placed = *other;
    placed.kind = err->kind;
    memcpy(placed.message, err->message, sizeof placed.message);
    memcpy(placed.hint, err->hint, sizeof placed.hint);
    *err = placed;
}
