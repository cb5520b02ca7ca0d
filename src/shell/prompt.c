#include "shell/prompt.h"

#include "base/utf8.h"
#include "shell/editor/editor.h"
#include "shell/help/welcome.h"
#include "shell/report.h"
#include "shell/terminal/terminal.h"

#include <stdio.h>
#include <string.h>

/* Says what went wrong with an entry. The caret alone stands below what was typed, where nothing
 * was shown since and the screen did not wrap the line. */
static void report_entry(Session *session, const Error *err, const Text *text, bool shown) {
    if (err->kind == ERR_INTERRUPT) {
        editor_forget_keys();
        Text words = TEXT_EMPTY;
        utf8_wrap(&words, err->message, (size_t)session->interp.host->columns);
        fputs(words.data, stderr);
        text_release(&words);
        return;
    }
    int columns = session->interp.host->columns;
    size_t line = strcspn(text->data, "\n");
    bool in_sight = !shown && editor_prompt_width() + (int)utf8_width(text->data, line) < columns;
    report_error(session, err, in_sight ? text->data : NULL);
}

/* Parses and runs what was typed. False: leave. */
static bool run_typed(Session *session, const Text *text, bool lines_follow) {
    Chunk *chunk = NULL;
    Error err = {.kind = ERR_NONE};
    size_t shown = terminal_shown();
    terminal_measure(session->interp.host);
    bool ok = text_ok(text, &err) && parse(&session->interp, "", text->data, text->length,
                                           lines_follow, &chunk, &err) == PARSE_OK;
    if (ok) {
        for (int i = 0; ok && i < chunk->entry_count; i++)
            ok = session_run_entry(session, chunk, i, &err);
        terminal_close_line();
        ok = terminal_flush(ok ? &err : &(Error){.kind = ERR_NONE}) && ok;
    }
    bool leaves = !ok && err.kind == ERR_EXIT;
    if (!ok && !leaves) report_entry(session, &err, text, terminal_shown() > shown);
    if (chunk) chunk_unref(chunk);
    return !leaves;
}

/* "Enter leaves, or try: set mask causal" */
static void invite(Session *session) {
    Text line = TEXT_EMPTY, lines = TEXT_EMPTY;
    Error ignored = {.kind = ERR_NONE};
    text_string(&line, "Enter leaves, or try: ");
    text_string(&line, *session->invitation ? session->invitation : "help");
    utf8_wrap_lines(&lines, &line, (size_t)session->interp.host->columns);
    host_write_text(session->interp.host, &lines, &ignored);
    terminal_flush(NULL);
}

void prompt_run(Session *session, PromptBegin begin) {
    Text text = TEXT_EMPTY;
    bool lines_follow, guest = begin == PROMPT_GUEST;
    if (begin == PROMPT_BANNER) welcome_write(session->interp.host);
    if (guest) invite(session);
    editor_open(session, !session->interp.safe);
    for (bool more = true; more;) {
        ReadStatus status = editor_read(&text, &lines_follow);
        if (status == READ_END) break;
        bool empty = !text.failed && strspn(text.data, " \t\n") == text.length;
        if (guest && status == READ_ENTRY && empty) break;
        guest = false;
        if (status == READ_ENTRY) more = run_typed(session, &text, lines_follow);
    }
    editor_close();
    text_release(&text);
}
