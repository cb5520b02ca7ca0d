#include "shell/editor/editor_state.h"

#include "base/interrupt.h"
#include "shell/editor/editor_input.h"
#include "shell/editor/editor_language.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal.h"
#include "shell/terminal/terminal_mode.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

Editor editor;

int editor_prompt_width(void) { return (int)sizeof EDITOR_PROMPT - 1; }

/* What runs again later is the entry without the empty line that ended it. */
static void remember(const Text *entry) {
    size_t length = entry->length;
    while (length > 0 && strchr(" \t\n", entry->data[length - 1])) length--;
    if (!entry->failed) history_add(&editor.history, entry->data, length);
}

#ifdef HAVE_READLINE

/* ---- setting up ---- */

/* A locale without such bytes would make other keys of them. */
static void let_bytes_be(void) {
    rl_variable_bind("input-meta", "on");
    rl_variable_bind("output-meta", "on");
    rl_variable_bind("convert-meta", "off");
}

/* A key that others must follow is put back by a search that it ends, and read again within the
 * same call; there readline 8.2 gives up a sequence that means nothing by a jump into a function
 * that has returned. Only ESC ends a search another way. */
static bool breaks_search(int key) {
    enum { ESCAPE = 27 };
    return RL_ISSTATE(RL_STATE_ISEARCH) && key >= 0 && key != ESCAPE &&
           rl_get_keymap()[key].type == ISKMAP;
}

static int next_key(FILE *in) {
    (void)in;
    int c = input_read();
    while (breaks_search(c)) c = input_read();
    return c < 0 ? EOF : c;
}

/* readline asks so as to take letters that wait in one go, and with them the key behind, which
 * read_key must see first: letters alone wait. Also what follows an ESC of a key does. */
static int is_waiting(void) {
    return input_is_waiting(rl_set_keyboard_input_timeout(-1) / 1000) && input_peek() >= ' ' &&
           input_peek() != RUBOUT;
}

static void take_terminal(int meta) { (void)meta; }
static void give_terminal(void) {}

/* The terminal marks what is pasted unless ~/.inputrc says no. readline itself need not look for
 * it: keys that it takes for the beginning of a paste it puts back, with the same end as in
 * breaks_search. */
static void take_over_pasting(void) {
    const char *value = rl_variable_value("enable-bracketed-paste");
    editor.marks_paste = !value || strcmp(value, "off") != 0;
    rl_variable_bind("enable-bracketed-paste", "off");
}

static void start_readline(void) {
    rl_readline_name = "attn";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_instream = stdin;
    rl_outstream = stdout;
    rl_getc_function = next_key;
    rl_input_available_hook = is_waiting;
    rl_prep_term_function = take_terminal;
    rl_deprep_term_function = give_terminal;
    rl_initialize();
    rl_redisplay_function = paint_frame; /* before, it would take the terminal for a dumb one */
    let_bytes_be();
    take_over_pasting();
    keys_bind();
}

