#include "shell/prompt.h"

#include "base/interrupt.h"
#include "shell/help.h"
#include "shell/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_prompt[] = "attn> ", next_prompt[] = "  ... ";

static bool is_name(const void *session, const char *word) {
    return help_is_name(session, word);
}

typedef enum LineStatus { LINE_READ, LINE_INTERRUPTED, LINE_END } LineStatus;

/* Appends a line and its newline. */
static LineStatus read_line(Text *text, const char *prompt) {
    fputs(prompt, stdout);
    fflush(stdout);
    for (;;) {
        int c = getchar();
        if (c == EOF) {
            bool interrupt = ferror(stdin) && errno == EINTR;
            clearerr(stdin);
            fputc('\n', stdout);
            return interrupt ? LINE_INTERRUPTED : LINE_END;
        }
        text_char(text, (char)c);
        if (c == '\n') return LINE_READ;
    }
}

/* Reads lines until they are a whole entry (or a mistake). */
static LineStatus read_entry(Session *session, Text *text, Chunk **chunk, bool *parsed, Error *err) {
    text_clear(text);
    for (int lines = 0;; lines++) {
        LineStatus status = read_line(text, lines ? next_prompt : first_prompt);
        if (status != LINE_READ) return status;
        ParseStatus parse_status = parse(&session->interp, "", text->data, text->length, true, chunk, err);
        if (parse_status == PARSE_INCOMPLETE) continue;
        *parsed = parse_status == PARSE_OK;
        return LINE_READ;
    }
}

static void report(Session *session, const Error *err, const Text *text) {
    if (err->kind == ERR_INTERRUPT) {
        fputs("interrupted; what was done so far stays\n", stderr);
        return;
    }
    Report shape = {text->data, (int)sizeof first_prompt - 1, session->interp.host->columns, is_name, session};
    terminal_report(err, &shape);
}

/* False: leave. */
static bool run_entries(Session *session, Chunk *chunk, const Text *text) {
    Error err = {.kind = ERR_NONE};
    bool ok = true;
    terminal_measure(session->interp.host);
    for (int i = 0; ok && i < chunk->entry_count; i++) ok = session_run_entry(session, chunk, i, &err);
    ok = terminal_flush(ok ? &err : &(Error){.kind = ERR_NONE}) && ok;
    interrupt_flag = 0;
    if (!ok && err.kind != ERR_EXIT) report(session, &err, text);
    return ok || err.kind != ERR_EXIT;
}

void prompt_run(Session *session, bool banner) {
    Text text;
    text_init(&text);
    if (banner) puts("attn: see what attention computes.\nTry:  X = randn(3, 4)\n      attend\nhelp gives an overview, exit leaves.");
    for (bool more = true; more;) {
        Chunk *chunk = NULL;
        bool parsed = false;
        Error err = {.kind = ERR_NONE};
        LineStatus status = read_entry(session, &text, &chunk, &parsed, &err);
        interrupt_flag = 0;
        if (status == LINE_END) break;
        if (status == LINE_INTERRUPTED) continue;
        if (parsed) more = run_entries(session, chunk, &text);
        else report(session, &err, &text);
        if (chunk) chunk_unref(chunk);
    }
    text_release(&text);
}
