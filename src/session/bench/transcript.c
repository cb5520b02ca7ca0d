#include "session/bench/transcript.h"

#include "base/utf8.h"

#include <string.h>

void transcript_init(Transcript *transcript) {
    *transcript = (Transcript){.cells = TEXT_KEPT, .shown = TEXT_KEPT, .outputs = TEXT_KEPT};
}

void transcript_release(Transcript *transcript) {
    text_release(&transcript->cells);
    text_release(&transcript->shown);
    text_release(&transcript->outputs);
}

void transcript_write_block(Text *out, const char *indent, const char *info, const char *text,
                            size_t length) {
    /* A fence must be longer than any run of backticks in what it encloses. */
    size_t fence = 3, ticks = 0;
    for (size_t i = 0; i < length; i++) {
        ticks = text[i] == '`' ? ticks + 1 : 0;
        if (ticks >= fence) fence = ticks + 1;
    }
    size_t bare = trimmed_length(indent, strlen(indent), " "); /* the indent of an empty line */
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

/* ---- what an entry showed ---- */

static void end_shown(Transcript *transcript) {
    Text plain = TEXT_KEPT;
    /* Colours are left out; other control characters are signs. */
    for (size_t at = 0; at < transcript->shown.length; at++) {
        unsigned char c = (unsigned char)transcript->shown.data[at];
        if (c == '\033')
            at += utf8_escape(transcript->shown.data + at, transcript->shown.length - at) - 1;
        else if (c == '\n' || c == '\t' || (c >= ' ' && c != 0x7F)) text_char(&plain, (char)c);
        else utf8_write(&plain, utf8_sign(c));
    }
    if (plain.length) {
        text_char(&transcript->outputs, '\n');
        transcript_write_block(&transcript->outputs, "", "attn output", plain.data, plain.length);
    }
    text_release_for(&plain, &transcript->outputs);
    text_release_for(&transcript->shown, &transcript->outputs);
}

void transcript_begin(Transcript *transcript) {
    transcript->skip = false;
    text_release(&transcript->shown);
    text_release(&transcript->outputs);
}

void transcript_write_words(Text *out, const char *words) {
    for (; *words; words++) {
        if (*words == '&') text_string(out, "&amp;");
        else if (*words == '\\') text_string(out, "\\\\");
        else if (*words == '`') text_char(out, '\'');
        else text_char(out, (unsigned char)*words < ' ' ? ' ' : *words);
    }
}

void transcript_add_picture(Transcript *transcript, const char *words, const Text *picture) {
    Text info = TEXT_KEPT;
    end_shown(transcript);
    text_string(&info, "attn output picture ");
    transcript_write_words(&info, words);
    text_char(&transcript->outputs, '\n');
    transcript_write_block(&transcript->outputs, "", info.data, picture->data, picture->length);
    text_release_for(&info, &transcript->outputs);
}

void transcript_add(Transcript *transcript, const char *entry, size_t length, bool whole) {
    Text *out = &transcript->cells;
    length = trimmed_length(entry, length, "\r\n");
    if (transcript->skip || length == 0) return;

    if (!whole) text_string(out, "\nThis entry was interrupted; it does not run again.\n");
    text_char(out, '\n');
    transcript_write_block(out, "", whole ? "attn" : "text", entry, length);
    end_shown(transcript);
    if (whole) text_bytes(out, transcript->outputs.data, transcript->outputs.length);
    if (transcript->outputs.failed) text_fail(out);
}

void transcript_hand_on(Transcript *transcript, const char *entry, size_t length) {
    if (!transcript->lines || transcript->skip || length == 0) return;
    text_bytes(transcript->lines, entry, length);
    if (entry[length - 1] != '\n') text_char(transcript->lines, '\n');
}