static bool can_edit(void) {
    return terminal_moves_cursor() && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static void start_editing(void) {
    input_open();
    start_readline();
}

/* ---- one entry ---- */

/* By keys that end a line in a way of readline's own, and at the end of the input: for which
 * readline also takes an empty line whose key never came, because Ctrl-C did. Then the line stays
 * open; the interrupt is the next event, and drops it. */
static void on_line(char *line) {
    if (!line && input_is_interrupted()) return;
    if (!editor.done) {
        editor.done = true;
        editor.status = line ? READ_ENTRY : READ_END;
        *editor.lines_follow = true;
        if (line) text_string(editor.entry, line), text_char(editor.entry, '\n');
        paint_last("");
    }
    free(line);
    rl_callback_handler_remove();
}

/* The line goes, but not from sight; so does a search, or a key that others should have followed.
 */
static void drop_line(const char *mark, ReadStatus status) {
    paint_last(mark);
    editor.hidden = true;
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_replace_line("", 1);
    rl_callback_handler_remove();
    editor.hidden = false;
    editor.list_is_stale = true;
    input_forget();
    editor.done = true;
    editor.status = status;
}

static void take_screen(void) {
    if (input_is_fed()) return;
    terminal_measure(editor.host);
    rl_set_screen_size(editor.host->rows, editor.host->columns);
}

static void stop(void) {
    paint_last("");
    terminal_give_back();
    signals_stop();
    terminal_take(editor.marks_paste);
    take_screen();
    paint_frame();
}

static void go_on(void) {
    terminal_give_back();
    terminal_take(editor.marks_paste);
    take_screen();
    paint_frame();
}

static bool begins_search(void) {
    char key = (char)input_peek();
    rl_command_func_t *function = rl_function_of_keyseq_len(&key, 1, rl_get_keymap(), NULL);
    return function == rl_reverse_search_history || function == rl_forward_search_history ||
           function == rl_vi_search;
}

/* Terminals have more keys than anybody binds; readline would take the ends of what they send for
 * letters. */
static bool skip_unknown(void) {
    const char *sequence;
    size_t length = RL_ISSTATE(RL_STATE_MULTIKEY) ? 0 : input_peek_sequence(&sequence);
    if (length == 0 || keys_know(sequence, length)) return false;
    while (length-- > 0) input_read();
    return true;
}

static void read_key(void) {
    bool within = RL_ISSTATE(RL_STATE_MULTIKEY | RL_STATE_ISEARCH | RL_STATE_NSEARCH |
                             RL_STATE_NUMERICARG) != 0;
    if (skip_unknown()) return;
    if (breaks_search(input_peek())) {
        input_read();
        return;
    }
    if (!RL_ISSTATE(RL_STATE_MULTIKEY)) text_clear(&editor.below);
    if (!within && begins_search()) recall_before_search();
    rl_callback_read_char();
}

static void handle(InputEvent event) {
    switch (event) {
    case INPUT_KEY: read_key(); break;
    case INPUT_INTERRUPT: drop_line("^C", READ_INTERRUPTED); break;
    case INPUT_RESIZE: take_screen(), paint_resized(); break;
    case INPUT_STOP: stop(); break;
    case INPUT_CONTINUE: go_on(); break;
    case INPUT_END: drop_line("", READ_END); break;
    }
}

static void begin_entry(Text *entry, bool *lines_follow) {
    editor.entry = entry;
    editor.lines_follow = lines_follow;
    editor.done = false;
    editor.given = 0;
    text_clear(entry);
    text_clear(&editor.pasted);
    text_clear(&editor.below);
    recall_begin();
}

/* What was typed while something ran has left its echo in the row of the prompt. */
static void clear_echo(void) {
    if (!input_is_fed() && input_is_waiting(0)) fputs("\r\033[J", stdout);
}

static ReadStatus edit(Text *entry, bool *lines_follow) {
    take_screen();
    begin_entry(entry, lines_follow);
    if (!input_begin()) return plain_read(editor.session, entry);
    interrupt_flag = 0; /* what came since the last entry ended is for nothing; it would end what
                           judges this one */
    if (!input_is_fed()) terminal_take(editor.marks_paste);
    clear_echo();
    rl_callback_handler_install(EDITOR_PROMPT, on_line);
    terminal_choose_locale(); /* each time readline sets that of the environment */
    while (!editor.done) {
        if (editor.stale && !input_is_waiting(0)) paint_frame();
        handle(input_wait());
    }
    terminal_give_back();
    signals_end();
    return editor.status;
}

static void end_editing(void) { recall_end(); }

bool editor_drive(const char *keys, size_t length, FILE *out) {
    if (!editor.editing) start_editing();
    editor.editing = true;
    editor.out = out;
    input_feed(keys, length);
    return true;
}

#else

static bool can_edit(void) { return false; }
static void start_editing(void) {}
static void end_editing(void) {}
static ReadStatus edit(Text *entry, bool *lines_follow) {
    (void)lines_follow;
    return plain_read(editor.session, entry);
}

bool editor_drive(const char *keys, size_t length, FILE *out) {
    (void)keys, (void)length, (void)out;
    return false;
}

#endif

/* ---- with or without ---- */

static void each_text(void (*act)(Text *text)) {
    act(&editor.below);
    act(&editor.typed);
    act(&editor.prefix);
    act(&editor.pasted);
}

void editor_open(Session *session, bool keep_history) {
    editor = (Editor){.session = session, .host = language_host(session), .out = stdout};
    each_text(text_init);
    frame_init(&editor.screen);
    history_open(&editor.history, keep_history);
    editor.editing = can_edit();
    if (editor.editing) start_editing();
}

void editor_close(void) {
    if (editor.editing) end_editing();
    each_text(text_release);
    frame_release(&editor.screen);
    history_release(&editor.history);
}

ReadStatus editor_read(Text *entry, bool *lines_follow) {
    *lines_follow = true;
    ReadStatus status =
        editor.editing ? edit(entry, lines_follow) : plain_read(editor.session, entry);
    if (status == READ_ENTRY) remember(entry);
    return status;
}

void editor_forget_keys(void) {
    if (editor.editing) input_forget();
}
