#include "engine/attention/words.h"

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

enum { NEAR_LETTERS = 24 };

static int smaller(int a, int b) { return a < b ? a : b; }

/* Levenshtein's distance, one row at a time. */
static int letters_apart(Word word, const char *other) {
    int length = (int)strlen(other);
    int row[NEAR_LETTERS + 1];
    if (length > NEAR_LETTERS) return NEAR_LETTERS;
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 1; i <= word.length; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int changed = diagonal + (word.text[i - 1] != other[j - 1]);
            diagonal = row[j];
            row[j] = smaller(changed, smaller(row[j], row[j - 1]) + 1);
        }
    }
    return row[length];
}

const char *word_nearest(Word word, const char *const *words) {
    const char *nearest = NULL;
    int best = 3;
    for (; *words && word.length <= NEAR_LETTERS; words++) {
        int apart = letters_apart(word, *words);
        if (apart < best && apart < word.length) {
            best = apart;
            nearest = *words;
        }
    }
    return nearest;
}
