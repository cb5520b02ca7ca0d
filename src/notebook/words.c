#include "notebook/words.h"

#include <assert.h>
#include <string.h>

static const char *const names[LANGUAGES] = {"en", "zh"};

Language language_from_name(const char *name) {
    return strcmp(name, names[LANGUAGE_CHINESE]) == 0 ? LANGUAGE_CHINESE : LANGUAGE_ENGLISH;
}

const char *language_name(Language language) { return names[language]; }

static const char *const words[WORDS][LANGUAGES] = {
#define WORD(name, english, chinese) {english, chinese},
#include "notebook/words.inc"
#undef WORD
};

const char *word_in(Language language, WordId word) {
    assert(words[word][language]);
    return words[word][language];
}

void hint_name(Text *out, Language language, int number, int count) {
    if (count > 1) text_format(out, word_in(language, WORD_HINT_OF), number, count);
    else text_string(out, word_in(language, WORD_HINT));
}
