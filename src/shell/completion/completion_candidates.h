/* The candidates of one completion as they are gathered: matched, sorted, each once. */
#ifndef ATTN_SHELL_COMPLETION_CANDIDATES_H
#define ATTN_SHELL_COMPLETION_CANDIDATES_H

#include "base/text.h"
#include "shell/completion/completion.h"

/* The ways to compare names with what was typed: as it is, or without regard to capitals. */
typedef enum Matching { MATCH_EXACT, MATCH_FOLDED } Matching;

typedef struct Candidate {
    size_t at;        /* the offset of its text in `texts` */
    const char *text; /* the same, once all are gathered */
    bool first;       /* before all that are not */
    bool closed;      /* whole: a space may follow */
} Candidate;

typedef struct Candidates {
    Matching matching;
    Text word;   /* the typed word, in small letters if folded */
    Text before; /* comes before each candidate: an opening quote and folders */
    Text scratch;
    char next;  /* the character behind the point: a ( that is there is not offered again */
    Text texts; /* each followed by a zero byte */
    Candidate *items;
    size_t count, capacity;
    bool failed; /* memory ran out */
} Candidates;

/* Appends the form in which names are kept (NFKC). */
void name_write(Text *out, const char *name, size_t length);

void candidates_init(Candidates *candidates, Matching matching, const char *word, size_t length,
                     char next);
void candidates_release(Candidates *candidates);

/* True if a name begins with what was typed. */
bool candidates_match(Candidates *candidates, const char *name);
/* Adds a name that does so, with its suffix; `first` and `closed` as in Candidate. */
typedef struct Offer {
    const char *name, *suffix;
    bool first, closed;
} Offer;
void candidates_offer(Candidates *candidates, Offer offer);
/* Offers those of the words, separated by spaces, for which may_offer is true; NULL: all. */
typedef bool WordFilter(const void *context, const char *word);
void candidates_offer_words(Candidates *candidates, const char *words, WordFilter *may_offer,
                            const void *context);

/* Sorts them into out: those that come first, then by name, capitals like small letters. out is the
 * caller's, to be given to completion_release. ERR_LIMIT. */
bool candidates_finish(Candidates *candidates, size_t begin, Completion *out, Error *err);

#endif
