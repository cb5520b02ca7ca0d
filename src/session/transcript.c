#include "session/transcript.h"

#include <string.h>

void transcript_init(Transcript *transcript) { *transcript = (Transcript){.cells = TEXT_EMPTY}; }

void transcript_release(Transcript *transcript) { text_release(&transcript->cells); }

void transcript_write_block(Text *out, const char *indent, const char *info, const char *text,
                            size_t length) {
    /* A fence must be longer than any run of backticks in what it encloses. */
    size_t fence = 3, ticks = 0;
    for (size_t i = 0; i < length; i++) {
        ticks = text[i] == '`' ? ticks + 1 : 0;
        if (ticks >= fence) fence = ticks + 1;
    }
    size_t bare = strlen(indent); /* of what stands before an empty line */
    while (bare && indent[bare - 1] == ' ') bare--;
    text_string(out, indent);
    text_repeat(out, '`', fence);
    text_format(out, "%s\n", info);
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line = end ? (size_t)(end - text) - at : length - at;
        text_bytes(out, indent, line ? strlen(indent) : bare);
        text_bytes(out, text + at, line);
        text_char(out, '\n');
        at += line + 1;
    }
    text_string(out, indent);
    text_repeat(out, '`', fence);
    text_char(out, '\n');
}

void transcript_add(Transcript *transcript, const char *entry, size_t length, bool whole) {
    Text *out = &transcript->cells;
    while (length && (entry[length - 1] == '\n' || entry[length - 1] == '\r')) length--;
    if (transcript->skip || length == 0) return;

    if (!whole) text_string(out, "\nThis entry was interrupted; it does not run again.\n");
    text_char(out, '\n');
    transcript_write_block(out, "", whole ? "attn" : "text", entry, length);
}
