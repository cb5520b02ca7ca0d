/* What may stand at a place: offers of names from the tables that run them. */
#ifndef ATTN_SHELL_COMPLETION_SOURCES_H
#define ATTN_SHELL_COMPLETION_SOURCES_H

#include "shell/completion_callee.h"
#include "shell/completion_candidates.h"

/* The place that candidates are gathered for. */
typedef struct Place {
    const Session *session;
    const char *text;
    size_t length;
    Context context;
    size_t begin;            /* what the candidates replace begins here: sources may move it */
    Meaning object;          /* CONTEXT_ATTRIBUTE */
    Callee callee;           /* of the call that is open; without parameters: none */
    GivenArguments given;
} Place;

/* False: memory ran out. */
bool place_init(Place *place, const Session *session, const char *text, size_t length, size_t point, Error *err);
void place_release(Place *place);

/* Where the word begins that is compared with names: behind what stands before it in a string. */
Span place_word(const Place *place);
/* Offers all that may stand there. */
void place_offer(const Place *place, Candidates *candidates);

/* The word of a path that is typed: behind its last slash. */
Span path_word(const char *text, Span path);
/* Offers the files that begin with a path: [quotes][typed folders]NAME and the closing quote, or / for a folder. quotes: what the
 * string begins with; one that has not begun yet begins with ". closed: a space may follow the closing quote. */
void offer_files(const Session *session, const char *text, Span quotes, Span path, bool closed, Candidates *candidates);

/* Offers the names that text[0, end) makes. */
void offer_locals(const char *text, size_t end, Candidates *candidates);

#endif
