/* "Did you mean": the nearest of the words that are offered. Capitals count as
 * small letters; the beginning of a word, of 4 letters or more, is near to it. */
#ifndef ATTN_LANG_NEAREST_H
#define ATTN_LANG_NEAREST_H

typedef struct Nearest {
    const char *word;
    const char *found; /* NULL: none is near */
    int limit, edits;
} Nearest;

void nearest_begin(Nearest *nearest, const char *word);
void nearest_offer(Nearest *nearest, const char *candidate);

#endif
