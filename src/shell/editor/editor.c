#include "shell/editor/editor_shared.h"

#include "base/interrupt.h"
#include "base/utf8.h"
#include "shell/editor/editor_input.h"
#include "shell/terminal/pause.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal.h"
#include "shell/terminal/terminal_mode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

Editor editor;

void editor_set_prompt(const char *prompt) {
    size_t columns, length = utf8_fitting(prompt, strlen(prompt), PROMPT_COLUMNS, &columns);
    if (length >= sizeof editor.prompt) length = 0;
    memcpy(editor.prompt, prompt, length);
    editor.prompt[length] = '\0';
}

int editor_prompt_width(void) { return (int)utf8_width(editor.prompt, strlen(editor.prompt)); }

EntryState entry_state(const char *text, size_t length, bool lines_follow, Text *missing) {
    LocalChunk *chunk = NULL;
    Error err = {.kind = ERR_NONE};
    ParseStatus status =
        parse(&editor.session->interp, "", text, length, lines_follow, &chunk, &err);
    if (status == PARSE_OK) return ENTRY_WHOLE;
    if (status != PARSE_INCOMPLETE) return ENTRY_WRONG;
    if (missing) text_string(missing, err.message);
    return ENTRY_GOES_ON;
}

/* Reads an entry without readline or where TERM is dumb: the terminal itself edits each line. */
static ReadStatus plain_read(Text *entry) {
    const char *prompt = editor.prompt;
    EntryState state = ENTRY_GOES_ON;
    int byte = 0;
    text_clear(entry);
    interrupt_flag = 0; /* a Ctrl-C since the last entry is void */
    line_input_begin(INFINITY, false);
    while (byte >= 0 && state == ENTRY_GOES_ON) {
        fputs(prompt, stdout);
        fflush(stdout);
        do {
            byte = line_input_byte();
            if (byte >= 0) text_char(entry, (char)byte);
        } while (byte >= 0 && byte != '\n');
        if (byte >= 0) state = entry_state(entry->data, entry->length, true, NULL);
        prompt = EDITOR_NEXT_PROMPT;
    }
    line_input_end();
    if (byte >= 0) return READ_ENTRY;
    fputc('\n', stdout);
    return byte == LINE_INPUT_INTERRUPTED ? READ_INTERRUPTED : READ_END;
}

#ifdef HAVE_READLINE

enum { has_readline = true };

/* ---- what readline calls ---- */

/* True for a key that begins a sequence while readline searches. It ends the search, is put back
 * and read again within the same call; if the sequence then means nothing, readline 8.2 jumps into
 * a function that has returned. ESC alone ends a search in another way. */
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

/* readline asks this to take all letters that wait in one go, and with them the key behind, which
 * handle_key must see first; so only letters count as waiting. It also asks after an ESC. */
static int letter_is_waiting(void) {
    return input_is_waiting(rl_set_keyboard_input_timeout(-1) / 1000) && input_peek() >= ' ' &&
           input_peek() != RUBOUT;
}

/* The terminal's mode is not readline's business. */
static void prepare_nothing(int meta) { (void)meta; }
static void restore_nothing(void) {}

/* Called for keys that end a line in a way of readline's own, and at the end of the input (NULL).
 * readline also takes it for the end if the line is empty and Ctrl-C came instead of its next key:
 * then the line stays open for the interrupt, which is the next event, to drop it. */
static void on_line(char *line) {
    if (!line && input_is_interrupted()) return;
    if (!editor.done) {
        editor.done = true;
        editor.status = line ? READ_ENTRY : READ_END;
        *editor.lines_follow = true;
        if (line) {
            text_string(editor.entry, line);
            text_char(editor.entry, '\n');
        }
        display_finished("");
    }
    free(line);
    rl_callback_handler_remove();
}

static void start_editing(void) {
    input_open();
    rl_readline_name = "attn";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_instream = stdin;
    rl_outstream = stdout;
    rl_getc_function = next_key;
    rl_input_available_hook = letter_is_waiting;
    rl_prep_term_function = prepare_nothing;
    rl_deprep_term_function = restore_nothing;
    rl_initialize();
    rl_redisplay_function = display_entry; /* set earlier, it would mean a dumb terminal */

    /* Without UTF-8 in the locale readline would make other keys of its bytes. */
    rl_variable_bind("input-meta", "on");
    rl_variable_bind("output-meta", "on");
    rl_variable_bind("convert-meta", "off");

    /* The terminal marks what is pasted unless ~/.inputrc says no. readline itself must not look
     * for the marks: keys that it takes for the beginning of one it puts back, with the same end as
     * in breaks_search. */
    const char *value = rl_variable_value("enable-bracketed-paste");
    editor.marks_paste = !value || strcmp(value, "off") != 0;
    rl_variable_bind("enable-bracketed-paste", "off");
    editor_keys_bind();
}

/* ---- events ---- */

/* The line is dropped but stays in sight. A search is dropped with it, and a key that others should
 * have followed. */
static void drop_line(const char *mark, ReadStatus status) {
    display_finished(mark);
    editor.hidden = true;
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_replace_line("", 1);
    rl_callback_handler_remove();
    editor.hidden = false;
    editor.list_is_stale = true;
    editor.done = true;
    editor.status = status;
}

static void measure_screen(void) {
    if (input_is_fed()) return;
    terminal_measure(editor.host);
    rl_set_screen_size(editor.host->rows, editor.host->columns);
}

