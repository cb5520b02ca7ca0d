#include "shell/report.h"

#include "shell/editor/editor.h"
#include "shell/help/help_entry.h"
#include "shell/terminal/ascii.h"
#include "shell/terminal/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* True if the error's line is the one that was typed. A function that was typed earlier fails in a
 * line that is no longer in sight. */
static bool is_in_sight(const Error *error, const char *typed) {
    size_t length = strlen(error->excerpt);
    return typed && !*error->file && strncmp(typed, error->excerpt, length) == 0 &&
           typed[length + strspn(typed + length, "\r\n")] == '\0';
}

/* The source line with a caret below it, or the caret alone below what was typed. */
static void write_place(Text *text, const Error *error, const char *typed) {
    enum { INDENT = 4 };
    int indent = INDENT;
    if (error->line == 0) return;
    if (is_in_sight(error, typed)) {
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

/* A hint is a sentence of its own: its first word gets a capital unless it is a name. */
static void write_hint(Text *text, const char *hint, const Session *session) {
    char word[32] = "";
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
    Text place = TEXT_EMPTY, sentence = TEXT_EMPTY;
    terminal_flush(NULL);
    write_place(&place, error, typed);
    text_format(&sentence, "%s error: %s", error_kind_word(error->kind), error->message);
    if (*error->hint) write_hint(&sentence, error->hint, session);
    fwrite(place.data, 1, place.length, stderr);
    if (sentence.failed)
        fprintf(stderr, "%s error: %s\n", error_kind_word(error->kind), error->message);
    else terminal_write_remark(&sentence, session->interp.host->columns);
    text_release(&place);
    text_release(&sentence);
}
