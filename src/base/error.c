#include "base/error.h"

#include "base/characters.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const words[] = {
    [ERR_NONE] = "",       [ERR_SYNTAX] = "syntax",       [ERR_NAME] = "name",
    [ERR_SHAPE] = "shape", [ERR_TYPE] = "type",           [ERR_VALUE] = "value",
    [ERR_FILE] = "file",   [ERR_LIMIT] = "limit",         [ERR_PLOT] = "plot",
    [ERR_CHECK] = "check", [ERR_INTERRUPT] = "interrupt", [ERR_EXIT] = "exit",
};

const char *error_kind_word(ErrorKind kind) { return words[kind]; }

ErrorKind error_kind_from_word(const char *word) {
    ErrorKind kind = ERR_EXIT;
    while (kind != ERR_NONE && strcmp(words[kind], word) != 0) kind--;
    return kind;
}

/* A message quotes files and names as they are, so characters that a terminal would obey become
 * signs. A text that is too long ends between characters, with a mark. */
static void format_cut(char *buffer, size_t size, const char *format, va_list arguments) {
    char raw[sizeof((Error *)0)->message];
    int wanted = vsnprintf(raw, size, format, arguments);
    size_t length = wanted < 0 ? 0 : strlen(raw), end = 0, keep = 0;
    bool whole = wanted < (int)size;
    while (end < length && raw[end] >= ' ' && raw[end] <= '~') end++;
    if (whole && end == length) { /* as most messages are */
        memcpy(buffer, raw, length + 1);
        return;
    }
    end = 0;
    for (size_t at = 0; at < length;) {
        uint32_t c;
        char bytes[4];
        at += utf8_next(raw + at, length - at, &c);
        size_t taken = utf8_from_code_point(bytes, c == '\n' ? c : utf8_sign(c));
        if (end + taken >= size) {
            whole = false;
            break;
        }
        memcpy(buffer + end, bytes, taken);
        end += taken;
        if (end + ELLIPSIS_BYTES < size) keep = end;
    }
    buffer[end] = 0;
    if (!whole) memcpy(buffer + keep, ELLIPSIS, ELLIPSIS_BYTES + 1);
}

bool error_set(Error *err, ErrorKind kind, const char *format, ...) {
    if (!err) return false;
    Error made = {.kind = kind}; /* the arguments may come from *err */
    va_list arguments;
    va_start(arguments, format);
    format_cut(made.message, sizeof made.message, format, arguments);
    va_end(arguments);
    *err = made;
    return false;
}

bool error_mark(Error *err, const char *exception) {
    if (err) err->exception = exception;
    return false;
}

bool error_is(const Error *err, const char *exception) {
    return err && err->exception && strcmp(err->exception, exception) == 0;
}

bool error_python(Error *err, const char *format, ...) {
    if (!err) return false;
    va_list arguments;
    va_start(arguments, format);
    format_cut(err->python, sizeof err->python, format, arguments);
    va_end(arguments);
    return false;
}

bool error_hint(Error *err, const char *format, ...) {
    if (!err) return false;
    va_list arguments;
    va_start(arguments, format);
    format_cut(err->hint, sizeof err->hint, format, arguments);
    va_end(arguments);
    return false;
}
