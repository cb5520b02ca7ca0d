/* The entry that readline holds, and how it is shown. */
#include "shell/editor/editor_shared.h"

#ifdef HAVE_READLINE

#include "shell/completion/completion.h"
#include "shell/editor/editor_input.h"

#include <readline/readline.h>
#include <string.h>

/* ---- the text ---- */

const char *buffer_text(void) { return rl_line_buffer; }
size_t buffer_length(void) { return (size_t)rl_end; }
/* When a search is given up, readline asks for a frame before it has put the point back into the
 * line. */
size_t buffer_point(void) { return (size_t)(rl_point < rl_end ? rl_point : rl_end); }
void buffer_set_point(size_t point) { rl_point = (int)point; }

bool buffer_equals(const char *text, size_t length) {
    return length == buffer_length() && memcmp(text, rl_line_buffer, length) == 0;
}

void buffer_replace(size_t begin, size_t end, const char *text) {
    rl_begin_undo_group();
    if (end > begin) rl_delete_text((int)begin, (int)end);
    rl_point = (int)begin;
    rl_insert_text(text);
    rl_end_undo_group();
}

void buffer_set(const char *text) {
    rl_replace_line(text, 1);
    rl_point = rl_end;
    rl_deactivate_mark();
}

/* ---- the screen ---- */

static void write_now(const Text *bytes) {
    fflush(stdout);
    fwrite(bytes->data, 1, bytes->length, editor.out);
    fflush(editor.out);
}

static EntryContent present_content(void) {
    EntryContent content = {.prompt = rl_display_prompt ? rl_display_prompt : editor.prompt,
                            .next_prompt = EDITOR_NEXT_PROMPT,
                            .text = buffer_text(),
                            .length = buffer_length(),
                            .point = buffer_point()};
    if (rl_mark_active_p() && rl_mark >= 0 && rl_mark <= rl_end) {
        size_t mark = (size_t)rl_mark, point = content.point;
        content.marked = mark < point ? mark : point;
        content.marked_end = mark < point ? point : mark;
    }
    return content;
}

/* Changes the frame on the screen into that of `content`, after writing `first`. */
static void show_content(const EntryContent *content, const char *first) {
    EntryFrame frame;
    LocalText bytes = TEXT_EMPTY;
    entry_frame_init(&frame);
    entry_frame_layout(&frame, content, editor.host->columns, editor.host->rows, editor.host->color,
                       editor.host->utf8);
    text_string(&bytes, first);
    entry_frame_update(&editor.screen, &frame, &bytes);
    write_now(&bytes);
    entry_frame_release(&editor.screen);
    editor.screen = frame;
    editor.stale = false;
}

/* Shows the entry, and below it the message of the last key, or else what the call that the cursor
 * is in takes. */
static void show_entry(const char *first) {
    LocalText hint = TEXT_EMPTY;
    EntryContent content = present_content();
    bool searching = RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG) != 0;
    if (editor.message.length > 0) content.below = editor.message.data;
    else if (!searching && content.length > 0 &&
             completion_hint(editor.session, content.text, content.length, content.point, &hint))
        content.below = hint.data;
    show_content(&content, first);
}

/* While more keys wait, only the last of them is worth a frame: a paste is not shown letter by
 * letter. */
void display_entry(void) {
    if (editor.hidden) return;
    editor.stale = !input_is_fed() && input_is_waiting(0);
    if (!editor.stale) show_entry("");
}

void display_finished(const char *mark) {
    LocalText bytes = TEXT_EMPTY;
    EntryContent content = present_content();
    content.point = content.length;
    content.marked = content.marked_end = 0;
    content.prompt = editor.prompt;
    show_content(&content, "");
    text_string(&bytes, mark);
    if (*mark) text_string(&bytes, "\r\n");
    else entry_frame_leave(&editor.screen, &bytes);
    write_now(&bytes);
    entry_frame_release(&editor.screen);
}

void display_resized(void) {
    char up[32] = "\r";
    size_t columns = editor.host->columns > 0 ? (size_t)editor.host->columns : 1;
    size_t above = entry_frame_rows_above(&editor.screen, columns);
    if (above > 0) snprintf(up, sizeof up, "\r\033[%zuA", above);
    entry_frame_release(&editor.screen);
    show_entry(up);
}

void display_on_empty_screen(void) {
    entry_frame_release(&editor.screen);
    show_entry("\033[H\033[2J");
}

#endif
