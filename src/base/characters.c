#include "base/characters.h"

#include <string.h>
#include <utf8proc.h>

/* Bytes taken, 0 where they are not UTF-8. */
static size_t decode(const char *text, size_t length, uint32_t *code_point) {
    unsigned char first = (unsigned char)text[0];
    *code_point = first;
    if (first < 0x80) return 1;
    if (first > 0xE0 && first < 0xED && length >= 3 && utf8_continues(text[1]) &&
        utf8_continues(text[2])) {
        *code_point = (first & 0xFu) << 12 | (text[1] & 0x3Fu) << 6 | (text[2] & 0x3Fu);
        return 3;
    }
    utf8proc_int32_t decoded;
    size_t most = length < 4 ? length : 4;
    utf8proc_ssize_t taken =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)most, &decoded);
    if (taken <= 0) return 0;
    *code_point = (uint32_t)decoded;
    return (size_t)taken;
}

size_t utf8_next(const char *text, size_t length, uint32_t *code_point) {
    *code_point = UTF8_REPLACEMENT;
    if (length == 0) return 0;
    size_t taken = decode(text, length, code_point);
    if (taken == 0) *code_point = UTF8_REPLACEMENT;
    return taken ? taken : 1;
}

size_t utf8_begin(const char *text, size_t at) {
    while (at > 0 && utf8_continues(text[at])) at--;
    return at;
}

size_t utf8_from_code_point(char bytes[4], uint32_t code_point) {
    utf8proc_int32_t valid = utf8proc_codepoint_valid((utf8proc_int32_t)code_point)
                                 ? (utf8proc_int32_t)code_point
                                 : UTF8_REPLACEMENT;
    return (size_t)utf8proc_encode_char(valid, (utf8proc_uint8_t *)bytes);
}

uint32_t utf8_sign(uint32_t c) {
    if (c == '\n' || c == 0x2028 || c == 0x2029) return 0x23CE; /* ⏎ */
    if (c == '\t') return ' ';
    if (c < 0x20) return 0x2400 + c;
    if (c == 0x7F) return 0x2421;
    bool turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    /* XML cannot take the noncharacters of the first plane either. */
    if ((c > 0x7F && c < 0xA0) || turns || c == 0xFFFE || c == 0xFFFF) return UTF8_REPLACEMENT;
    return c;
}

size_t utf8_check(const char *text, size_t length) {
    size_t at = 0;
    while (at < length) {
        uint32_t code_point;
        size_t taken = decode(text + at, length - at, &code_point);
        if (!taken) return at;
        at += taken;
    }
    return length;
}

size_t utf8_cluster(const char *text, size_t length) {
    uint32_t last, next;
    utf8proc_int32_t state = 0;
    size_t at = utf8_next(text, length, &last);
    while (at < length && (unsigned char)text[at] >= 0x80) { /* ASCII joins nothing */
        size_t taken = utf8_next(text + at, length - at, &next);
        if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)last, (utf8proc_int32_t)next,
                                             &state))
            break;
        at += taken;
        last = next;
    }
    return at;
}

size_t utf8_length(const char *text, size_t length) {
    size_t count = 0;
    for (size_t at = 0; at < length; count++) {
        uint32_t code_point;
        if ((unsigned char)text[at] < 0x80) at++;
        else at += utf8_next(text + at, length - at, &code_point);
    }
    return count;
}

size_t utf8_offset(const char *text, size_t length, size_t index) {
    size_t at = 0;
    for (; index > 0 && at < length; index--) {
        uint32_t code_point;
        at += utf8_next(text + at, length - at, &code_point);
    }
    return at;
}

size_t utf8_columns(uint32_t code_point) {
    /* ASCII and the most common Han characters need no look into the tables. */
    if (code_point >= 0x20 && code_point < 0x7F) return 1;
    if (code_point >= 0x4E00 && code_point <= 0x9FA5) return 2;
    int width = utf8proc_charwidth((utf8proc_int32_t)code_point);
    return width > 0 ? (size_t)width : 0;
}

size_t utf8_escape(const char *text, size_t length) {
    size_t at = 2;
    if (length < 2) return length;
    if (text[1] == '[') {
        while (at < length && !(text[at] >= 0x40 && text[at] <= 0x7E)) at++;
    } else if (text[1] == ']') {
        while (at < length && text[at] != '\a' && text[at] != '\033') at++;
        if (at + 1 < length && text[at] == '\033') at++; /* ESC \ ends it too */
    } else {
        for (at = 1; at < length && text[at] >= 0x20 && text[at] <= 0x2F;) at++;
    }
    return at < length ? at + 1 : length;
}

