#include "shell/editor/editor_lines.h"

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

bool line_is_blank(const char *text, size_t length) { return line_blanks(text, length) == length; }

/* How a text that is cut off ends, for who writes its next line. */
typedef struct Ending {
    char quote;  /* of a string that is open; 0: none */
    bool triple; /* it may hold several lines */
    size_t last; /* behind the last character of its line that is no blank and not in a comment */
} Ending;

static bool is_triple(const char *text, size_t length, size_t at) {
    return at + 2 < length && text[at + 1] == text[at] && text[at + 2] == text[at];
}

/* One character within a string, or that begins one; the bytes it takes. */
static size_t pass_quote(Ending *ending, const char *text, size_t length, size_t at) {
    bool triple = is_triple(text, length, at);
    if (!ending->quote) {
        ending->quote = text[at];
        ending->triple = triple;
        return triple ? 3 : 1;
    }
    if (text[at] == '\\') return 2;
    if (text[at] != ending->quote || (ending->triple && !triple)) return 1;
    size_t taken = ending->triple ? 3 : 1;
    ending->quote = 0;
    ending->triple = false;
    return taken;
}

static size_t pass_comment(const char *text, size_t length, size_t at) {
    const char *end = memchr(text + at, '\n', length - at);
    return end ? (size_t)(end - text) - at : length - at;
}

static Ending ending_of(const char *text, size_t length) {
    Ending ending = {0, false, 0};
    for (size_t at = 0; at < length;) {
        char c = text[at];
        bool comment = c == '#' && !ending.quote;
        if (c == '\n' && !ending.triple) ending.quote = 0;
        if (comment) at += pass_comment(text, length, at);
        else if (ending.quote || c == '"' || c == '\'') at += pass_quote(&ending, text, length, at);
        else at++;
        if (!comment && c != ' ' && c != '\t') ending.last = at;
    }
    return ending;
}

static bool opens_block(const char *text, size_t last) {
    return (last > 0 && text[last - 1] == ':') ||
           (last > 2 && memcmp(text + last - 3, "：", 3) == 0);
}

size_t line_next_indent(const char *text, size_t length) {
    Ending ending = ending_of(text, length);
    Line line = line_at(text, length, length);
    size_t indent = 0;
    if (ending.quote) return 0;
    for (size_t i = line.begin;
         i < line.begin + line_blanks(text + line.begin, length - line.begin); i++)
        indent += text[i] == '\t' ? 8 - indent % 8 : 1;
    return indent + (ending.last > line.begin && opens_block(text, ending.last) ? INDENT : 0);
}

/* ---- else, elif, except ---- */

static bool begins_with(const char *text, size_t length, const char *word) {
    size_t size = strlen(word);
    return length >= size && memcmp(text, word, size) == 0 &&
           (length == size || strchr(" \t:(", text[size]) || (unsigned char)text[size] == 0xef);
}

static bool begins_with_one(const char *text, Line line, const char *const *words) {
    size_t blanks = line_blanks(text + line.begin, line.end - line.begin);
    for (; *words; words++)
        if (begins_with(text + line.begin + blanks, line.end - line.begin - blanks, *words))
            return true;
    return false;
}

/* What a clause goes on from; NULL: the line is none. */
static const char *const *openers_of(const char *text, Line line) {
    static const char *const conditions[] = {"else", "elif", NULL}, *const handlers[] = {"except",
                                                                                         NULL};
    static const char *const condition_openers[] = {"if", "elif", NULL}, *const handler_openers[] =
                                                                             {"try", NULL};
    if (begins_with_one(text, line, conditions)) return condition_openers;
    return begins_with_one(text, line, handlers) ? handler_openers : NULL;
}

static bool line_above_with_words(const char *text, size_t length, Line *line) {
    while (line_above(text, length, line))
        if (!line_is_blank(text + line->begin, line->end - line->begin)) return true;
    return false;
}

size_t line_clause_indent(const char *text, size_t length, Line line) {
    const char *const *openers = openers_of(text, line);
    size_t blanks = line_blanks(text + line.begin, line.end - line.begin);
    bool first = true;
    if (!openers || ending_of(text, line.begin).quote) return blanks;
    while (line_above_with_words(text, length, &line)) {
        size_t now = line_blanks(text + line.begin, line.end - line.begin);
        if (first && (now != blanks || begins_with_one(text, line, openers))) return blanks;
        if (now < blanks) return begins_with_one(text, line, openers) ? now : blanks;
        first = false;
    }
    return blanks;
}
