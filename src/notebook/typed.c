#include "notebook/typed.h"

#include "base/translate.h"
#include "lang/parser.h"

#include <ctype.h>
#include <stddef.h>
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
        if (strchr("()[]{}<>@*/+^&|~\"\\;#\n", line[i])) return false;
    LocalText text = TEXT_EMPTY, first = TEXT_EMPTY;
    const char *space = memchr(line, ' ', length);
    text_bytes(&text, line, length);
    text_bytes(&first, line, space ? (size_t)(space - line) : length);
    bool words = !is_known_name(session, first.data);
    bool code = memchr(line, '=', length) || memchr(line, ':', length); /* or in a sentence */
    if ((space && !words) || code) {
        Chunk *chunk = NULL;
        Error problem = {.kind = ERR_NONE};
        parse(&session->interp, "", text.data, text.length, false, &chunk, &problem);
        if (chunk) chunk_unref(chunk);
        words = problem.kind == ERR_SYNTAX;
    }
    return words;
}

bool typed_is_sentence(const Session *session, const char *line, size_t length) {
    enum { SENTENCE_WORDS = 4 };
    int words = 0, known = 0;
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && !strchr(" ,.;:!?", line[end]); end++)
            if (strchr("0123456789()[]{}=<>@*/+^&|~\"\\#\n", line[end])) return false;
        if (end == at) continue;
        LocalText word = TEXT_EMPTY;
        text_bytes(&word, line + at, end - at);
        words++;
        known += is_known_name(session, word.data);
    }
    return words >= SENTENCE_WORDS && 2 * known < words;
}

/* The function named right before a place in the text, as in "ln 2"; NULL: there is none. */
static const char *function_before(const char *text, const char *place) {
    static const char *const names[][2] = {
        {"ln", "log"}, {"log", "log"}, {"exp", "exp"}, {"sqrt", "sqrt"}, {"√", "sqrt"}};
    while (place > text && place[-1] == ' ') place--;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i][0]), before = (size_t)(place - text);
        if (before >= length && memcmp(place - length, names[i][0], length) == 0 &&
            (before == length || !isalnum((unsigned char)place[-(ptrdiff_t)length - 1])))
            return names[i][1];
    }
    return NULL;
}

/* Whether a sign follows that ends a statement, and after it words, not a digit as in "0,5". */
static bool ends_statement(const char *text) {
    static const char *const signs[] = {",", ";", ":", "，", "；", "：", "。", "、"};
    text += strspn(text, " %");
    if (*text == '=') return true; /* "ln 2 = 0.69" */
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i]);
        if (strncmp(text, signs[i], length) == 0)
            return !strchr("-.0123456789", text[length + strspn(text + length, " ")]);
    }
    return false;
}

bool typed_number(Text *out, const char *line, size_t length) {
    LocalText text = TEXT_EMPTY;
    const char *function = NULL;
    int count = 0;
    double number = 0;
    text_bytes(&text, line, length);
    for (char *at = text.data, *end; *(at += strcspn(at, "-.0123456789")); at = end) {
        double found = strtod(at, &end);
        if (end == at) {
            end++;
            continue;
        }
        function = function_before(text.data, at);
        number = end[strspn(end, " ")] == '%' ? found / 100 : found;
        count++;
        const char *begin = text.data + strspn(text.data, " ");
        bool first = at == begin || (function && !memchr(begin, ' ', (size_t)(at - begin) - 1));
        if (first && ends_statement(end)) break;
    }
    if (count != 1) return false;
    text_format(out, function ? "%s(%.15g)" : "%s%.15g", function ? function : "", number);
    return true;
}

/* ---- variables of the person's own ---- */

/* The next name in a text from *at on, its length in *length; NULL: there is none. Words in quotes
 * and comments count too: what is asked is which variables a line may have to do with. */
