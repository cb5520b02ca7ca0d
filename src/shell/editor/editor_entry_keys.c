/* The keys that know the language: Enter runs the entry or continues it, Tab completes or indents;
 * and text that comes in as a whole, by pasting. */
#include "shell/editor/editor_shared.h"

#ifdef HAVE_READLINE

#include "base/error.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "shell/completion/completion.h"
#include "shell/editor/editor_input.h"
#include "shell/editor/entry_lines.h"
#include "shell/editor/paste.h"

#include <readline/readline.h>
#include <string.h>

static bool is_as_pasted(void) {
    return editor.pasted.length > 0 && buffer_equals(editor.pasted.data, editor.pasted.length);
}

/* ---- the end of the entry ---- */

/* The state of the text with the newline of Enter, also behind an empty line. */
static EntryState state_with_newline(bool lines_follow, Text *missing) {
    LocalText text = TEXT_EMPTY;
    text_bytes(&text, buffer_text(), buffer_length());
    text_char(&text, '\n');
    EntryState state = ENTRY_WRONG;
    if (!text.failed) state = entry_state(text.data, text.length, lines_follow, missing);
    return state;
}

static void accept_entry(bool lines_follow) {
    text_clear(editor.entry);
    text_bytes(editor.entry, buffer_text(), buffer_length());
    text_char(editor.entry, '\n');
    *editor.lines_follow = lines_follow;
    editor.status = READ_ENTRY;
    editor.done = true;
    display_finished("");
    /* Ends the line without rl_newline, which would paint once more, in its own way. */
    rl_done = 1;
    RL_SETSTATE(RL_STATE_DONE);
}

/* ---- a further line ---- */

/* Replaces the blanks around the cursor by a newline, and the indentation that the next line should
 * have. */
static void break_line(bool indented) {
    const char *text = buffer_text();
    size_t point = buffer_point(), length = buffer_length();
    Span line = line_around(text, length, point);
    bool blank = line_is_blank(text + line.begin, point - line.begin);
    size_t end = point + line_blanks(text + point, line.end - point);
    LocalText newline = TEXT_EMPTY;
    text_char(&newline, '\n');
    text_repeat(&newline, ' ', indented ? line_next_indent(text, point) : 0);
    buffer_replace(blank ? line.begin : point, end, newline.data);
}

/* Moves an `else:` back that was typed behind the indentation that its line was given. */
static void indent_clause(void) {
    const char *text = buffer_text();
    size_t point = buffer_point();
    Span line = line_around(text, buffer_length(), point);
    size_t blanks = line_blanks(text + line.begin, line.end - line.begin);
    size_t wanted = line_clause_indent(text, buffer_length(), line);
    if (wanted >= blanks || point < line.begin + blanks) return;
    buffer_replace(line.begin + wanted, line.begin + blanks, "");
    buffer_set_point(point - (blanks - wanted));
}

int key_enter(int count, int key) {
    (void)count, (void)key;
    if (input_is_over()) return 0; /* readline takes the end of the input for an Enter */

    bool whole = editor_history_is_recalled() || is_as_pasted();
    if (whole && state_with_newline(false, NULL) == ENTRY_WHOLE) {
        accept_entry(false);
        return 0;
    }
    /* Text that arrives line by line, from a terminal that does not mark a paste, brings its own
     * indentation. */
    bool comes_in_lines = !input_is_fed() && input_is_waiting(0);
    Span line = line_around(buffer_text(), buffer_length(), buffer_point());
    if (!whole && line.end < buffer_length()) {
        break_line(!comes_in_lines);
        return 0;
    }
    if (whole) {
        buffer_set_point(buffer_length());
        line = line_around(buffer_text(), buffer_length(), buffer_length());
    }
    if (line.end > line.begin && line_is_blank(buffer_text() + line.begin, line.end - line.begin))
        buffer_replace(line.begin, line.end, "");
    if (!comes_in_lines) indent_clause();

    LocalText missing = TEXT_EMPTY;
    EntryState state = state_with_newline(true, &missing);
    if (state == ENTRY_GOES_ON) {
        break_line(!comes_in_lines);
        tr_write(&editor.message, missing.data);
    } else {
        /* A block with empty lines in it may be wrong line by line, and whole as a text. */
        accept_entry(state == ENTRY_WHOLE || state_with_newline(false, NULL) != ENTRY_WHOLE);
    }
    return 0;
}

int key_newline(int count, int key) {
    (void)count, (void)key;
    break_line(true);
    return 0;
}

/* ---- pasting ---- */

int key_paste(int count, int key) {
    LocalText raw = TEXT_EMPTY, clean = TEXT_EMPTY;
    (void)count, (void)key;
    bool ended = input_read_until(&raw, "\033[201~");
    paste_clean(&clean, raw.data, raw.length);
    if (raw.failed || clean.failed) {
        text_say(&editor.message, "the paste is too long for the memory there is");
    } else if (ended && clean.length > 0) {
        bool alone = line_is_blank(buffer_text(), buffer_length()) || is_as_pasted();
        buffer_replace(buffer_point(), buffer_point(), clean.data);
        text_clear(&editor.pasted);
        if (alone) text_bytes(&editor.pasted, buffer_text(), buffer_length());
    }
    return 0;
}

/* ---- Tab ---- */

/* Writes the candidates in columns, downwards, on at most half of the screen. */
static void list_candidates(Text *out, const Completion *found, const Host *host) {
    size_t columns = host->columns > 0 ? (size_t)host->columns : 1,
           height = host->rows > 3 ? (size_t)host->rows / 2 : 1;
    size_t width = 1, count = found->count;
    for (size_t i = 0; i < count; i++)
        width = larger(width, utf8_width(found->candidates[i], strlen(found->candidates[i])));
    enum { GAP = 2 };
    size_t across = larger(1, (columns + 1) / (width + GAP));
    size_t rows = divided_up(count, across);
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
    LocalText insertion = TEXT_EMPTY;
    text_bytes(&insertion, candidate, length);
    if (alone && found->closed && text[point] != ' ') text_char(&insertion, ' ');
    bool same = insertion.length == point - found->begin &&
                memcmp(insertion.data, text + found->begin, insertion.length) == 0;
    if (!insertion.failed && !same) buffer_replace(found->begin, point, insertion.data);
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
        tr_write(&editor.message, err.message);
        return 0;
    }
    if (found.count > 0 && found.common >= point - found.begin) insert_common(&found);
    if (found.count > 1) list_candidates(&editor.message, &found, editor.host);
    completion_release(&found);
    return 0;
}

#endif
