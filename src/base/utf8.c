#include "base/utf8.h"

#include "base/memory.h"

#include <string.h>
#include <utf8proc.h>

void utf8_write(Text *text, uint32_t code_point) {
    char bytes[4];
    text_bytes(text, bytes, utf8_from_code_point(bytes, code_point));
}

/* The length of ESC [ numbers m at the beginning of the text; 0: there is none. */
static size_t color_length(const char *text, size_t length) {
    size_t at = 2;
    if (length < 3 || text[0] != '\033' || text[1] != '[') return 0;
    while (at < length && ((text[at] >= '0' && text[at] <= '9') || text[at] == ';')) at++;
    return at < length && text[at] == 'm' ? at + 1 : 0;
}

void utf8_write_signs(Text *out, const char *text, size_t length, bool colors) {
    size_t from = 0; /* the characters from here to `at` are their own signs */
    for (size_t at = 0, taken; at < length; at += taken) {
        unsigned char first = (unsigned char)text[at];
        uint32_t c = first;
        taken = 1;
        if (first == '\n' || first == '\t' || (first >= ' ' && first < 0x7F)) continue;
        if (first >= 0x80) taken = utf8_next(text + at, length - at, &c);
        size_t color = colors ? color_length(text + at, length - at) : 0;
        if (color) taken = color;
        if (color || (utf8_sign(c) == c && c != UTF8_REPLACEMENT)) continue;
        text_bytes(out, text + from, at - from);
        utf8_write(out, utf8_sign(c));
        from = at + taken;
    }
    text_bytes(out, text + from, length - from);
}

void utf8_pad(Text *out, const char *text, size_t length, size_t width, bool right) {
    size_t columns, bytes = utf8_fitting(text, length, width, &columns);
    bool cut = bytes < length && width > 0;
    if (cut) {
        bytes = utf8_fitting(text, length, width - 1, &columns);
        columns++;
    }
    if (right) text_repeat(out, ' ', width - columns);
    text_bytes(out, text, bytes);
    if (cut) text_string(out, "…");
    if (!right) text_repeat(out, ' ', width - columns);
}

/* Letters of ASCII in pieces, without a look into tables. */
static void map_ascii(Text *out, const char *text, size_t length, bool upper) {
    char piece[64];
    const char first = upper ? 'a' : 'A';
    for (size_t at = 0, count; at < length; at += count) {
        for (count = 0; count < sizeof piece && at + count < length; count++) {
            char c = text[at + count];
            piece[count] = c >= first && c < first + 26 ? (char)(c ^ 0x20) : c;
        }
        text_bytes(out, piece, count);
    }
}

/* Bytes that are not UTF-8 stay as they are. */
static void map_case(Text *out, const char *text, size_t length,
                     utf8proc_int32_t (*map)(utf8proc_int32_t)) {
    for (size_t at = 0; at < length && !out->failed;) {
        uint32_t code_point;
        size_t taken = 0;
        while (at + taken < length && (unsigned char)text[at + taken] < 0x80) taken++;
        if (taken > 0) {
            map_ascii(out, text + at, taken, map == utf8proc_toupper);
            at += taken;
            continue;
        }
        taken = utf8_next(text + at, length - at, &code_point);
        utf8proc_int32_t mapped = map((utf8proc_int32_t)code_point);
        if (code_point == 0xDF && map == utf8proc_toupper) { /* ß, of which utf8proc makes ẞ */
            text_string(out, "SS");
        } else if ((uint32_t)mapped == code_point) {
            text_bytes(out, text + at, taken);
        } else {
            utf8_write(out, (uint32_t)mapped);
        }
        at += taken;
    }
}

void utf8_lower(Text *out, const char *text, size_t length) {
    map_case(out, text, length, utf8proc_tolower);
}

void utf8_upper(Text *out, const char *text, size_t length) {
    map_case(out, text, length, utf8proc_toupper);
}

bool utf8_nfkc(Text *out, const char *text, size_t length) {
    size_t ascii = 0;
    while (ascii < length && (unsigned char)text[ascii] < 0x80) ascii++;
    if (ascii == length) return false;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    const utf8proc_ssize_t size = (utf8proc_ssize_t)length;
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
    utf8proc_ssize_t count = utf8proc_decompose(bytes, size, NULL, 0, options);
    if (count < 0) return false;
    /* One more than the code points: utf8proc puts a zero byte after the text. */
    LocalMemory utf8proc_int32_t *points = mem_zeroed((size_t)count + 1, sizeof *points, NULL);
    if (!points) return !text_fail(out);
    utf8proc_decompose(bytes, size, points, count, options);
    utf8proc_ssize_t written = utf8proc_reencode(points, count, options);
    bool changed = written >= 0 && ((size_t)written != length || memcmp(points, text, length) != 0);
    if (changed) text_bytes(out, (const char *)points, (size_t)written);
    return changed;
}

/* True if a line may end between these two, with no space between them. Chinese, Japanese and
 * Korean text breaks between characters, but no line begins with punctuation that closes, or ends
 * with punctuation that opens. */
static bool breaks_between(uint32_t before, uint32_t after) {
    bool wide = utf8_columns(before) == 2 || utf8_columns(after) == 2;
    if (!wide || before == '"' || before == '\'') return false;
    utf8proc_category_t end = utf8proc_category((utf8proc_int32_t)before);
    if (end == UTF8PROC_CATEGORY_PS || end == UTF8PROC_CATEGORY_PI) return false;
    switch (utf8proc_category((utf8proc_int32_t)after)) {
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
    case UTF8PROC_CATEGORY_PD: return false;
    default: return true;
    }
}

/* The bytes of the first line of `text`, at most `width` columns unless nothing in it may break,
 * and without the spaces at its end. *next is where the next line begins. */
static size_t line_of(const char *text, size_t length, size_t width, size_t *next) {
    size_t columns = 0, ended = 0, at = 0;
    uint32_t before = 0, code_point;
    *next = length;
    for (size_t taken; at < length; at += taken) {
        taken = utf8_next(text + at, length - at, &code_point);
        size_t more = utf8_columns(code_point);
        bool space = code_point == ' ';
        if (more == 0) continue; /* a mark belongs to the character before it */
        if (before && (space ? before != ' ' : before != ' ' && breaks_between(before, code_point)))
            ended = *next = at;
        if (before == ' ' && !space) *next = at;
        if (columns + more > width && !space && ended) return ended;
        columns += more;
        before = code_point;
    }
    *next = length;
    return trimmed_length(text, at, " ");
}

void utf8_wrap(Text *out, const char *words, size_t width) {
    words += strspn(words, " ");
    size_t length = strlen(words), next;
    do {
        text_bytes(out, words, line_of(words, length, width, &next));
        text_char(out, '\n');
        words += next;
        length -= next;
    } while (length);
}

void utf8_wrap_lines(Text *out, Text *lines, size_t width) {
    for (char *line = lines->data, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = '\0';
        utf8_wrap(out, line, width);
    }
    text_release_for(lines, out);
}
