/* The words of the program around a document, in the languages of lessons. words.inc holds
 * them: a word that is added is one row there. */
#ifndef ATTN_NOTEBOOK_WORDS_H
#define ATTN_NOTEBOOK_WORDS_H

#include "base/text.h"

typedef enum Language { LANGUAGE_ENGLISH, LANGUAGE_CHINESE, LANGUAGES } Language;

typedef enum WordId {
#define WORD(name, english, chinese) WORD_##name,
#include "notebook/words.inc"
#undef WORD
    WORDS
} WordId;

/* "en" or "zh"; any other name is English. */
Language language_from_name(const char *name);
const char *language_name(Language language);

const char *word_in(Language language, WordId word);
/* Appends what a hint is called: "Hint", or "Hint 2 of 3" where there are several. */
void hint_name(Text *out, Language language, int number, int count);

#endif
