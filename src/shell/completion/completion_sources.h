/* Gathers the candidates for a place: names from the tables that run them. */
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
    size_t begin;   /* the offset of the text that the candidates replace */
    Meaning object; /* CONTEXT_ATTRIBUTE */
    Callee callee;  /* of the call that is open; without parameters: none */
    GivenArguments given;
} Place;

/* False: memory ran out. */
bool place_init(Place *place, const Session *session, const char *text, size_t length, size_t point,
                Error *err);
void place_release(Place *place);

/* True if the name is at a span of the text; never for an empty span. */
bool place_spells(const Place *place, Span span, const char *name);
/* The word that is compared with names: in a string the last one, of a path the last name. */
Span place_word(const Place *place);
/* Offers all that is allowed there. */
void place_offer(const Place *place, Candidates *candidates);

void offer_commands(const Place *place, Candidates *candidates);
/* arrays: only these. */
void offer_variables(const Place *place, bool arrays, Candidates *candidates);
/* called: with a bracket. */
void offer_functions(const Place *place, bool called, Candidates *candidates);
/* Offers the beginnings of an expression. */
void offer_values(const Place *place, Candidates *candidates);

/* ---- completion_command.c: the arguments of place->context.command ---- */
/* Offers its words where they are allowed, settings, files, tokens, snapshots, values. */
void offer_arguments(const Place *place, Candidates *candidates);
/* Offers the tokens of queries or keys, in quotes. */
void offer_tokens(const Place *place, Candidates *candidates);
/* True if the token before the word is one of these, which blanks separate. */
bool place_is_behind(const Place *place, const char *words);
/* True if the word is among the arguments before the one that is typed, for the present value:
 * another one begins behind `against`. */
bool argument_is_typed(const Place *place, const char *word);
/* True where the name of a file is expected, in quotes. */
bool command_takes_file(const Place *place);
/* True where a query or a key is expected, and those have tokens. */
bool command_takes_token(const Place *place);

/* ---- completion_models.c ---- */
/* Offers models, tasks, and the options of a training, for train, evaluate and predict. */
void offer_model_arguments(const Place *place, Candidates *candidates);
/* Offers the names of parameters within the quotes of m.parameters["..., of the inspected run's
 * activations within those of last.run["... and of patch "... */
void offer_parts_of_model(const Place *place, Candidates *candidates);

/* ---- completion_files.c ---- */

/* The last name of a path that is typed: behind its last slash. */
Span path_word(const char *text, Span path);
/* Offers the files that begin with a path, as [quotes][typed folders]NAME and the closing quotes,
 * or / for a folder. quotes: what the string begins with; if it has not begun yet (empty), ".
 * closed: a space may follow the closing quotes. */
void offer_files(const Session *session, const char *text, Span quotes, Span path, bool closed,
                 Candidates *candidates);

/* True if the text can be in quotes as it is. */
bool fits_quotes(const char *text);

/* ---- completion_locals.c ---- */
/* Offers the names that text[0, end) makes. */
void offer_locals(const char *text, size_t end, Candidates *candidates);

#endif
