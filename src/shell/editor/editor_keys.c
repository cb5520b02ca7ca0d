/* Binds keys to what they do. readline's own keys stay, and so does what ~/.inputrc says, except
 * for the few keys without which an entry could not have many lines. */
#include "shell/editor/editor_shared.h"

#ifdef HAVE_READLINE

#include "notebook/player.h"
#include "shell/editor/entry_lines.h"

#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>

static Span line_here(void) { return line_around(buffer_text(), buffer_length(), buffer_point()); }

/* ---- to the ends of the line; pressed once more, of the entry ---- */

static int key_home(int count, int key) {
    (void)count, (void)key;
    size_t begin = line_here().begin;
    bool again = rl_last_func == key_home && buffer_point() == begin;
    buffer_set_point(again ? 0 : begin);
    return 0;
}

static int key_end(int count, int key) {
    (void)count, (void)key;
    size_t end = line_here().end;
    bool again = rl_last_func == key_end && buffer_point() == end;
    buffer_set_point(again ? buffer_length() : end);
    return 0;
}

static int key_first(int count, int key) {
    (void)count, (void)key;
    buffer_set_point(0);
    return 0;
}

static int key_last(int count, int key) {
    (void)count, (void)key;
    buffer_set_point(buffer_length());
    return 0;
}

/* Kills the newline at the end of the line. */
static int key_kill_to_end(int count, int key) {
    (void)count, (void)key;
    size_t point = buffer_point(), end = line_here().end;
    if (point == end && end < buffer_length()) end++;
    return rl_kill_text((int)point, (int)end);
}

static int key_kill_to_begin(int count, int key) {
    (void)count, (void)key;
    size_t point = buffer_point(), begin = line_here().begin;
    if (point == begin && begin > 0) begin--;
    rl_kill_text((int)point, (int)begin);
    buffer_set_point(begin);
    return 0;
}

/* ---- pages ---- */

const char *editor_keys_page(const char *keys, size_t length) {
    static const char *const rows[][2] = {
        {" ", ""},          {"\033[C", ""},     {"\033OC", ""},     {"\033[6~", ""},
        {"\033[D", "back"}, {"\033OD", "back"}, {"\033[5~", "back"}};
    if (buffer_length() > 0 || !player_presents(editor.session->player)) return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i][0]) == length && memcmp(rows[i][0], keys, length) == 0)
            return rows[i][1];
    return NULL;
}

/* ---- indentation ---- */

/* Within the indentation it deletes a step of it. */
static int key_backspace(int count, int key) {
    size_t point = buffer_point(), before = point - line_here().begin;
    bool blanks = before > 0 && line_is_blank(buffer_text() + point - before, before);
    if (count != 1 || !blanks || rl_mark_active_p()) return rl_rubout(count, key);
    size_t step = (before - 1) % INDENT + 1;
    buffer_replace(point - step, point, "");
    return 0;
}

/* A person who begins a line with a blank types its indentation: it replaces the one that the line
 * was given, be it the same, less or more. */
static int key_space(int count, int key) {
    Span line = line_here();
    size_t before = buffer_point() - line.begin;
    bool given = before > 0 && line_is_blank(buffer_text() + line.begin, before) &&
                 (rl_last_func == key_enter || rl_last_func == key_newline);
    if (!given || count != 1) return rl_insert(count, key);
    buffer_replace(line.begin, buffer_point(), " ");
    return 0;
}

static int key_clear(int count, int key) {
    (void)count, (void)key;
    display_on_empty_screen();
    return 0;
}

/* ---- bindings ---- */

typedef enum KeyWhen {
    ALWAYS,
    INSERTING, /* only where keys insert: in the other mode of vi they are commands */
    IF_FREE,   /* only where ~/.inputrc has not bound them */
} KeyWhen;

