#include "shell/prompt.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "lang/class.h"
#include "lang/exception.h"
#include "notebook/opening.h"
#include "shell/editor/editor.h"
#include "shell/help/help.h"
#include "shell/help/help_entry.h"
#include "shell/terminal/ascii.h"
#include "shell/terminal/pager.h"
#include "shell/terminal/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- errors ---- */

/* The source line with a caret below it, or the caret alone below what was typed. */
static void write_place(Text *text, const Error *error, const char *typed) {
    enum { INDENT = 4 };
    int indent = INDENT;
    if (error->line == 0) return;
    /* A function that was typed earlier fails in a line that is no longer in sight. */
    size_t length = strlen(error->excerpt);
    bool in_sight = typed && !*error->file && strncmp(typed, error->excerpt, length) == 0 &&
                    typed[length + strspn(typed + length, "\r\n")] == '\0';
    if (in_sight) {
        indent = editor_prompt_width();
    } else {
        if (*error->file) text_format(text, "%s:%d:%d:\n", error->file, error->line, error->column);
        text_repeat(text, ' ', INDENT);
        /* Every character keeps its width, as the caret is below it. */
        if (terminal_reads_utf8(STDERR_FILENO)) text_string(text, error->excerpt);
        else ascii_write(text, error->excerpt, strlen(error->excerpt), true);
        text_char(text, '\n');
    }
    text_repeat(text, ' ', (size_t)(indent + error->caret));
    text_repeat(text, '^', (size_t)(error->caret_width > 0 ? error->caret_width : 1));
    text_char(text, '\n');
}

/* A hint is a sentence of its own: in English its first word gets a capital unless it is a name. */
static void write_hint(Text *text, const char *hint, const Session *session) {
    char word[32] = "";
    if (translate_language() != LANGUAGE_ENGLISH) {
        text_string(text, tr(". "));
        tr_write(text, hint);
        return;
    }
    size_t length = 0;
    for (; length < sizeof word - 1 && islower((unsigned char)hint[length]); length++)
        word[length] = hint[length];
    bool ends = hint[length] == ' ' || hint[length] == ':' || hint[length] == ',';
    bool sentence = length > 1 && ends && hint[length + 1] != '=' && !help_is_name(session, word);
    if (strncmp(hint, "a ", 2) == 0) sentence = true;
    text_string(text, ". ");
    text_char(text, sentence ? (char)toupper((unsigned char)*hint) : *hint);
    text_string(text, hint + 1);
    bool code = strstr(hint, ": ") || strncmp(hint, "write ", 6) == 0; /* as it is to be typed */
    if (!code && isalpha((unsigned char)hint[strlen(hint) - 1])) text_char(text, '.');
}

void report_error(const Session *session, const Error *error, const char *typed) {
    LocalText place = TEXT_EMPTY, sentence = TEXT_EMPTY;
    terminal_flush(NULL);
    write_place(&place, error, typed);
    text_say_error(&sentence, error);
    if (*error->hint) write_hint(&sentence, error->hint, session);
    fwrite(place.data, 1, place.length, stderr);
    if (sentence.failed)
        fprintf(stderr, "%s error: %s\n", error_kind_word(error->kind), error->message);
    else terminal_write_remark(&sentence, session->interp.host->columns);
}

int report_exit(const Session *session, const Error *error) {
    const Value *raised = raised_object(&session->interp, error);
    LocalText text = TEXT_EMPTY;
    double status = 0;
    if (raised) instance_write(&text, raised, session->interp.digits, false);
    if (text.length == 0 || number_read_whole(text.data, text.length, &status))
        return (int)status & 0xFF;
    fprintf(stderr, "%s\n", text.data);
    return 1;
}

/* ---- entries ---- */

/* Says that Ctrl-C has ended something, which is no error. */
static void report_interrupt(const Session *session, const Error *err) {
    editor_forget_keys();
    LocalText words = TEXT_EMPTY;
    text_say_wrapped(&words, err->message, (size_t)session->interp.host->columns);
    fputs(words.data, stderr);
}

/* Parses and runs what was typed, and reports an error. Sets *ran to whether there was none.
 * Returns false after `exit`. */
