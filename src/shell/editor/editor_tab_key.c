/* Tab: completes the word before the cursor, or indents. */
#include "base/error.h"
#include "shell/editor/editor_shared.h"

#ifdef HAVE_READLINE

#include "base/size.h"
#include "base/utf8.h"
#include "shell/completion/completion.h"
#include "shell/editor/entry_lines.h"

#include <string.h>

/* Writes the candidates in columns, downwards, on at most half of the screen. */
static void list_candidates(Text *out, const Completion *found, const Host *host) {
    size_t columns = host->columns > 0 ? (size_t)host->columns : 1,
           height = host->rows > 3 ? (size_t)host->rows / 2 : 1;
    size_t width = 1, count = found->count;
    for (size_t i = 0; i < count; i++)
        width = larger(width, utf8_width(found->candidates[i], strlen(found->candidates[i])));
    enum { GAP = 2 };
    size_t across = larger(1, (columns + 1) / (width + GAP));
    size_t rows = (count + across - 1) / across;
    if (rows > height) {
        rows = height > 1 ? height - 1 : 1; /* one row says how many more there are */
        count = rows * across;
    }
    for (size_t row = 0; row < rows; row++) {
        if (row > 0) text_char(out, '\n');
        for (size_t i = row; i < count; i += rows) {
            const char *candidate = found->candidates[i];
            if (i + rows < count) utf8_pad(out, candidate, strlen(candidate), width + GAP, false);
            else text_string(out, candidate);
        }
    }
    if (count < found->count) text_format(out, "\nand %zu more", found->count - count);
}

/* Inserts what all candidates begin with; behind the only one a space, where it is whole. */
static void insert_common(const Completion *found) {
    const char *text = buffer_text(), *candidate = found->candidates[0];
    size_t point = buffer_point(), length = found->common;
    bool alone = found->count == 1;
    /* The bracket or quote that ends a candidate may be there already. */
    if (alone && length > 0 && point < buffer_length() && strchr("(=\"'", text[point]) &&
        text[point] == candidate[length - 1])
        length--;
    Text insertion = TEXT_EMPTY;
    text_bytes(&insertion, candidate, length);
    if (alone && found->closed && text[point] != ' ') text_char(&insertion, ' ');
    bool same = insertion.length == point - found->begin &&
                memcmp(insertion.data, text + found->begin, insertion.length) == 0;
    if (!insertion.failed && !same) buffer_replace(found->begin, point, insertion.data);
    text_release(&insertion);
}

int key_tab(int count, int key) {
    static const char blanks[INDENT + 1] = "    ";
    (void)count, (void)key;
    size_t point = buffer_point(), length = buffer_length();
    Span line = line_around(buffer_text(), length, point);
    size_t before = point - line.begin;
    if (line_is_blank(buffer_text() + line.begin, before)) {
        buffer_replace(point, point, blanks + before % INDENT);
        return 0;
    }
    Completion found = {.count = 0};
    Error err = {.kind = ERR_NONE};
    if (!completion_find(editor.session, buffer_text(), length, point, &found, &err)) {
        text_string(&editor.message, err.message);
        return 0;
    }
    if (found.count > 0 && found.common >= point - found.begin) insert_common(&found);
    if (found.count > 1) list_candidates(&editor.message, &found, editor.host);
    completion_release(&found);
    return 0;
}

#endif
