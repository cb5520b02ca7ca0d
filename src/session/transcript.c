#include "session/transcript.h"

void transcript_init(Transcript *transcript) { *transcript = (Transcript){.cells = TEXT_EMPTY}; }

void transcript_release(Transcript *transcript) { text_release(&transcript->cells); }

void transcript_add(Transcript *transcript, const char *entry, size_t length, bool whole) {
    Text *out = &transcript->cells;
    while (length && (entry[length - 1] == '\n' || entry[length - 1] == '\r')) length--;
    if (transcript->skip || length == 0) return;

    /* A fence must be longer than any run of backticks in what it encloses. */
    size_t fence = 3, ticks = 0;
    for (size_t i = 0; i < length; i++) {
        ticks = entry[i] == '`' ? ticks + 1 : 0;
        if (ticks >= fence) fence = ticks + 1;
    }
    if (!whole) text_string(out, "\nThis entry was interrupted; it does not run again.\n");
    text_char(out, '\n');
    text_repeat(out, '`', fence);
    text_string(out, whole ? "attn\n" : "text\n");
    text_bytes(out, entry, length);
    text_char(out, '\n');
    text_repeat(out, '`', fence);
    text_char(out, '\n');
}
