#include "notebook/causes.h"

#include "lang/parser.h"

#include <ctype.h>
#include <string.h>

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
        int cell = event->number < document->cell_count ? event->number : -1;
        if (event->kind == EVENT_LINE && assigns(session, event->text, symbol)) return true;
        if (event->kind == EVENT_SOLUTION && cell >= 0)
            cell = document_part(document, cell, CELL_SOLUTION, cell);
        bool lessons_own = event->kind == EVENT_SOLUTION || event->kind == EVENT_CELL;
        if (lessons_own && cell >= 0 && assigns(session, document->cells[cell]->code, symbol))
            return false;
    }
    return false;
}

int causes_write(Text *out, Session *session, const Document *document, const Progress *progress,
                 Language language, const Error *problem, bool functions) {
    enum { MOST = 3 }; /* with more, the message would be longer than the line it speaks of */
    const Symbol *named[MOST];
    const char *at = problem->excerpt, *name;
    size_t length;
    int count = 0;
    while (count < MOST && (name = next_name(&at, &length))) {
        Text word = TEXT_EMPTY;
        text_bytes(&word, name, length);
        const Symbol *symbol = interp_find(&session->interp, word.data);
        text_release(&word);
        const Value *value = symbol ? &symbol->value : NULL;
        bool shown = value && value->kind != VALUE_UNSET &&
                     (functions || value->kind != VALUE_FUNCTION) &&
                     is_persons_own(session, document, progress, symbol);
        for (int i = 0; i < count; i++) shown = shown && named[i] != symbol;
        if (!shown) continue;
        const Shape *shape = value_is_array(value) ? &value->tensor->shape : NULL;
        bool vector = shape && shape->axes == 1;
        if (count) text_string(out, ", ");
        text_format(out, word_in(language, vector ? WORD_YOUR_VECTOR : WORD_YOURS_IS), symbol->name,
                    shape ? shape_words(shape) : value_words(value));
        named[count++] = symbol;
    }
    return count;
}
