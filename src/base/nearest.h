/* "Did you mean": finds the candidate that is nearest to a word somebody typed.
 *
 * The distance is the number of letters to insert, delete or replace, where a
 * swap of two neighbours counts as one edit (Damerau 1964, Levenshtein 1966) and
 * capitals count as small letters. A candidate is near when the distance is 0 for
 * words of up to 2 letters, at most 1 for up to 5 letters, and at most a third of
 * the letters for longer words; or when the word, of 4 letters or more, is its
 * beginning. Of equally near candidates one with the word's first letter is
 * chosen, then the first of the alphabet. */
#ifndef ATTN_BASE_NEAREST_H
#define ATTN_BASE_NEAREST_H

#include <stddef.h>
#include <stdint.h>

enum { NEAREST_LETTERS_MAX = 40 };

/* A word in small letters. Words that are too long are not compared: count is 0 then. */
typedef struct NearestLetters {
    uint32_t at[NEAREST_LETTERS_MAX];
    int count;
} NearestLetters;

typedef struct Nearest {
    NearestLetters word;
    const char *found; /* the nearest candidate so far, borrowed; NULL: none is near */
    int limit, rank;   /* rank: of what is found; a smaller one is nearer */
} Nearest;

void nearest_begin(Nearest *nearest, const char *word, size_t length);
void nearest_offer(Nearest *nearest, const char *candidate);
/* The nearest of a list that ends with NULL, or NULL. */
const char *nearest_word(const char *word, const char *const *words);

#endif