/* clang-format off */
static const struct {
    KeyWhen when;
    const char *sequence;
    rl_command_func_t *function;
} keys[] = {
    {ALWAYS, "\\C-m", key_enter},            {ALWAYS, "\\C-j", key_enter},
    {ALWAYS, "\\e\\C-m", key_newline},       {ALWAYS, "\\e\\C-j", key_newline},
    {ALWAYS, "\\e[200~", key_paste},
    {ALWAYS, "\\e[A", key_up},               {ALWAYS, "\\eOA", key_up},
    {ALWAYS, "\\e[B", key_down},             {ALWAYS, "\\eOB", key_down},
    {INSERTING, "\\C-i", key_tab},           {INSERTING, " ", key_space},
    {IF_FREE, "\\e[1;5C", rl_forward_word},  {IF_FREE, "\\e[1;5D", rl_backward_word},
    {IF_FREE, "\\e[5C", rl_forward_word},    {IF_FREE, "\\e[5D", rl_backward_word},
    {IF_FREE, "\\eOc", rl_forward_word},     {IF_FREE, "\\eOd", rl_backward_word},
    {IF_FREE, "\\e[1;3C", rl_forward_word},  {IF_FREE, "\\e[1;3D", rl_backward_word},
    {IF_FREE, "\\e[H", key_home},            {IF_FREE, "\\e[F", key_end},
    {IF_FREE, "\\eOH", key_home},            {IF_FREE, "\\eOF", key_end},
    {IF_FREE, "\\e[1~", key_home},           {IF_FREE, "\\e[4~", key_end},
    {IF_FREE, "\\e[7~", key_home},           {IF_FREE, "\\e[8~", key_end},
    {IF_FREE, "\\e[1;5H", key_first},        {IF_FREE, "\\e[1;5F", key_last},
    {IF_FREE, "\\e[3~", rl_delete},
    {IF_FREE, "\\C-p", key_up},              {IF_FREE, "\\C-n", key_down},
};
/* clang-format on */

/* readline's functions that know only one line, or paint: ours take over their keys, whichever
 * these are. */
static const struct {
    rl_command_func_t *theirs, *ours;
} replaced[] = {{rl_newline, key_enter},
                {rl_get_previous_history, key_up},
                {rl_get_next_history, key_down},
                {rl_beg_of_line, key_home},
                {rl_end_of_line, key_end},
                {rl_beginning_of_history, key_first},
                {rl_end_of_history, key_last},
                {rl_kill_line, key_kill_to_end},
                {rl_unix_line_discard, key_kill_to_begin},
                {rl_rubout, key_backspace},
                {rl_complete, key_tab},
                {rl_possible_completions, key_tab},
                {rl_insert_completions, key_tab},
                {rl_menu_complete, key_tab},
                {rl_clear_screen, key_clear},
                {rl_clear_display, key_clear},
                {rl_refresh_line, key_clear},
                {rl_bracketed_paste_begin, key_paste}};

void editor_keys_bind(void) {
    static const char *const map_names[] = {"emacs", "vi-insert", "vi-command"};
    for (size_t i = 0; i < 3; i++) {
        Keymap map = rl_get_keymap_by_name(map_names[i]);
        bool inserts = i < 2;
        for (size_t k = 0; k < sizeof replaced / sizeof *replaced; k++) {
            if (!inserts && replaced[k].ours == key_backspace) continue;
            char **sequences = rl_invoking_keyseqs_in_map(replaced[k].theirs, map);
            for (size_t n = 0; sequences && sequences[n]; n++) {
                rl_bind_keyseq_in_map(sequences[n], replaced[k].ours, map);
                free(sequences[n]);
            }
            free(sequences);
        }
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            if (keys[k].when == INSERTING && !inserts) continue;
            if (keys[k].when == IF_FREE)
                rl_bind_keyseq_if_unbound_in_map(keys[k].sequence, keys[k].function, map);
            else rl_bind_keyseq_in_map(keys[k].sequence, keys[k].function, map);
        }
    }
}

#endif
