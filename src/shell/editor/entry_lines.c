#include "shell/editor/entry_lines.h"

#include "lang/token.h"

#include <string.h>

bool line_above(const char *text, size_t length, Span *line) {
    if (line->begin == 0) return false;
    *line = line_around(text, length, line->begin - 1);
    return true;
}

bool line_below(const char *text, size_t length, Span *line) {
    if (line->end == length) return false;
    *line = line_around(text, length, line->end + 1);
    return true;
}

size_t line_blanks(const char *text, size_t length) {
    size_t count = 0;
    while (count < length && (text[count] == ' ' || text[count] == '\t')) count++;
    return count;
}

bool line_is_blank(const char *text, size_t length) { return line_blanks(text, length) == length; }

/* The state at the end of a text that is cut off. */
typedef struct Ending {
    char quote;    /* of a string that is still open; 0: none */
    size_t quotes; /* 1 or 3 of them opened it; with 3 it may go on over lines */
    size_t last;   /* behind the last character that is neither a blank nor in a comment */
} Ending;

static Ending ending_of(const char *text, size_t length) {
    Ending ending = {.quote = 0};
    for (size_t at = 0; at < length;) {
        char c = text[at];
        bool triple = at + 2 < length && text[at + 1] == c && text[at + 2] == c;
        if (c == '\n' && ending.quotes < 3) ending.quote = 0;
        if (ending.quote) {
            if (c == '\\') {
                at += 2;
            } else if (c == ending.quote && (ending.quotes < 3 || triple)) {
                at += ending.quotes;
                ending.quote = 0;
                ending.quotes = 0;
            } else {
                at++;
            }
        } else if (c == '"' || c == '\'') {
            ending.quote = c;
            ending.quotes = triple ? 3 : 1;
            at += ending.quotes;
        } else if (c == '#') {
            while (at < length && text[at] != '\n') at++;
            continue;
        } else {
            at++;
        }
        if (c != ' ' && c != '\t') ending.last = at;
    }
    return ending;
}

size_t line_next_indent(const char *text, size_t length) {
    static const char wide_colon[] = "：";
    Ending ending = ending_of(text, length);
    Span line = line_around(text, length, length);
    if (ending.quote) return 0;
    size_t indent = 0, blanks = line_blanks(text + line.begin, length - line.begin);
    for (size_t i = line.begin; i < line.begin + blanks; i++)
        indent += text[i] == '\t' ? 8 - indent % 8 : 1;

    if (ending.last <= line.begin) return indent;
    bool colon = text[ending.last - 1] == ':' ||
                 (ending.last > 2 && memcmp(text + ending.last - 3, wide_colon, 3) == 0);
    return colon ? indent + INDENT : indent;
}

/* ---- else, elif, except, finally ---- */

/* True if one of the words, with blanks between them, begins the line. */
static bool begins_with(const char *text, Span line, const char *words) {
    size_t begin = line.begin + line_blanks(text + line.begin, line.end - line.begin), end = begin;
    /* 0xEF begins a wide colon. */
    while (end < line.end && !strchr(" \t:(", text[end]) && (unsigned char)text[end] != 0xEF) end++;
    return words_contain(words, text + begin, end - begin);
}

size_t line_clause_indent(const char *text, size_t length, Span line) {
    static const struct {
        const char *words, *openers; /* of a clause, and of what it continues */
    } clauses[] = {{"else", "if elif for while except"},
                   {"elif", "if elif"},
                   {"except finally", "try except else"}};
    const char *openers = NULL;
    for (int i = 0; i < 3; i++)
        if (begins_with(text, line, clauses[i].words)) openers = clauses[i].openers;
    size_t blanks = line_blanks(text + line.begin, line.end - line.begin);
    if (!openers || ending_of(text, line.begin).quote) return blanks;

    /* The line above must be of the same block; the first one above that is indented less opens it.
     */
    bool first = true;
    while (line_above(text, length, &line)) {
        if (line_is_blank(text + line.begin, line.end - line.begin)) continue;
        size_t now = line_blanks(text + line.begin, line.end - line.begin);
        if (first && (now != blanks || begins_with(text, line, openers))) return blanks;
        if (now < blanks) return begins_with(text, line, openers) ? now : blanks;
        first = false;
    }
    return blanks;
}
