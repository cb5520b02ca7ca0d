#include "session/transcript.h"

void transcript_init(Transcript *transcript) {
    text_init(&transcript->cells);
    transcript->skip = false;
}

void transcript_release(Transcript *transcript) { text_release(&transcript->cells); }

/* A fence must be longer than any run of backticks in what it encloses. */
static size_t fence_length(const char *entry, size_t length) {
    size_t most = 2, row = 0;
    for (size_t i = 0; i < length; i++) {
        row = entry[i] == '`' ? row + 1 : 0;
        if (row > most) most = row;
    }
    return most + 1;
}

void transcript_add(Transcript *transcript, const char *entry, size_t length, bool whole) {
    Text *out = &transcript->cells;
    while (length && (entry[length - 1] == '\n' || entry[length - 1] == '\r')) length--;
    size_t fence = fence_length(entry, length);
    if (transcript->skip || length == 0) return;
    if (!whole) text_string(out, "\nThis entry was interrupted; it does not run again.\n");
    text_char(out, '\n');
    text_repeat(out, '`', fence);
    text_string(out, whole ? "attn\n" : "text\n");
    text_bytes(out, entry, length);
    text_char(out, '\n');
    text_repeat(out, '`', fence);
    text_char(out, '\n');
}
