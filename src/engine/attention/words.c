#include "engine/attention/words.h"

#include "base/nearest.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool word_next(const char **rest, Word *word) {
    const char *begin = *rest;
    while (is_space(*begin)) begin++;
    const char *end = begin;
    while (*end != '\0' && !is_space(*end)) end++;
    *rest = end;
    *word = (Word){begin, (int)(end - begin)};
    return end > begin;
}

bool word_is(Word word, const char *text) {
    return (size_t)word.length == strlen(text) && memcmp(word.text, text, (size_t)word.length) == 0;
}

bool word_number(Word word, double *out) {
    bool negative = word.length > 0 && word.text[0] == '-';
    if (negative || (word.length > 0 && word.text[0] == '+'))
        word = (Word){word.text + 1, word.length - 1};
    double x = INFINITY;
    if (!word_is(word, "inf") && (word.length == 0 || number_read(word.text, (size_t)word.length,
                                                                  &x) != (size_t)word.length))
        return false;
    *out = negative ? -x : x;
    return true;
}

const char *word_nearest(Word word, const char *const *words) {
    Nearest nearest;
    nearest_begin(&nearest, word.text, (size_t)word.length);
    for (; *words; words++) nearest_offer(&nearest, *words);
    return nearest.found;
}
