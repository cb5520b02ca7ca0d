#include "shell/editor/frame.h"

#include "base/utf8.h"
#include "shell/terminal/ascii.h"
#include "view/label.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { TAB = 8, NON_JOINER = 0x200C, JOINER = 0x200D, REPLACEMENT = 0xFFFD };

static const char replacement[] = "\xEF\xBF\xBD", reverse_on[] = "\033[7m", dim_on[] = "\033[2m",
                  plain[] = "\033[0m";

void frame_init(Frame *frame) {
    *frame = (Frame){.rows = 0};
    text_init(&frame->text);
}

void frame_release(Frame *frame) {
    text_release(&frame->text);
    frame_init(frame);
}

typedef enum CursorPlace { CURSOR_AHEAD, CURSOR_DUE, CURSOR_SET } CursorPlace;

/* A walk over the content that finds where each character comes to stand. Of its rows those from
 * `first` to before `end` are written to `out`: of a long text only what the screen shows. A row is
 * left when the next character needs one, so that what combines with the last character of a full
 * row stays beside it. */
typedef struct Walk {
    const FrameContent *content;
    size_t columns;
    bool utf8;
    Text *out;
    size_t first, end;
    size_t row, column;
    size_t line_column;   /* columns since the line began, for tabs */
    bool base;            /* there is a character for a mark to stand on */
    bool marked, reverse; /* what comes now is marked; what was written last was */
    CursorPlace cursor;
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

/* Characters that fit in the row. */
static void place(Walk *walk, const char *bytes, size_t length, size_t width) {
    if (walk->cursor == CURSOR_DUE) set_cursor(walk);
    if (in_view(walk)) {
        if (walk->reverse != walk->marked)
            text_string(walk->out, walk->marked ? reverse_on : plain);
        walk->reverse = walk->marked;
        text_bytes(walk->out, bytes, length);
    }
    walk->column += width;
    walk->line_column += width;
    walk->base = true;
}

/* Characters of one byte and one column each. */
static void put_ascii(Walk *walk, const char *bytes, size_t count) {
    while (count > 0) {
        if (walk->column == walk->columns) next_row(walk);
        size_t room = walk->columns - walk->column, now = count < room ? count : room;
        place(walk, bytes, now, now);
        bytes += now;
        count -= now;
    }
}

/* Does it only change the look of the character before it? The rest of what has no width (a
 * zero-width space, a change of direction, what no table knows yet) would be in the text unseen, or
 * as wide as the terminal thinks. */
static bool is_mark(uint32_t code_point) {
    bool enclosing = code_point >= 0x20D0 && code_point <= 0x20FF;
    return enclosing || code_point == NON_JOINER || code_point == JOINER ||
           utf8_is_name(code_point);
}

/* Selectors are left out: with them terminals differ in how wide the character before is. */
static void put_mark(Walk *walk, const char *bytes, size_t length, uint32_t code_point) {
    bool selector = code_point >= 0xFE00 && code_point <= 0xFE0F;
    if (!selector && in_view(walk)) text_bytes(walk->out, bytes, length);
}

static void put_wide(Walk *walk, const char *bytes, size_t length, uint32_t code_point) {
    size_t width = utf8_width(bytes, length);
    if (width == 0 && walk->base && is_mark(code_point)) {
        put_mark(walk, bytes, length, code_point);
        return;
    }
    if (width == 0 || width > walk->columns || code_point == REPLACEMENT)
        bytes = replacement, length = sizeof replacement - 1, width = 1;
    if (width > walk->columns - walk->column) next_row(walk);
    place(walk, bytes, length, width);
}

/* One character, whatever it is; the bytes it took. */
static size_t put_character(Walk *walk, const char *bytes, size_t length) {
    uint32_t code_point;
    size_t taken = utf8_next(bytes, length, &code_point);
    if (code_point == '\t') put_ascii(walk, "        ", TAB - walk->line_column % TAB);
    else if (code_point < 0x20 || code_point == 0x7F)
        put_ascii(walk, (char[]){'^', (char)(code_point ^ 0x40)}, 2);
    else if (code_point < 0x80) put_ascii(walk, bytes, taken);
    else if (walk->utf8) put_wide(walk, bytes, taken, code_point);
    else put_ascii(walk, "????", taken);
    return taken;
}

static size_t printable(const char *bytes, size_t length) {
    size_t count = 0;
    while (count < length && bytes[count] >= 0x20 && bytes[count] < 0x7F) count++;
    return count;
}

/* What is shown of a text without places in it. */
static void put_string(Walk *walk, const char *string, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t run = printable(string + at, length - at);
        put_ascii(walk, string + at, run);
        at += run ? run : put_character(walk, string + at, length - at);
    }
}

