#define _GNU_SOURCE /* for memmem */
#include "base/text.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

char text_nothing[1] = "";

void text_init(Text *text) { *text = (Text)TEXT_EMPTY; }

void text_release(Text *text) {
    if (text->capacity) mem_free(text->data);
    *text = (Text){.data = text_nothing, .kept = text->kept, .whole = text->whole};
}

void text_release_for(Text *text, Text *out) {
    if (text->failed) text_fail(out);
    text_release(text);
}

void text_cut(Text *text, size_t length) {
    if (length < text->length) text->data[text->length = length] = '\0';
}

void text_cut_blanks(Text *text) { text_cut(text, trimmed_length(text->data, text->length, " ")); }

bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

size_t trimmed_length(const char *bytes, size_t length, const char *ends) {
    while (length > 0 && bytes[length - 1] && strchr(ends, bytes[length - 1])) length--;
    return length;
}

size_t leading_word(const char *string) {
    size_t length = 0;
    while (is_word_byte(string[length])) length++;
    return length;
}

size_t trailing_word(const char *bytes, size_t end) {
    while (end > 0 && is_word_byte(bytes[end - 1])) end--;
    return end;
}

void text_clear(Text *text) {
    text->length = 0;
    text->failed = false;
    if (text->capacity) text->data[0] = 0;
}

/* A text of this many bytes is long: after Ctrl-C nobody waits for its end. */
enum { LONG_TEXT = 1 << 16 };

bool text_fail(Text *text) {
    for (; text; text = text->whole) text->failed = true;
    return false;
}

/* Room for `more` bytes and the zero byte. */
static bool reserve(Text *text, size_t more) {
    if (text->failed) return false;
    if (interrupt_flag && !text->kept && text->length > LONG_TEXT) return text_fail(text);
    if (more < text->capacity - text->length) return true;
    if (more > SIZE_MAX / 2 - text->length - 1) return text_fail(text);
    size_t needed = text->length + more + 1;
    size_t capacity = needed < 32 ? 32 : needed + text->capacity / 2;
    char *data = mem_resize(text->capacity ? text->data : NULL, capacity, NULL);
    if (!data) return text_fail(text);
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_bytes(Text *text, const char *bytes, size_t length) {
    if (length == 0 || !reserve(text, length)) return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void text_string(Text *text, const char *string) { text_bytes(text, string, strlen(string)); }

void text_char(Text *text, char c) { text_bytes(text, &c, 1); }

void text_repeat(Text *text, char c, size_t count) {
    if (count == 0 || !reserve(text, count)) return;
    memset(text->data + text->length, c, count);
    text->length += count;
    text->data[text->length] = 0;
}

void text_format(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_vformat(text, format, arguments);
    va_end(arguments);
}

void text_vformat(Text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    size_t room = text->failed || !text->capacity ? 0 : text->capacity - text->length;
    int length = vsnprintf(room ? text->data + text->length : NULL, room, format, again);
    va_end(again);
    if (length >= 0 && (size_t)length < room) {
        text->length += (size_t)length;
        return;
    }
    if (room) text->data[text->length] = 0; /* takes back what was cut off */
    if (length < 0) text_fail(text);
    if (length <= 0 || !reserve(text, (size_t)length)) return;
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    text->length += (size_t)length;
}

bool text_ok(const Text *text, Error *err) {
    return !text->failed || (interrupt_flag ? interrupt_error(err) : mem_error(err, text->length));
}

char *text_take(Text *text, Error *err) {
    char *data = NULL;
    if (!text_ok(text, err)) {
        text_release(text);
    } else if (text->capacity) {
        data = text->data;
        text_init(text);
    } else {
        data = mem_string("", 0, err);
    }
    return data;
}

size_t text_lines(const Text *text) {
    size_t lines = 0;
    for (size_t i = 0; i < text->length; i++) lines += text->data[i] == '\n';
    return lines;
}

TextLine text_line(const Text *text, size_t *at) {
    const char *bytes = text->data + *at, *newline = memchr(bytes, '\n', text->length - *at);
    size_t length = newline ? (size_t)(newline - bytes) : text->length - *at;
    *at += length + (newline != NULL);
    return (TextLine){bytes, length};
}

void base64_write(Text *out, const char *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i < 3 ? length - i : 3;
        unsigned group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (k < left ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            text_char(out, k <= left ? digits[group >> (18 - 6 * k) & 63] : '=');
    }
}

/* Handles some of a long text at a time, so that Ctrl-C is heard. */
enum { AT_ONCE = 1 << 24 };

static __attribute__((noinline)) size_t search_windows(const char *bytes, size_t length,
                                                       size_t from, const char *part,
                                                       size_t part_length) {
    while (from <= length && part_length <= length - from && !interrupt_flag) {
        size_t window = part_length < AT_ONCE / 2 ? AT_ONCE : 2 * part_length;
        if (window > length - from) window = length - from;
        const char *found = memmem(bytes + from, window, part, part_length);
        if (found) return (size_t)(found - bytes);
        if (window == length - from) break;
        from += window - part_length + 1;
    }
    return NOT_FOUND;
}

size_t search_bytes(const char *bytes, size_t length, size_t from, const char *part,
                    size_t part_length) {
    if (part_length != 1 || from > length || length - from > AT_ONCE)
        return search_windows(bytes, length, from, part, part_length);
    const char *found = memchr(bytes + from, *part, length - from);
    return found ? (size_t)(found - bytes) : NOT_FOUND;
}
