/* apropos: what there is, searched by words. */
#ifndef ATTN_SHELL_HELP_SEARCH_H
#define ATTN_SHELL_HELP_SEARCH_H

#include "shell/help/help_entry.h"
#include "shell/help/page.h"

/* A word that people say, and the names for it here, separated by spaces. */
typedef struct HelpSynonym {
    const char *word, *names;
} HelpSynonym;

extern const HelpSynonym help_synonyms[]; /* ends with a NULL word */

typedef struct HelpHit {
    HelpEntry entry;
    int score;
    size_t order; /* among all entries: decides between equal scores */
} HelpHit;

typedef struct HelpHits {
    HelpHit *items; /* best first */
    size_t count;
} HelpHits;

/* True if a word belongs to the entry: to the words of a command, to a setting's values, to what a
 * function takes, to the left side of a topic's table, or as a synonym. */
bool help_has_own_word(const HelpEntry *entry, const char *word);
/* Everything that all the words occur in, as they are or in another case. Release with
 * help_hits_release also after a failure. */
bool help_search(const Session *session, const char *const *words, size_t count, HelpHits *hits,
                 Error *err);
void help_hits_release(HelpHits *hits);
void help_write_hits(Page *page, const HelpHits *hits);

#endif