size_t utf8_rows(const char *text, size_t length, size_t columns, size_t *rows) {
    size_t most = *rows, column = 0, i = 0;
    bool open = false; /* a row that has begun */
    if (columns == 0) columns = 1;
    for (*rows = 0; i < length;) {
        uint32_t code_point;
        bool escape = text[i] == '\033';
        size_t taken = escape ? utf8_escape(text + i, length - i)
                              : utf8_next(text + i, length - i, &code_point);
        size_t width = escape || text[i] == '\n' ? 0
                       : text[i] == '\t'         ? 8 - column % 8
                                                 : utf8_width(text + i, taken);
        if (column + width > columns && column > 0) open = false;
        if (!open) {
            if (*rows == most) return i;
            ++*rows;
            column = 0;
        }
        column += width;
        open = text[i] != '\n';
        i += taken;
    }
    return i;
}

size_t utf8_fitting(const char *text, size_t length, size_t width, size_t *columns) {
    size_t at = 0;
    *columns = 0;
    while (at < length) {
        uint32_t code_point;
        size_t taken = utf8_next(text + at, length - at, &code_point);
        size_t more = utf8_columns(code_point);
        if (more > width - *columns) break;
        *columns += more;
        at += taken;
    }
    return at;
}

size_t utf8_width(const char *text, size_t length) {
    size_t columns;
    utf8_fitting(text, length, SIZE_MAX, &columns);
    return columns;
}

bool utf8_is_letter(uint32_t code_point) {
    const char *category = utf8_category(code_point);
    return *category == 'L' || strcmp(category, "Nl") == 0 || code_point == '_';
}

bool utf8_is_name(uint32_t code_point) {
    return utf8_is_letter(code_point) || strstr("Mn Mc Nd Pc", utf8_category(code_point));
}

bool utf8_is_space(uint32_t code_point) {
    return code_point < 0x80 ? ascii_is_space(code_point) : utf8_is_white(code_point);
}

bool utf8_is_white(uint32_t code_point) {
    if (code_point < 0x80) return code_point == ' ' || (code_point >= '\t' && code_point <= '\r');
    return code_point == 0x85 || utf8_category(code_point)[0] == 'Z';
}

const char *utf8_category(uint32_t code_point) {
    return utf8proc_category_string((utf8proc_int32_t)code_point);
}

bool utf8_is_cjk(uint32_t code_point) {
    static const uint32_t ranges[][2] = {
        {0x1100, 0x11FF},                     /* hangul letters */
        {0x2E80, 0x2FD5},                     /* radicals */
        {0x3005, 0x3007},                     /* iteration mark, zero */
        {0x3021, 0x3029},                     /* Suzhou numerals */
        {0x3041, 0x3096},                     /* hiragana */
        {0x309D, 0x309F},   {0x30A1, 0x30FA}, /* katakana */
        {0x30FC, 0x30FF},   {0x3131, 0x318E}, /* hangul letters for compatibility */
        {0x31F0, 0x31FF},                     /* small katakana */
        {0x3400, 0x4DBF},                     /* Han, extension A */
        {0x4E00, 0x9FFF},                     /* Han */
        {0xAC00, 0xD7A3},                     /* hangul syllables */
        {0xF900, 0xFAFF},                     /* Han for compatibility */
        {0xFF66, 0xFF9D},                     /* half-width katakana */
        {0x20000, 0x323AF},                   /* Han, extensions B to H */
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (code_point < ranges[i][0]) return false;
        if (code_point <= ranges[i][1]) return true;
    }
    return false;
}

uint32_t utf8_lower_one(uint32_t code_point) {
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)code_point);
}

size_t utf8_decompose(uint32_t code_point, uint32_t parts[UTF8_PARTS_MOST]) {
    utf8proc_int32_t decomposed[UTF8_PARTS_MOST];
    int boundary = 0;
    utf8proc_ssize_t count = utf8proc_decompose_char(
        (utf8proc_int32_t)code_point, decomposed, UTF8_PARTS_MOST, UTF8PROC_DECOMPOSE, &boundary);
    bool fits = count > 0 && count <= UTF8_PARTS_MOST;
    parts[0] = code_point;
    for (utf8proc_ssize_t i = 0; fits && i < count; i++) parts[i] = (uint32_t)decomposed[i];
    return fits ? (size_t)count : 1;
}

char utf8_ascii_twin(uint32_t code_point) {
    if (code_point >= 0xFF01 && code_point <= 0xFF5E) return (char)(code_point - 0xFEE0);
    switch (code_point) {
    case 0x3001: return ','; /* 、 */
    case 0x3002: return '.'; /* 。 */
    case 0x3010: return '['; /* 【 */
    case 0x3011: return ']'; /* 】 */
    case 0x201C:
    case 0x201D: return '"';
    case 0x2018:
    case 0x2019: return '\'';
    default: return 0;
    }
}
