/* The prompt's reader where there is no readline or TERM is dumb: the terminal itself edits each
 * line. */
#include "base/interrupt.h"
#include "shell/editor/editor_language.h"
#include "shell/editor/editor_state.h"
#include "shell/terminal/line_input.h"

#include <math.h>

ReadStatus plain_read(Session *session, Text *entry) {
    const char *prompt = EDITOR_PROMPT;
    int byte;
    text_clear(entry);
    interrupt_flag = 0; /* what came since the last entry is for nothing */
    line_input_begin(INFINITY);
    do {
        fputs(prompt, stdout);
        fflush(stdout);
        while ((byte = line_input_byte()) >= 0) {
            text_char(entry, (char)byte);
            if (byte == '\n') break;
        }
        prompt = EDITOR_NEXT_PROMPT;
    } while (byte >= 0 &&
             language_judge(session, entry->data, entry->length, true, NULL) == ENTRY_GOES_ON);
    line_input_end();
    if (byte >= 0) return READ_ENTRY;
    fputc('\n', stdout);
    return byte == LINE_INPUT_INTERRUPTED ? READ_INTERRUPTED : READ_END;
}
