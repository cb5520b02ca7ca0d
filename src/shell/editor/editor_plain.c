/* Whether an entry is whole, and the reader without readline or where TERM is dumb, for which the
 * terminal itself edits each line. */
#include "base/interrupt.h"
#include "shell/editor/editor_shared.h"
#include "shell/terminal/pause.h"

#include <math.h>

EntryState entry_state(Session *session, const char *text, size_t length, bool lines_follow,
                       Text *missing) {
    LocalChunk *chunk = NULL;
    Error err = {.kind = ERR_NONE};
    ParseStatus status = parse(&session->interp, "", text, length, lines_follow, &chunk, &err);
    if (status == PARSE_OK) return ENTRY_WHOLE;
    if (status != PARSE_INCOMPLETE) return ENTRY_WRONG;
    if (missing) text_string(missing, err.message);
    return ENTRY_GOES_ON;
}

ReadStatus plain_read(Session *session, Text *entry) {
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
        if (byte >= 0) state = entry_state(session, entry->data, entry->length, true, NULL);
        prompt = EDITOR_NEXT_PROMPT;
    }
    line_input_end();
    if (byte >= 0) return READ_ENTRY;
    fputc('\n', stdout);
    return byte == LINE_INPUT_INTERRUPTED ? READ_INTERRUPTED : READ_END;
}