/* Readline sets what does not print between \001 and \002. */
static void put_prompt(Walk *walk, const char *prompt) {
    while (*prompt) {
        size_t shown = strcspn(prompt, "\001\002");
        put_string(walk, prompt, shown);
        prompt += shown;
        if (*prompt == '\001') prompt += strcspn(prompt, "\002");
        if (*prompt) prompt++;
    }
    walk->line_column = 0;
    walk->base = false;
}

/* How far from `at` nothing begins or ends. */
static size_t even_until(const FrameContent *content, size_t at, size_t end) {
    const size_t places[] = {content->point, content->marked, content->marked_end};
    for (size_t i = 0; i < 3; i++)
        if (places[i] > at && places[i] < end) end = places[i];
    return end;
}

static void put_line(Walk *walk, size_t at, size_t end) {
    const FrameContent *content = walk->content;
    while (at < end) {
        if (at >= content->point && walk->cursor == CURSOR_AHEAD) walk->cursor = CURSOR_DUE;
        walk->marked = at >= content->marked && at < content->marked_end;
        size_t run = printable(content->text + at, even_until(content, at, end) - at);
        put_ascii(walk, content->text + at, run);
        at += run ? run : put_character(walk, content->text + at, end - at);
    }
    walk->marked = false;
    if (walk->cursor == CURSOR_SET || content->point > end) return;
    if (walk->column == walk->columns) next_row(walk);
    set_cursor(walk);
}

static void walk_text(Walk *walk) {
    const FrameContent *content = walk->content;
    put_prompt(walk, content->prompt);
    for (size_t at = 0;;) {
        const char *newline = memchr(content->text + at, '\n', content->length - at);
        size_t end = newline ? (size_t)(newline - content->text) : content->length;
        put_line(walk, at, end);
        if (!newline) break;
        next_row(walk);
        put_prompt(walk, content->next_prompt);
        at = end + 1;
    }
    end_row(walk);
}

static void write_cut(Text *out, const Text *line, size_t width, bool utf8) {
    if (utf8_width(line->data, line->length) <= width) text_bytes(out, line->data, line->length);
    else label_fit(out, line, width, false, utf8);
}

/* A line below: one column stays free, so that it is never full. */
static void put_below_line(Frame *frame, const char *bytes, size_t length, size_t columns, bool dim,
                           bool utf8) {
    Text source, line;
    text_init(&source);
    text_init(&line);
    if (utf8) text_bytes(&source, bytes, length);
    else ascii_write(&source, bytes, length, false);
    Walk walk = {.columns = SIZE_MAX, .utf8 = utf8, .out = &line, .end = 1, .cursor = CURSOR_SET};
    put_string(&walk, source.data, source.length);
    if (dim) text_string(&frame->text, dim_on);
    write_cut(&frame->text, &line, columns - 1, utf8);
    if (dim) text_string(&frame->text, plain);
    text_char(&frame->text, '\n');
    frame->text.failed = frame->text.failed || source.failed || line.failed;
    frame->rows++;
    text_release(&source);
    text_release(&line);
}

static void put_below(Frame *frame, const char *below, size_t columns, size_t rows, bool dim,
                      bool utf8) {
    while (*below && frame->rows < rows) {
        size_t length = strcspn(below, "\n");
        put_below_line(frame, below, length, columns, dim, utf8);
        below += length + (below[length] == '\n');
    }
}

/* The first row shown of `count`, so that the cursor stands in the middle as far as there are rows.
 */
static size_t first_shown(size_t cursor_row, size_t count, size_t rows) {
    size_t above = rows / 2;
    if (cursor_row <= above) return 0;
    return cursor_row - above < count - rows ? cursor_row - above : count - rows;
}

void frame_layout(Frame *frame, const FrameContent *content, int columns, int rows,
                  ColorDepth color, bool utf8) {
    assert(content->point <= content->length);
    size_t width = columns > 0 ? (size_t)columns : 1, height = rows > 0 ? (size_t)rows : 1;
    Walk start = {
        .content = content, .columns = width, .utf8 = utf8, .out = &frame->text, .end = height};
    Walk walk = start;
    text_clear(&frame->text);
    walk_text(&walk);
    size_t count = walk.row + 1;
    if (count > height) {
        start.first = first_shown(walk.cursor_row, count, height);
        start.end = start.first + height;
        walk = start;
        text_clear(&frame->text);
        walk_text(&walk);
    }
    frame->rows = count < height ? count : height;
    frame->end_row = frame->rows - 1;
    frame->cursor_row = walk.cursor_row - walk.first;
    frame->cursor_column = walk.cursor_column;
    if (content->below) put_below(frame, content->below, width, height, color != COLOR_NONE, utf8);
}
