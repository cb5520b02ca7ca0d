#include "shell/prompt.h"

#include "base/utf8.h"
#include "shell/editor/editor.h"
#include "shell/report.h"
#include "shell/terminal/terminal.h"
#include "shell/help/welcome.h"

#include <stdio.h>
#include <string.h>

/* A caret can stand below what was typed where nothing was shown since, and the screen did not wrap
 * it. */
static const char *row_above(const Text *text, int columns, bool shown) {
    size_t line = strcspn(text->data, "\n");
    return !shown && editor_prompt_width() + (int)utf8_width(text->data, line) < columns
               ? text->data
               : NULL;
}

static void report(Session *session, const Error *err, const Text *text, bool shown) {
    if (err->kind == ERR_INTERRUPT) {
        editor_forget_keys();
        fputs("interrupted; what was done stays\n", stderr);
        return;
    }
    report_error(session, err, row_above(text, session->interp.host->columns, shown));
}

/* False: leave. */
static bool run_entries(Session *session, Chunk *chunk, const Text *text) {
    Error err = {.kind = ERR_NONE};
    bool ok = true;
    size_t shown = terminal_shown();
    for (int i = 0; ok && i < chunk->entry_count; i++)
        ok = session_run_entry(session, chunk, i, &err);
    terminal_close_line();
    ok = terminal_flush(ok ? &err : &(Error){.kind = ERR_NONE}) && ok;
    if (!ok && err.kind != ERR_EXIT) report(session, &err, text, terminal_shown() > shown);
    return ok || err.kind != ERR_EXIT;
}

static bool run_text(Session *session, const Text *text, bool lines_follow) {
    Chunk *chunk = NULL;
    Error err = {.kind = ERR_NONE};
    bool more = true;
    terminal_measure(session->interp.host);
    if (text_ok(text, &err) && parse(&session->interp, "", text->data, text->length, lines_follow,
                                     &chunk, &err) == PARSE_OK)
        more = run_entries(session, chunk, text);
    else report(session, &err, text, false);
    if (chunk) chunk_unref(chunk);
    return more;
}

void prompt_run(Session *session, bool banner) {
    Text text;
    bool lines_follow;
    text_init(&text);
    if (banner) welcome_write(session->interp.host);
    editor_open(session, !session->interp.safe);
    for (bool more = true; more;) {
        ReadStatus status = editor_read(&text, &lines_follow);
        if (status == READ_END) break;
        if (status == READ_ENTRY) more = run_text(session, &text, lines_follow);
    }
    editor_close();
    text_release(&text);
}
