#include "shell/editor/entry_frame.h"

#include "base/size.h"
#include "base/utf8.h"
#include "shell/terminal/ascii.h"
#include "view/label.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { TAB = 8, NON_JOINER = 0x200C, JOINER = 0x200D, REPLACEMENT = 0xFFFD };

static const char replacement[] = "\xEF\xBF\xBD", reverse_on[] = "\033[7m", dim_on[] = "\033[2m",
                  plain[] = "\033[0m";

void entry_frame_init(EntryFrame *frame) { *frame = (EntryFrame){.text = TEXT_EMPTY}; }

void entry_frame_release(EntryFrame *frame) {
    text_release(&frame->text);
    entry_frame_init(frame);
}

/* The cursor is put where the next character is shown, once the point is reached. */
typedef enum CursorState { CURSOR_AHEAD, CURSOR_DUE, CURSOR_SET } CursorState;

/* A walk over the content that finds where each character is shown. It writes the rows from `first`
 * to before `end` to `out`: of a long text only what the screen shows. A row ends when the next
 * character needs another one, so that what combines with the last character of a full row stays
 * beside it. */
typedef struct Walk {
    const EntryContent *content;
    size_t columns;
    bool utf8;
    Text *out;
    size_t first, end;
    size_t row, column;
    size_t line_column;   /* columns since the line began, for tabs */
    bool has_base;        /* there is a character that a combining mark could be on */
    bool marked, reverse; /* the next character is marked; the last one written is in reverse */
    CursorState cursor;
    size_t cursor_row, cursor_column;
} Walk;

static bool in_view(const Walk *walk) { return walk->row >= walk->first && walk->row < walk->end; }

static void end_row(Walk *walk) {
    if (!in_view(walk)) return;
    if (walk->reverse) text_string(walk->out, plain);
    walk->reverse = false;
    text_char(walk->out, '\n');
}

static void next_row(Walk *walk) {
    end_row(walk);
    walk->row++;
    walk->column = 0;
}

static void set_cursor(Walk *walk) {
    walk->cursor = CURSOR_SET;
    walk->cursor_row = walk->row;
    walk->cursor_column = walk->column;
}

/* Puts characters that fit in the row. */
static void put_fitting(Walk *walk, const char *bytes, size_t length, size_t width) {
    if (walk->cursor == CURSOR_DUE) set_cursor(walk);
    if (in_view(walk)) {
        if (walk->reverse != walk->marked)
            text_string(walk->out, walk->marked ? reverse_on : plain);
        walk->reverse = walk->marked;
        text_bytes(walk->out, bytes, length);
    }
    walk->column += width;
    walk->line_column += width;
    walk->has_base = true;
}

/* Puts characters of one byte and one column each. */
static void put_ascii(Walk *walk, const char *bytes, size_t count) {
    while (count > 0) {
        if (walk->column == walk->columns) next_row(walk);
        size_t now = smaller(count, walk->columns - walk->column);
        put_fitting(walk, bytes, now, now);
        bytes += now;
        count -= now;
    }
}

/* Puts a character outside ASCII. */
static void put_wide(Walk *walk, const char *bytes, size_t length, uint32_t c) {
    size_t width = utf8_width(bytes, length);
    if (width == 0 && walk->has_base) {
        /* A character that only changes the look of the one before it is written as it is, except
         * for variation selectors: with them terminals differ in how wide that character is. */
        bool enclosing = c >= 0x20D0 && c <= 0x20FF, selector = c >= 0xFE00 && c <= 0xFE0F;
        if (enclosing || c == NON_JOINER || c == JOINER || utf8_is_name(c)) {
            if (!selector && in_view(walk)) text_bytes(walk->out, bytes, length);
            return;
        }
    }
    /* Any other character without width (a zero-width space, a change of direction) would be in the
     * text unseen, or as wide as the terminal thinks. */
    if (width == 0 || width > walk->columns || c == REPLACEMENT) {
        bytes = replacement;
        length = sizeof replacement - 1;
        width = 1;
    }
    if (width > walk->columns - walk->column) next_row(walk);
    put_fitting(walk, bytes, length, width);
}

/* Puts one character, whatever it is; returns the bytes it has. */
static size_t put_character(Walk *walk, const char *bytes, size_t length) {
    uint32_t c;
    size_t size = utf8_next(bytes, length, &c);
    if (c == '\t') put_ascii(walk, "        ", TAB - walk->line_column % TAB);
    else if (c < 0x20 || c == 0x7F) put_ascii(walk, (char[]){'^', (char)(c ^ 0x40)}, 2);
    else if (c < 0x80) put_ascii(walk, bytes, size);
    else if (walk->utf8) put_wide(walk, bytes, size, c);
    else put_ascii(walk, "????", size);
    return size;
}

