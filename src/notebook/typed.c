#include "notebook/typed.h"

#include "lang/parser.h"

#include <stdlib.h>
#include <string.h>

bool typed_is_arithmetic(const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr("0123456789.+-*/eE() ", line[i])) return false;
    return true;
}

static bool is_known_name(const Session *session, const char *name) {
    const Symbol *symbol = interp_find(&session->interp, name);
    return (symbol && (symbol->value.kind != VALUE_UNSET || symbol->builtin)) ||
           session_command(session, name);
}

bool typed_is_words(Session *session, const char *line, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (strchr("()[]{}=<>@*/+^&|~\"\\;:#\n", line[i])) return false;
    Text text = TEXT_EMPTY, first = TEXT_EMPTY;
    const char *space = memchr(line, ' ', length);
    text_bytes(&text, line, length);
    text_bytes(&first, line, space ? (size_t)(space - line) : length);
    bool words = !is_known_name(session, first.data);
    if (space && !words) {
        Chunk *chunk = NULL;
        Error problem = {.kind = ERR_NONE};
        parse(&session->interp, "", text.data, text.length, false, &chunk, &problem);
        if (chunk) chunk_unref(chunk);
        words = problem.kind == ERR_SYNTAX;
    }
    text_release(&text);
    text_release(&first);
    return words;
}

bool typed_is_sentence(const Session *session, const char *line, size_t length) {
    enum { SENTENCE_WORDS = 4 };
    int words = 0, known = 0;
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && !strchr(" ,.;:!?", line[end]); end++)
            if (strchr("0123456789()[]{}=<>@*/+^&|~\"\\#\n", line[end])) return false;
        if (end == at) continue;
        Text word = TEXT_EMPTY;
        text_bytes(&word, line + at, end - at);
        words++;
        known += is_known_name(session, word.data);
        text_release(&word);
    }
    return words >= SENTENCE_WORDS && 2 * known < words;
}

bool typed_number(Text *out, const char *line, size_t length) {
    Text text = TEXT_EMPTY;
    int count = 0;
    double number = 0;
    text_bytes(&text, line, length);
    for (char *at = text.data, *end; *(at += strcspn(at, "-.0123456789")); at = end) {
        double found = strtod(at, &end);
        if (end == at) {
            end++;
            continue;
        }
        number = end[strspn(end, " ")] == '%' ? found / 100 : found;
        count++;
    }
    text_release(&text);
    if (count == 1) text_format(out, "%.15g", number);
    return count == 1;
}