static const char *next_name(const char **at, size_t *length) {
    const char *begin = *at;
    while (*begin && (!is_word_byte(*begin) || isdigit((unsigned char)*begin)))
        begin += is_word_byte(*begin) ? strspn(begin, "0123456789.eE") : 1;
    *length = leading_word(begin);
    *at = begin + *length;
    return *length ? begin : NULL;
}

static bool assigns(Session *session, const char *text, const Symbol *symbol) {
    Chunk *chunk = NULL;
    Error unseen = {.kind = ERR_NONE};
    parse(&session->interp, "", text, strlen(text), false, &chunk, &unseen);
    bool found = chunk && chunk_assigns(chunk, symbol);
    if (chunk) chunk_unref(chunk);
    return found;
}

/* Whether the person, and not the lesson, was the last to give the variable its value. */
static bool is_persons_own(Session *session, const Document *document, const Progress *progress,
                           const Symbol *symbol) {
    for (size_t i = progress->event_count; i-- > 0;) {
        const Event *event = &progress->events[i];
        bool known = event->number < document->cell_count;
        const Cell *cell = known ? document->cells[event->number] : NULL;
        if (event->kind == EVENT_LINE && assigns(session, event->text, symbol)) return true;
        if (event->kind == EVENT_SOLUTION && cell)
            cell = document_part(document, cell, CELL_SOLUTION, cell);
        bool lessons_own = event->kind == EVENT_SOLUTION || event->kind == EVENT_CELL;
        if (lessons_own && cell && assigns(session, cell->code, symbol)) return false;
    }
    return false;
}

/* Whether the cell where the error came up has given the variable its value itself, above it. */
static bool assigned_above(Session *session, const Document *document, const Error *problem,
                           const Symbol *symbol) {
    const Cell *cell = NULL;
    if (strcmp(problem->file, document->file) != 0) return false;
    for (int i = 0; i < document->cell_count; i++)
        if ((int)document->cells[i]->line < problem->line) cell = document->cells[i];
    if (!cell) return false;
    LocalText above = TEXT_EMPTY;
    const char *at = cell->script;
    for (int line = 1; at && line < problem->line; line++) {
        at = strchr(at, '\n');
        if (at) at++;
    }
    if (!at) return false;
    text_bytes(&above, cell->script, (size_t)(at - cell->script));
    for (char *end; above.data && (end = strrchr(above.data, '\n')); *end = '\0')
        if (assigns(session, above.data, symbol)) return true;
    return false;
}

int typed_causes(Text *out, Session *session, const Document *document, const Progress *progress,
                 Language language, const Error *problem, bool functions) {
    enum { MOST = 3 }; /* with more, the message would be longer than the line it speaks of */
    const Symbol *named[MOST];
    const char *at = problem->excerpt, *name;
    size_t length;
    int count = 0;
    while (count < MOST && (name = next_name(&at, &length))) {
        LocalText word = TEXT_EMPTY;
        text_bytes(&word, name, length);
        const Symbol *symbol = interp_find(&session->interp, word.data);
        const Value *value = symbol ? &symbol->value : NULL;
        bool shown = value && value->kind != VALUE_UNSET &&
                     (functions || value->kind != VALUE_FUNCTION) &&
                     is_persons_own(session, document, progress, symbol) &&
                     !assigned_above(session, document, problem, symbol);
        for (int i = 0; i < count; i++) shown = shown && named[i] != symbol;
        if (!shown) continue;
        const Shape *shape = value_is_array(value) ? &value->tensor->shape : NULL;
        if (count) text_string(out, ", ");
        if (shape && shape->axes)
            text_format(out,
                        tr_in(language, shape->axes == 1 ? "your %s is a vector of %s"
                                                         : "your %s has the shape %s"),
                        symbol->name, shape_words(shape));
        else
            text_format(out, tr_in(language, "your %s is %s"), symbol->name,
                        tr_in(language, value_words(value)));
        named[count++] = symbol;
    }
    return count;
}