static size_t printable(const char *bytes, size_t length) {
    size_t count = 0;
    while (count < length && bytes[count] >= 0x20 && bytes[count] < 0x7F) count++;
    return count;
}

/* Puts a text without the cursor or a mark in it. */
static void put_string(Walk *walk, const char *string, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t run = printable(string + at, length - at);
        put_ascii(walk, string + at, run);
        at += run ? run : put_character(walk, string + at, length - at);
    }
}

static void put_prompt(Walk *walk, const char *prompt) {
    while (*prompt) {
        size_t shown = strcspn(prompt, "\001\002");
        put_string(walk, prompt, shown);
        prompt += shown;
        if (*prompt == '\001') prompt += strcspn(prompt, "\002");
        if (*prompt) prompt++;
    }
    walk->line_column = 0;
    walk->has_base = false;
}

/* Puts each line behind its prompt, in runs within which neither the cursor nor the marked part
 * begins or ends. */
static void put_entry(Walk *walk) {
    const EntryContent *content = walk->content;
    const char *text = content->text;
    const size_t places[] = {content->point, content->marked, content->marked_end};
    put_prompt(walk, content->prompt);
    for (size_t at = 0;; at++) {
        const char *newline = memchr(text + at, '\n', content->length - at);
        size_t end = newline ? (size_t)(newline - text) : content->length;
        while (at < end) {
            if (at >= content->point && walk->cursor == CURSOR_AHEAD) walk->cursor = CURSOR_DUE;
            walk->marked = at >= content->marked && at < content->marked_end;
            size_t run_end = end;
            for (size_t i = 0; i < 3; i++)
                if (places[i] > at && places[i] < run_end) run_end = places[i];
            size_t run = printable(text + at, run_end - at);
            put_ascii(walk, text + at, run);
            at += run ? run : put_character(walk, text + at, end - at);
        }
        walk->marked = false;
        if (walk->cursor != CURSOR_SET && content->point <= end) {
            if (walk->column == walk->columns) next_row(walk);
            set_cursor(walk);
        }
        if (!newline) break;
        next_row(walk);
        put_prompt(walk, content->next_prompt);
    }
    end_row(walk);
}

void entry_frame_layout(EntryFrame *frame, const EntryContent *content, int columns, int rows,
                        ColorDepth color, bool utf8) {
    assert(content->point <= content->length);
    size_t width = columns > 0 ? (size_t)columns : 1, height = rows > 0 ? (size_t)rows : 1;
    Walk start = {
        .content = content, .columns = width, .utf8 = utf8, .out = &frame->text, .end = height};
    Walk walk = start;
    text_clear(&frame->text);
    put_entry(&walk);
    size_t count = walk.row + 1;
    if (count > height) {
        /* The walk is made once more, now that it is known which rows keep the cursor in the
         * middle. */
        start.first = smaller(left_of(walk.cursor_row, height / 2), count - height);
        start.end = start.first + height;
        walk = start;
        text_clear(&frame->text);
        put_entry(&walk);
    }
    frame->rows = smaller(count, height);
    frame->end_row = frame->rows - 1;
    frame->cursor_row = walk.cursor_row - walk.first;
    frame->cursor_column = walk.cursor_column;

    /* The lines below, as far as there are rows for them. One column stays free, so that no row is
     * full. */
    LocalText source = TEXT_FOR(&frame->text), line = TEXT_FOR(&frame->text);
    const char *below = content->below ? content->below : "";
    for (size_t length; *below && frame->rows < height; frame->rows++) {
        length = strcspn(below, "\n");
        text_clear(&source);
        text_clear(&line);
        if (utf8) text_bytes(&source, below, length);
        else ascii_write(&source, below, length, false);
        walk =
            (Walk){.columns = SIZE_MAX, .utf8 = utf8, .out = &line, .end = 1, .cursor = CURSOR_SET};
        put_string(&walk, source.data, source.length);

        if (color != COLOR_NONE) text_string(&frame->text, dim_on);
        if (utf8_width(line.data, line.length) < width)
            text_bytes(&frame->text, line.data, line.length);
        else label_fit(&frame->text, &line, width - 1, false, utf8);
        if (color != COLOR_NONE) text_string(&frame->text, plain);
        text_char(&frame->text, '\n');
        below += length + (below[length] == '\n');
    }
}
