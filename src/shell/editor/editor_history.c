/* Moves by Up and Down through the lines of the entry, then through the entries before it.
 *
 * readline searches a list of its own. That is kept parallel to the history, so that
 * where_history() says for both which entry is shown; the number behind the last one means the line
 * being typed. */
#include "shell/editor/editor_shared.h"

#ifdef HAVE_READLINE

#include "base/utf8.h"
#include "shell/editor/entry_lines.h"

#include <readline/history.h>
#include <readline/readline.h>
#include <string.h>

static size_t shown_index(void) { return (size_t)where_history(); }

/* ---- readline's list ---- */

/* readline gives an entry that was edited the undo list of the line, which is freed with the line.
 */
static void forget_edits(void) {
    HIST_ENTRY **list = history_list();
    for (int i = 0; i < history_length; i++) list[i]->data = NULL;
}

/* readline leaves the entries that it has freed where a search would find them. */
static void empty_list(void) {
    HIST_ENTRY **list = history_list();
    forget_edits();
    rl_clear_history();
    if (list) list[0] = NULL;
}

/* Makes readline's list hold the entries of the history, and keeps the entry that is shown. Only
 * new entries are added, unless the list is stale or of other entries. */
static void make_parallel(void) {
    const EntryHistory *history = &editor.history;
    size_t known = (size_t)history_length;
    bool at_end = shown_index() == known, grows = !editor.list_is_stale && known <= history->count;
    if (grows && known > 0)
        grows = strcmp(history_get(history_base + (int)known - 1)->line,
                       history->entries[known - 1].text) == 0;
    if (!grows) {
        empty_list();
        known = 0;
    }
    for (; known < history->count; known++) add_history(history->entries[known].text);
    if (at_end || !grows) history_set_pos(history_length);
    editor.list_is_stale = false;
}

void editor_history_begin(void) {
    text_clear(&editor.typed);
    text_clear(&editor.prefix);
    editor.typed_point = 0;
    editor.recalled = false;
    forget_edits();
    make_parallel();
    using_history();
}

void editor_history_end(void) { empty_list(); }

bool editor_history_is_recalled(void) {
    const EntryHistory *history = &editor.history;
    size_t index = shown_index();
    return index < history->count &&
           buffer_equals(history->entries[index].text, history->entries[index].length);
}

static void keep_typed(void) {
    text_clear(&editor.typed);
    text_bytes(&editor.typed, buffer_text(), buffer_length());
    editor.typed_point = buffer_point();
}

void editor_history_refresh(void) {
    if (shown_index() == (size_t)history_length) keep_typed();
    entry_history_refresh(&editor.history);
    make_parallel();
    editor.list_is_stale = true;
}

/* ---- Up and Down ---- */

/* Moves the cursor to the line above (below). Where there is none, replaces the text by the nearest
 * entry before (after) the shown one; further keys then recall, too, entries with the same
 * beginning. Up keeps to that beginning also after the cursor was only moved. */
static int move_or_recall(bool up) {
    const char *text = buffer_text();
    size_t length = buffer_length(), point = buffer_point(), column;
    bool again = rl_last_func == key_up || rl_last_func == key_down,
         recalling = again && editor.recalled;
    Span line = line_around(text, length, point);
    if (!again) editor.goal_column = utf8_width(text + line.begin, point - line.begin);
    if (!recalling && (up ? line_above(text, length, &line) : line_below(text, length, &line))) {
        buffer_set_point(line.begin + utf8_fitting(text + line.begin, line.end - line.begin,
                                                   editor.goal_column, &column));
        editor.recalled = false;
        return 0;
    }

    const EntryHistory *history = &editor.history;
    Text *prefix = &editor.prefix;
    if (!recalling && !editor_history_is_recalled()) {
        keep_typed();
        text_clear(prefix);
        if (up) text_bytes(prefix, text, point);
    }
    size_t at = shown_index(),
           found = entry_history_find(history, at, up, prefix->data, prefix->length, text);
    if (found != HISTORY_NONE) {
        buffer_set(history->entries[found].text);
        history_set_pos((int)found);
    } else if (!up && at < history->count) {
        buffer_set(editor.typed.data);
        if (editor.typed_point < buffer_length()) buffer_set_point(editor.typed_point);
        history_set_pos(history_length);
    }
    editor.recalled = true;
    return 0;
}

int key_up(int count, int key) {
    (void)count, (void)key;
    return move_or_recall(true);
}

int key_down(int count, int key) {
    (void)count, (void)key;
    return move_or_recall(false);
}

#endif
