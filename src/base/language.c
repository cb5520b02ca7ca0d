#include "base/language.h"

#include <string.h>

Language language_from_name(const char *name) {
    for (Language language = 0; language_codes[language]; language++)
        if (strncmp(name, language_codes[language], strlen(language_codes[language])) == 0)
            return language;
    return LANGUAGE_ENGLISH;
}

const char *word_in(Language language, WordId word) {
    const char *own = language_table[language].words[word];
    return own ? own : language_table[LANGUAGE_ENGLISH].words[word];
}

const char *summary_in(Language language, const char *page) {
    const char *const(*row)[2] = language_table[language].summaries;
    while ((*row)[0] && strcmp((*row)[0], page) != 0) row++;
    return (*row)[1];
}
