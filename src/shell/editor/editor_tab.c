/* Tab: completes what stands before the cursor, or indents. */
#include "base/error.h"
#include "shell/editor/editor_state.h"

#ifdef HAVE_READLINE

#include "base/utf8.h"
#include "shell/completion/completion.h"
#include "shell/editor/editor_lines.h"

#include <string.h>

/* ---- the candidates below the entry ---- */

static size_t widest(const Completion *found) {
    size_t width = 1;
    for (size_t i = 0; i < found->count; i++) {
        size_t now = utf8_width(found->candidates[i], strlen(found->candidates[i]));
        if (now > width) width = now;
    }
    return width;
}

/* In columns, downwards. */
static void write_columns(Text *out, const Completion *found, size_t count, size_t rows,
                          size_t width) {
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = row; i < count; i += rows) {
            const char *candidate = found->candidates[i];
            size_t room = i + rows < count ? width + 2 : 0;
            if (room) utf8_pad(out, candidate, strlen(candidate), room, false);
            else text_string(out, candidate);
        }
        if (row + 1 < rows) text_char(out, '\n');
    }
}

/* At most half of the screen. */
static void list_candidates(Text *out, const Completion *found, const Host *host) {
    size_t columns = host->columns > 0 ? (size_t)host->columns : 1,
           height = host->rows > 3 ? (size_t)host->rows / 2 : 1;
    size_t width = widest(found),
           across = (columns + 1) / (width + 2) ? (columns + 1) / (width + 2) : 1;
    size_t rows = (found->count + across - 1) / across, count = found->count;
    if (rows > height) {
        rows = height > 1 ? height - 1 : 1;
        count = rows * across;
    }
    write_columns(out, found, count, rows, width);
    if (count < found->count) text_format(out, "\nand %zu more", found->count - count);
}

/* ---- what is inserted ---- */

/* The bracket, or the quote, may stand there already. */
static size_t without_overlap(const char *candidate, size_t length) {
    const char *text = edit_text();
    size_t point = edit_point();
    bool doubled = length > 0 && point < edit_length() && strchr("(=\"'", text[point]) &&
                   text[point] == candidate[length - 1];
    return doubled ? length - 1 : length;
}

static void insert_common(const Completion *found) {
    Text text;
    size_t point = edit_point();
    size_t length =
        found->count == 1 ? without_overlap(found->candidates[0], found->common) : found->common;
    bool space = found->count == 1 && found->closed && edit_text()[point] != ' ';
    text_init(&text);
    text_bytes(&text, found->candidates[0], length);
    if (space) text_char(&text, ' ');
    bool same = text.length == point - found->begin &&
                memcmp(text.data, edit_text() + found->begin, text.length) == 0;
    if (!text.failed && !same) edit_replace(found->begin, point, text.data);
    text_release(&text);
}

static void complete(void) {
    Completion found = {.count = 0};
    Error err = {.kind = ERR_NONE};
    if (!completion_find(editor.session, edit_text(), edit_length(), edit_point(), &found, &err)) {
        text_string(&editor.below, err.message);
        return;
    }
    if (found.count > 0 && found.common >= edit_point() - found.begin) insert_common(&found);
    if (found.count > 1) list_candidates(&editor.below, &found, editor.host);
    completion_release(&found);
}

int key_tab(int count, int key) {
    static const char blanks[INDENT + 1] = "    ";
    (void)count, (void)key;
    size_t point = edit_point();
    Line line = line_at(edit_text(), edit_length(), point);
    size_t before = point - line.begin, step = INDENT - before % INDENT;
    if (line_is_blank(edit_text() + line.begin, before))
        edit_replace(point, point, blanks + INDENT - step);
    else complete();
    return 0;
}

#endif
