#include "base/language.h"

#include <string.h>

Language language_from_name(const char *name) {
    for (Language language = 0; language_codes[language]; language++)
        if (strncmp(name, language_codes[language], strlen(language_codes[language])) == 0)
            return language;
    return LANGUAGE_ENGLISH;
}
