/* Up and Down: through the lines of the entry, then through the entries before it.
 *
 * readline searches a list of its own. It is kept parallel to the history, so that one number,
 * where_history(), says for both which entry is shown; behind the last one stands the line being
 * typed. */
#include "shell/editor/editor_state.h"

#ifdef HAVE_READLINE

#include "base/utf8.h"
#include "shell/editor/editor_lines.h"

#include <readline/history.h>
#include <readline/readline.h>
#include <string.h>

static size_t shown(void) { return (size_t)where_history(); }

/* ---- readline's list ---- */

static bool begins_history(size_t known) {
    const History *history = &editor.history;
    if (editor.list_is_stale || known > history->count) return false;
    return known == 0 || strcmp(history_get(history_base + (int)known - 1)->line,
                                history->entries[known - 1].text) == 0;
}

/* To an entry that was edited readline gives the line's own undo list, which is freed with the
 * line. */
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

static void make_parallel(void) {
    size_t known = (size_t)history_length;
    bool at_end = shown() == known, grows = begins_history(known);
    if (!grows) {
        empty_list();
        known = 0;
    }
    for (; known < editor.history.count; known++) add_history(editor.history.entries[known].text);
    if (at_end || !grows) history_set_pos(history_length);
    editor.list_is_stale = false;
}

void recall_begin(void) {
    text_clear(&editor.typed);
    text_clear(&editor.prefix);
    editor.typed_point = 0;
    editor.recalled = false;
    forget_edits();
    make_parallel();
    using_history();
}

void recall_end(void) { empty_list(); }

bool recall_is_untouched(void) {
    const History *history = &editor.history;
    return shown() < history->count &&
           edit_is(history->entries[shown()].text, history->entries[shown()].length);
}

static void keep_typed(void) {
    text_clear(&editor.typed);
    text_bytes(&editor.typed, edit_text(), edit_length());
    editor.typed_point = edit_point();
}

void recall_before_search(void) {
    if (shown() == (size_t)history_length) keep_typed();
    history_refresh(&editor.history);
    make_parallel();
    editor.list_is_stale = true;
}

/* ---- through the entries ---- */

static bool is_recalling(void) {
    return editor.recalled && (rl_last_func == key_up || rl_last_func == key_down);
}

/* Further keys go on with the same beginning; so does Up after the cursor was only moved. */
static void begin_recall(bool back) {
    if (is_recalling() || recall_is_untouched()) return;
    keep_typed();
    text_clear(&editor.prefix);
    if (back) text_bytes(&editor.prefix, edit_text(), edit_point());
}

static void show_entry(size_t index) {
    const HistoryEntry *entry = &editor.history.entries[index];
    edit_show(entry->text);
    history_set_pos((int)index);
}

static void show_typed(void) {
    edit_show(editor.typed.data);
    edit_set_point(editor.typed_point < edit_length() ? editor.typed_point : edit_length());
    history_set_pos(history_length);
}

static void recall(bool back) {
    const History *history = &editor.history;
    const Text *prefix = &editor.prefix;
    size_t at = shown();
    begin_recall(back);
    size_t found = back ? history_before(history, at, prefix->data, prefix->length, edit_text())
                        : history_after(history, at, prefix->data, prefix->length, edit_text());
    if (found != HISTORY_NONE) show_entry(found);
    else if (!back && at < history->count) show_typed();
    editor.recalled = true;
}

/* ---- through the lines ---- */

static bool is_moving(void) {
    return !editor.recalled && (rl_last_func == key_up || rl_last_func == key_down);
}

static bool move_line(bool up) {
    const char *text = edit_text();
    size_t length = edit_length(), point = edit_point(), column;
    Line line = line_at(text, length, point);
    if (!is_moving()) editor.goal = utf8_width(text + line.begin, point - line.begin);
    if (!(up ? line_above(text, length, &line) : line_below(text, length, &line))) return false;
    edit_set_point(line.begin +
                   utf8_fitting(text + line.begin, line.end - line.begin, editor.goal, &column));
    editor.recalled = false;
    return true;
}

int key_up(int count, int key) {
    (void)count, (void)key;
    if (is_recalling() || !move_line(true)) recall(true);
    return 0;
}

int key_down(int count, int key) {
    (void)count, (void)key;
    if (is_recalling() || !move_line(false)) recall(false);
    return 0;
}

#endif
