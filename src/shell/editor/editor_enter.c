/* Enter: does the entry run, or does it go on? And what comes in as a whole, by pasting. */
#include "shell/editor/editor_state.h"

#ifdef HAVE_READLINE

#include "shell/editor/editor_input.h"
#include "shell/editor/editor_language.h"
#include "shell/editor/editor_lines.h"
#include "shell/editor/paste.h"

#include <readline/readline.h>

/* ---- the end of the entry ---- */

/* With the newline that Enter stands for, also behind an empty line. */
static Judgement judge(bool lines_follow, Text *missing) {
    Text text;
    text_init(&text);
    text_bytes(&text, edit_text(), edit_length());
    text_char(&text, '\n');
    Judgement judgement = ENTRY_IS_WRONG;
    if (!text.failed)
        judgement = language_judge(editor.session, text.data, text.length, lines_follow, missing);
    text_release(&text);
    return judgement;
}

static void accept(bool lines_follow) {
    text_clear(editor.entry);
    text_bytes(editor.entry, edit_text(), edit_length());
    text_char(editor.entry, '\n');
    *editor.lines_follow = lines_follow;
    editor.status = READ_ENTRY;
    editor.done = true;
    paint_last("");
    /* rl_newline would paint once more, its own way. */
    rl_done = 1;
    RL_SETSTATE(RL_STATE_DONE);
}

/* ---- a further line ---- */

/* What arrives line by line, from a terminal that does not mark a paste, brings its own
 * indentation. */
static bool comes_in_lines(void) { return !input_is_fed() && input_is_waiting(0); }

/* A newline in place of the blanks around the cursor, and the indentation that the next line should
 * have. */
static void break_line(bool indented) {
    const char *text = edit_text();
    size_t point = edit_point(), length = edit_length();
    Line line = line_at(text, length, point);
    size_t indent = indented ? line_next_indent(text, point) : 0;
    bool blank = line_is_blank(text + line.begin, point - line.begin);
    size_t end = point + line_blanks(text + point, line.end - point);
    Text newline;
    text_init(&newline);
    text_char(&newline, '\n');
    text_repeat(&newline, ' ', indent);
    edit_replace(blank ? line.begin : point, end, newline.data);
    editor.given = indent;
    text_release(&newline);
}

static void empty_blank_line(void) {
    Line line = line_at(edit_text(), edit_length(), edit_point());
    if (line.end > line.begin && line_is_blank(edit_text() + line.begin, line.end - line.begin))
        edit_replace(line.begin, line.end, "");
}

/* Who types `else:` seldom takes the indentation back that the line was given. */
static void place_clause(void) {
    const char *text = edit_text();
    size_t point = edit_point();
    Line line = line_at(text, edit_length(), point);
    size_t blanks = line_blanks(text + line.begin, line.end - line.begin),
           should = line_clause_indent(text, edit_length(), line);
    if (should >= blanks || point < line.begin + blanks) return;
    edit_replace(line.begin + should, line.begin + blanks, "");
    edit_set_point(point - (blanks - should));
}

static bool is_last_line(void) {
    return line_at(edit_text(), edit_length(), edit_point()).end == edit_length();
}

static bool is_as_pasted(void) {
    return editor.pasted.length > 0 && edit_is(editor.pasted.data, editor.pasted.length);
}

/* Of a block with empty lines in it only the whole text tells what it is. */
static void end_line(void) {
    Text missing;
    text_init(&missing);
    Judgement judgement = judge(true, &missing);
    if (judgement == ENTRY_GOES_ON) {
        break_line(!comes_in_lines());
        text_bytes(&editor.below, missing.data, missing.length);
    } else {
        accept(judgement == ENTRY_IS_WHOLE || judge(false, NULL) != ENTRY_IS_WHOLE);
    }
    text_release(&missing);
}

int key_enter(int count, int key) {
    (void)count, (void)key;
    if (input_is_over()) return 0; /* readline takes the end of the input for an Enter */
    bool whole = recall_is_untouched() || is_as_pasted();
    if (whole && judge(false, NULL) == ENTRY_IS_WHOLE) {
        accept(false);
    } else if (!whole && !is_last_line()) {
        break_line(!comes_in_lines());
    } else {
        if (whole) edit_set_point(edit_length());
        empty_blank_line();
        if (!comes_in_lines()) place_clause();
        end_line();
    }
    return 0;
}

int key_newline(int count, int key) {
    (void)count, (void)key;
    break_line(true);
    return 0;
}

/* ---- pasting ---- */

/* The line's end behind a paste would only be in the way: nothing runs before Enter. */
static void drop_line_ends(Text *text) {
    while (text->length > 0 && text->data[text->length - 1] == '\n') text->length--;
    text->data[text->length] = '\0';
}

static void drop_zero_bytes(Text *text) {
    size_t kept = 0;
    for (size_t i = 0; i < text->length; i++)
        if (text->data[i]) text->data[kept++] = text->data[i];
    if (kept < text->length) text->data[text->length = kept] = '\0';
}

static void insert_paste(const Text *text) {
    bool alone = line_is_blank(edit_text(), edit_length()) || is_as_pasted();
    edit_replace(edit_point(), edit_point(), text->data);
    text_clear(&editor.pasted);
    if (alone) text_bytes(&editor.pasted, edit_text(), edit_length());
}

int key_paste(int count, int key) {
    Text raw, clean;
    (void)count, (void)key;
    text_init(&raw);
    text_init(&clean);
    bool ended = input_read_until(&raw, "\033[201~");
    drop_zero_bytes(&raw);
    paste_clean(&clean, raw.data, raw.length);
    drop_line_ends(&clean);
    if (raw.failed || clean.failed)
        text_string(&editor.below, "the paste is too long for the memory there is");
    else if (ended && clean.length > 0) insert_paste(&clean);
    text_release(&raw);
    text_release(&clean);
    return 0;
}

#endif