/* Takes the terminal again after the program was stopped; stop: stops it first. */
static void resume(bool stop) {
    if (stop) display_finished("");
    terminal_give_back();
    if (stop) signals_stop();
    terminal_take(editor.marks_paste);
    measure_screen();
    display_entry();
}

/* The function that keys are bound to, or to what they begin; NULL: none. */
static rl_command_func_t *function_of(const char *keys, size_t length) {
    return rl_function_of_keyseq_len(keys, length, rl_get_keymap(), NULL);
}

static void handle_key(void) {
    bool begun = RL_ISSTATE(RL_STATE_MULTIKEY) != 0;
    bool within = RL_ISSTATE(RL_STATE_MULTIKEY | RL_STATE_ISEARCH | RL_STATE_NSEARCH |
                             RL_STATE_NUMERICARG) != 0;

    /* Terminals have more keys than anybody binds. readline would take the ends of their sequences
     * for letters, so unknown sequences are skipped. */
    const char *sequence;
    size_t length = input_peek_sequence(&sequence);
    if (begun) length = 0;
    const char *page = within ? NULL : editor_keys_page(sequence, length ? length : 1);
    if (page || (length > 0 && !function_of(sequence, length))) {
        input_read();
        while (length-- > 1) input_read();
        if (page) buffer_set(page);
        if (page) key_enter(1, '\r');
        return;
    }
    if (breaks_search(input_peek())) {
        input_read();
        return;
    }
    if (!begun) text_clear(&editor.message);
    char key = (char)input_peek();
    rl_command_func_t *function = function_of(&key, 1);
    bool searches = function == rl_reverse_search_history ||
                    function == rl_forward_search_history || function == rl_vi_search;
    if (!within && searches) editor_history_refresh();
    rl_callback_read_char();
}

static ReadStatus edit_entry(Text *entry, bool *lines_follow) {
    measure_screen();
    editor.entry = entry;
    editor.lines_follow = lines_follow;
    editor.done = false;
    text_clear(entry);
    text_clear(&editor.pasted);
    text_clear(&editor.message);
    editor_history_begin();

    if (!input_begin()) return plain_read(entry);
    interrupt_flag = 0; /* what came since the last entry is for nothing, and would make this entry
                           look wrong */
    if (!input_is_fed()) {
        terminal_take(editor.marks_paste);
        /* Keys typed while something ran have left their echo in the row of the prompt. */
        if (input_is_waiting(0)) fputs("\r\033[J", stdout);
    }
    rl_callback_handler_install(editor.prompt, on_line);
    terminal_choose_locale(); /* readline sets that of the environment each time */
    while (!editor.done) {
        if (editor.stale && !input_is_waiting(0)) display_entry();
        switch (input_wait()) {
        case INPUT_KEY: handle_key(); break;
        case INPUT_INTERRUPT: drop_line("^C", READ_INTERRUPTED); break;
        case INPUT_RESIZE:
            measure_screen();
            display_resized();
            break;
        case INPUT_STOP: resume(true); break;
        case INPUT_CONTINUE: resume(false); break;
        case INPUT_END: drop_line("", READ_END); break;
        }
    }
    terminal_give_back();
    clearerr(stdout); /* what a signal cut off here is no fault of the entry's own output */
    signals_end();
    return editor.status;
}

const char *editor_readline(void) { return rl_library_version; }

bool editor_drive(const char *keys, size_t length, FILE *out) {
    if (!editor.editing) start_editing();
    editor.editing = true;
    editor.out = out;
    input_feed(keys, length);
    return true;
}

#else

enum { has_readline = false };
static void start_editing(void) {}
void editor_history_end(void) {}

static ReadStatus edit_entry(Text *entry, bool *lines_follow) {
    (void)lines_follow;
    return plain_read(entry);
}

const char *editor_readline(void) { return NULL; }

bool editor_drive(const char *keys, size_t length, FILE *out) {
    (void)keys, (void)length, (void)out;
    return false;
}

#endif

/* ---- with and without readline ---- */

void editor_open(Session *session, bool keep_history) {
    editor = (Editor){.session = session,
                      .host = session->interp.host,
                      .message = TEXT_EMPTY,
                      .typed = TEXT_EMPTY,
                      .prefix = TEXT_EMPTY,
                      .pasted = TEXT_EMPTY,
                      .prompt = "attn> ",
                      .out = stdout};
    entry_frame_init(&editor.screen);
    entry_history_open(&editor.history, keep_history);
    editor.editing =
        has_readline && terminal_moves_cursor() && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (editor.editing) start_editing();
}

void editor_close(void) {
    if (editor.editing) editor_history_end();
    text_release(&editor.message);
    text_release(&editor.typed);
    text_release(&editor.prefix);
    text_release(&editor.pasted);
    entry_frame_release(&editor.screen);
    entry_history_release(&editor.history);
}

ReadStatus editor_read(Text *entry, bool *lines_follow) {
    *lines_follow = true;
    ReadStatus status = editor.editing ? edit_entry(entry, lines_follow) : plain_read(entry);
    if (status == READ_ENTRY && !entry->failed) {
        /* The entry is kept without the empty line that ended it. */
        size_t length = trimmed_length(entry->data, entry->length, " \t\n");
        entry_history_add(&editor.history, entry->data, length);
    }
    return status;
}

/* Byte by byte: what was typed before an Enter counts, too. */
bool editor_has_keys(void) {
    terminal_take(false);
    bool has = editor.editing ? input_is_waiting(0) : signals_wait_for_key(0);
    terminal_give_back();
    return has;
}

void editor_forget_keys(void) {
    if (editor.editing) input_forget();
}
