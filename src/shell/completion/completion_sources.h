/* What may stand at a place: offers of names from the tables that run them. */
#ifndef ATTN_SHELL_COMPLETION_SOURCES_H
#define ATTN_SHELL_COMPLETION_SOURCES_H

#include "shell/completion/completion_callee.h"
#include "shell/completion/completion_candidates.h"

/* The place that candidates are gathered for. */
typedef struct Place {
    const Session *session;
    const char *text;
    size_t length;
    Context context;
    size_t begin;   /* what the candidates replace begins here: sources may move it */
    Meaning object; /* CONTEXT_ATTRIBUTE */
    Callee callee;  /* of the call that is open; without parameters: none */
    GivenArguments given;
} Place;

/* False: memory ran out. */
bool place_init(Place *place, const Session *session, const char *text, size_t length, size_t point,
                Error *err);
void place_release(Place *place);

/* Whether this stands at a span of the text; an empty one spells nothing. */
bool place_spells(const Place *place, Span span, const char *name);
/* Where the word begins that is compared with names: behind what stands before it in a string. */
Span place_word(const Place *place);
/* Offers all that may stand there. */
void place_offer(const Place *place, Candidates *candidates);

void offer_commands(const Place *place, Candidates *candidates);
void offer_variables(const Place *place, bool arrays,
                     Candidates *candidates); /* arrays: these alone */
void offer_functions(const Place *place, bool called,
                     Candidates *candidates); /* called: as they are called, with a bracket */
void offer_values(const Place *place, Candidates *candidates);

/* Among the arguments of place->context.command: its words where they may stand, settings, files,
 * tokens, snapshots, values. */
void offer_arguments(const Place *place, Candidates *candidates);
bool command_takes_file(const Place *place);  /* a file's name stands there, in quotes */
bool command_takes_token(const Place *place); /* a query or a key, and those have tokens */
void offer_tokens(const Place *place, Candidates *candidates); /* in quotes */

/* The word of a path that is typed: behind its last slash. */
Span path_word(const char *text, Span path);
/* Offers the files that begin with a path: [quotes][typed folders]NAME and the closing quote, or /
 * for a folder. quotes: what the string begins with; one that has not begun yet begins with ".
 * closed: a space may follow the closing quote. */
void offer_files(const Session *session, const char *text, Span quotes, Span path, bool closed,
                 Candidates *candidates);

/* Whether a string can hold the text as it stands. */
bool fits_quotes(const char *text);

/* Offers the names that text[0, end) makes. */
void offer_locals(const char *text, size_t end, Candidates *candidates);

#endif
