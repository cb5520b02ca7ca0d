/* The words of a setting ("causal and window 4"), read one by one. */
#ifndef ATTN_ENGINE_WORDS_H
#define ATTN_ENGINE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Word {
    const char *text; /* not ended by a zero byte */
    int length;       /* an int, so that "%.*s" takes it */
} Word;

/* Takes the next word, spaces around it skipped; false at the end. */
bool word_next(const char **rest, Word *word);
bool word_is(Word word, const char *text);
/* A number with its sign, or inf, that fills the whole word. */
bool word_number(Word word, double *out);
/* The one of `words` (ended by NULL) that base/nearest.h calls near; NULL: none. */
const char *word_nearest(Word word, const char *const *words);

#endif
