/* A reader for terminals that can do nothing: the terminal's own editing, line by line. */
#include "base/interrupt.h"
#include "shell/editor/editor_language.h"
#include "shell/editor/editor_state.h"

#include <errno.h>

/* Appends a line and its newline. */
static ReadStatus read_line(Text *text, const char *prompt) {
    fputs(prompt, stdout);
    fflush(stdout);
    for (;;) {
        int c = interrupt_flag ? EOF : getchar();
        if (c == EOF) {
            bool interrupt = interrupt_flag || (ferror(stdin) && errno == EINTR);
            clearerr(stdin);
            fputc('\n', stdout);
            return interrupt ? READ_INTERRUPTED : READ_END;
        }
        text_char(text, (char)c);
        if (c == '\n') return READ_ENTRY;
    }
}

ReadStatus plain_read(Session *session, Text *entry) {
    text_clear(entry);
    interrupt_flag = 0; /* as for edit, in editor.c */
    const char *prompt = EDITOR_PROMPT;
    do {
        ReadStatus status = read_line(entry, prompt);
        if (status != READ_ENTRY) return status;
        prompt = EDITOR_NEXT_PROMPT;
    } while (language_judge(session, entry->data, entry->length, true, NULL) == ENTRY_GOES_ON);
    return READ_ENTRY;
}
