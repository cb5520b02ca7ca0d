#include "shell/editor_lines.h"

#include "base/utf8.h"

#include <string.h>

Line line_at(const char *text, size_t length, size_t point) {
    Line line = {point, point};
    while (line.begin > 0 && text[line.begin - 1] != '\n') line.begin--;
    while (line.end < length && text[line.end] != '\n') line.end++;
    return line;
}

bool line_above(const char *text, size_t length, Line *line) {
    if (line->begin == 0) return false;
    *line = line_at(text, length, line->begin - 1);
    return true;
}

bool line_below(const char *text, size_t length, Line *line) {
    if (line->end == length) return false;
    *line = line_at(text, length, line->end + 1);
    return true;
}

size_t line_blanks(const char *text, size_t length) {
    size_t count = 0;
    while (count < length && (text[count] == ' ' || text[count] == '\t')) count++;
    return count;
}

bool line_is_blank(const char *text, size_t length) {
    return line_blanks(text, length) == length;
}

/* Where a comment begins, or the end. A # within quotes is none. */
static size_t without_comment(const char *line, size_t length) {
    char quote = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\\') i++;
        else if (quote ? line[i] == quote : line[i] == '"' || line[i] == '\'') quote = quote ? 0 : line[i];
        else if (line[i] == '#' && !quote) return i;
    }
    return length;
}

static bool opens_block(const char *line, size_t length) {
    length = without_comment(line, length);
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t')) length--;
    return (length > 0 && line[length - 1] == ':') || (length > 2 && memcmp(line + length - 3, "：", 3) == 0);
}

size_t line_next_indent(const char *line, size_t length) {
    size_t indent = 0;
    for (size_t i = 0; i < line_blanks(line, length); i++) indent += line[i] == '\t' ? 8 - indent % 8 : 1;
    return indent + (opens_block(line, length) ? INDENT : 0);
}

size_t line_offset(const char *line, size_t length, size_t column) {
    size_t at = 0, width = 0;
    while (at < length) {
        uint32_t code_point;
        size_t taken = utf8_next(line + at, length - at, &code_point);
        width += utf8_width(line + at, taken);
        if (width > column) break;
        at += taken;
    }
    return at;
}