static bool run_typed(Session *session, const Text *text, bool lines_follow, bool *ran) {
    LocalChunk *chunk = NULL;
    Error err = {.kind = ERR_NONE};
    Host *host = session->interp.host;
    size_t shown = terminal_shown();
    terminal_measure(host);
    bool ok = text_ok(text, &err) && parse(&session->interp, "", text->data, text->length,
                                           lines_follow, &chunk, &err) == PARSE_OK;
    if (ok) {
        for (int i = 0; ok && i < chunk->entry_count; i++)
            ok = session_run_entry(session, chunk, i, &err);
        terminal_close_line();
        ok = terminal_flush(ok ? &err : &(Error){.kind = ERR_NONE}) && ok;
    }
    *ran = ok;
    if (ok) return true;
    if (err.kind == ERR_EXIT) {
        report_exit(session, &err);
        return false;
    }
    if (err.kind == ERR_INTERRUPT) {
        report_interrupt(session, &err);
        return true;
    }
    /* Only the caret is shown below what was typed, where nothing was shown since and the screen
     * did not wrap the line. */
    size_t line = utf8_width(text->data, strcspn(text->data, "\n"));
    bool in_sight = terminal_shown() == shown && editor_prompt_width() + (int)line < host->columns;
    report_error(session, &err, in_sight ? text->data : NULL);
    return true;
}

/* "Enter leaves, or try: set mask causal" */
static void invite(Session *session) {
    Text line = TEXT_EMPTY, lines = TEXT_EMPTY;
    text_format(&line, "Enter leaves, or try: %s",
                *session->invitation ? session->invitation : "help");
    text_say_lines(&lines, &line, (size_t)session->interp.host->columns);
    host_write_text(session->interp.host, &lines, NULL);
    terminal_flush(NULL);
}

bool prompt_page(Host *host, const char *text, size_t length, Error *err) {
    return editor_has_keys() ? host_write(host, text, length, err)
                             : pager_show(host, text, length, err);
}

/* ---- lessons ---- */

static void leave_lesson(Session *session) {
    player_free(session->player);
    session->player = NULL;
}

/* Ends a line that the lesson left open, and reports the error that stopped it. */
static void report_lesson(Session *session, bool ok, const Error *err) {
    terminal_close_line();
    terminal_flush(NULL);
    if (ok) return;
    if (err->kind == ERR_INTERRUPT) report_interrupt(session, err);
    else report_error(session, err, NULL);
    interrupt_flag = 0;
}

/* Begins the lesson, or goes on where the person was. If Ctrl-C stops it while earlier cells run
 * again, the lesson is left, since its variables are half made; its progress is as it was. */
static void begin_lesson(Session *session) {
    Error err = {.kind = ERR_NONE};
    terminal_measure(session->interp.host);
    bool ok = player_begin(session->player, &err);
    report_lesson(session, ok, &err);
    if (!ok) leave_lesson(session);
}

/* Opens the lesson that a command asked for. */
static void open_asked_lesson(Session *session) {
    Error err = {.kind = ERR_NONE};
    LocalMemory char *asked = session->lesson;
    session->lesson = NULL;
    bool ok = lesson_open(session, *asked ? asked : NULL, report_error, &err);
    if (ok) begin_lesson(session);
    else report_lesson(session, ok, &err);
}

/* Hands what was typed to the lesson. What the lesson does not take, such as an answer or Enter, is
 * run as an entry, which the lesson then looks at. Returns false when the lesson is left or has
 * ended. */
static bool run_in_lesson(Session *session, const Text *text, bool lines_follow) {
    Error err = {.kind = ERR_NONE};
    bool taken, ran = false, stays = true;
    terminal_measure(session->interp.host);
    bool ok = player_take(session->player, text->data, text->length, &taken, &err);
    if (!taken) {
        stays = run_typed(session, text, lines_follow, &ran);
        if (stays) ok = player_after(session->player, ran, &err);
    }
    report_lesson(session, ok, &err);
    return stays && !player_has_ended(session->player);
}

void prompt_run(Session *session, PromptBegin begin) {
    LocalText text = TEXT_EMPTY;
    bool lines_follow, ran, guest = begin == PROMPT_GUEST, lesson = begin == PROMPT_LESSON;
    if (begin == PROMPT_BANNER) welcome_write(session->interp.host);
    if (guest) invite(session);
    editor_open(session, !session->interp.safe);
    if (lesson) begin_lesson(session);
    for (bool more = true; more;) {
        if (session->lesson) open_asked_lesson(session);
        LocalText prompt = TEXT_EMPTY;
        if (session->player) player_write_prompt(session->player, &prompt);
        else text_string(&prompt, "attn> ");
        editor_set_prompt(prompt.data);
        ReadStatus status = editor_read(&text, &lines_follow);
        if (status == READ_END) break;
        bool empty = !text.failed && strspn(text.data, " \t\n") == text.length;
        if (guest && status == READ_ENTRY && empty) break;
        guest = false;
        if (status != READ_ENTRY) continue;
        if (!session->player) {
            more = run_typed(session, &text, lines_follow, &ran);
        } else if (!run_in_lesson(session, &text, lines_follow)) {
            leave_lesson(session);
            more = !lesson;
        }
    }
    leave_lesson(session);
    editor_close();
}
