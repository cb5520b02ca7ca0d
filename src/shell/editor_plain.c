/* A reader for terminals that can do nothing: the terminal's own editing, line by line. */
#include "shell/editor_language.h"
#include "shell/editor_state.h"

#include <errno.h>

/* Appends a line and its newline. */
static ReadStatus read_line(Text *text, const char *prompt) {
    fputs(prompt, stdout);
    fflush(stdout);
    for (;;) {
        int c = getchar();
        if (c == EOF) {
            bool interrupt = ferror(stdin) && errno == EINTR;
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
    const char *prompt = EDITOR_PROMPT;
    do {
        ReadStatus status = read_line(entry, prompt);
        if (status != READ_ENTRY) return status;
        prompt = EDITOR_NEXT_PROMPT;
    } while (language_judge(session, entry->data, entry->length, true, NULL) == ENTRY_GOES_ON);
    return READ_ENTRY;
}
