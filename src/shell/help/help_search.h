/* apropos: what there is, searched by words. */
#ifndef ATTN_SHELL_HELP_SEARCH_H
#define ATTN_SHELL_HELP_SEARCH_H

#include "session/session.h"
#include "shell/help/page.h"

/* One thing that has a page, as a search sees it. */
typedef struct HelpEntry {
    const char *before,
        *name; /* what is typed: "set " "temperature", "" "softmax", "list." "append" */
    const char *summary;
    const char *more[5]; /* also searched, counting less: usage, formula, shapes ...; NULL ones are
                            passed over */
} HelpEntry;

typedef struct HelpHit {
    HelpEntry entry;
    int score;
    size_t order;
} HelpHit;

typedef struct HelpHits {
    HelpHit *items; /* best first */
    size_t count, capacity;
} HelpHits;

/* Everything that all the words occur in, as they are or in another case. Release with
 * help_hits_release also after a failure. */
bool help_search(const Session *session, const char *const *words, size_t count, HelpHits *hits,
                 Error *err);
void help_hits_release(HelpHits *hits);
void help_write_hits(Page *page, const HelpHits *hits);
/* The name nearest to a word among all that has a page and the variables; NULL. */
const char *help_nearest(const Session *session, const char *word);

#endif
