#include "lang/nearest.h"

#include "base/utf8.h"
#include "lang/interp.h"

#include <string.h>

enum { LETTERS_MAX = 40, PREFIX_LEAST = 4 };

typedef struct Letters {
    uint32_t at[LETTERS_MAX];
    int count; /* 0: empty or too long to be compared */
} Letters;

static Letters letters_of(const char *word) {
    Letters letters = {.count = 0};
    size_t length = strlen(word);
    for (size_t i = 0; i < length;) {
        if (letters.count == LETTERS_MAX) return (Letters){.count = 0};
        uint32_t letter;
        i += utf8_next(word + i, length - i, &letter);
        letters.at[letters.count++] = letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
    }
    return letters;
}

static int least(int a, int b, int c) {
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Row i of the distances between prefixes, from the two rows before it. */
static void next_row(const Letters *a, const Letters *b, int i, const int *before, const int *above,
                     int *row) {
    row[0] = i;
    for (int j = 1; j <= b->count; j++) {
        bool same = a->at[i - 1] == b->at[j - 1];
        row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1));
        bool swapped =
            i > 1 && j > 1 && a->at[i - 1] == b->at[j - 2] && a->at[i - 2] == b->at[j - 1];
        if (swapped && before[j - 2] + 1 < row[j]) row[j] = before[j - 2] + 1;
    }
}

/* Edits from a to b, a swap of neighbours being one (Damerau 1964, Levenshtein 1966; no letter
 * edited twice). */
static int distance(const Letters *a, const Letters *b) {
    int rows[3][LETTERS_MAX + 1];
    for (int j = 0; j <= b->count; j++) rows[0][j] = j;
    for (int i = 1; i <= a->count; i++)
        next_row(a, b, i, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    return rows[a->count % 3][b->count];
}

void nearest_begin(Nearest *nearest, const char *word) {
    Letters letters = letters_of(word);
    nearest->word = word;
    nearest->found = NULL;
    nearest->limit = letters.count < 3 ? 0 : letters.count < 6 ? 1 : letters.count / 3;
}

static bool begins_with(const Letters *word, const Letters *beginning) {
    if (beginning->count < PREFIX_LEAST || beginning->count > word->count) return false;
    return memcmp(word->at, beginning->at, (size_t)beginning->count * sizeof *word->at) == 0;
}

void nearest_offer(Nearest *nearest, const char *candidate) {
    Letters word = letters_of(nearest->word), other = letters_of(candidate);
    if (word.count == 0 || other.count == 0) return;
    int edits = distance(&word, &other);
    if (edits > nearest->limit && begins_with(&other, &word)) edits = nearest->limit;
    if (edits > nearest->limit || (edits > 0 && other.count < 2)) return;
    /* Of equally near ones the first of the alphabet, whatever the order of the offers. */
    if (nearest->found && (edits > nearest->edits ||
                           (edits == nearest->edits && strcmp(candidate, nearest->found) > 0)))
        return;
    nearest->found = candidate;
    nearest->edits = edits;
}

const char *nearest_word(const char *word, const char *const *words) {
    Nearest nearest;
    nearest_begin(&nearest, word);
    for (; *words; words++) nearest_offer(&nearest, *words);
    return nearest.found;
}
