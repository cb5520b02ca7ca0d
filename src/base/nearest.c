#include "base/nearest.h"

#include "base/characters.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX_LEAST = 4 };

static NearestLetters letters_of(const char *word, size_t length) {
    NearestLetters letters = {.count = 0};
    for (size_t i = 0; i < length;) {
        if (letters.count == NEAREST_LETTERS_MAX) return (NearestLetters){.count = 0};
        uint32_t letter;
        i += utf8_next(word + i, length - i, &letter);
        letters.at[letters.count++] = letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
    }
    return letters;
}

/* The optimal string alignment distance: no letter is edited twice. Row i holds the distances from
 * the first i letters of a to the beginnings of b; three rows are kept. Lengths that differ by more
 * than `most` say without them that it is more. */
static int edit_distance(const NearestLetters *a, const NearestLetters *b, int most) {
    int rows[3][NEAREST_LETTERS_MAX + 1];
    if (abs(a->count - b->count) > most) return most + 1;
    for (int j = 0; j <= b->count; j++) rows[0][j] = j;
    for (int i = 1; i <= a->count; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= b->count; j++) {
            int edits = above[j - 1] + (a->at[i - 1] != b->at[j - 1]);
            if (above[j] + 1 < edits) edits = above[j] + 1;
            if (row[j - 1] + 1 < edits) edits = row[j - 1] + 1;
            bool swapped =
                i > 1 && j > 1 && a->at[i - 1] == b->at[j - 2] && a->at[i - 2] == b->at[j - 1];
            if (swapped && before[j - 2] + 1 < edits) edits = before[j - 2] + 1;
            row[j] = edits;
        }
    }
    return rows[a->count % 3][b->count];
}

void nearest_begin(Nearest *nearest, const char *word, size_t length) {
    nearest->word = letters_of(word, length);
    nearest->found = NULL;
    int count = nearest->word.count;
    nearest->limit = count < 3 ? 0 : count < 6 ? 1 : count / 3;
}

void nearest_offer(Nearest *nearest, const char *candidate) {
    const NearestLetters *word = &nearest->word;
    NearestLetters other = letters_of(candidate, strlen(candidate));
    if (word->count == 0 || other.count == 0) return;
    int edits = edit_distance(word, &other, nearest->limit);
    bool beginning = word->count >= PREFIX_LEAST && word->count <= other.count &&
                     memcmp(word->at, other.at, (size_t)word->count * sizeof *word->at) == 0;
    if (beginning && edits > nearest->limit) edits = nearest->limit;
    if (edits > nearest->limit || (edits > 0 && other.count < 2)) return;
    /* Among equally near candidates, one with the same first letter comes first: people seldom
     * mistype it, except by swapping it with the second. */
    bool swapped = word->count > 1 && other.count > 1 && word->at[0] == other.at[1];
    int rank = 2 * edits + (word->at[0] != other.at[0] && !swapped);
    if (nearest->found &&
        (rank > nearest->rank || (rank == nearest->rank && strcmp(candidate, nearest->found) > 0)))
        return;
    nearest->found = candidate;
    nearest->rank = rank;
}

const char *nearest_word(const char *word, const char *const *words) {
    Nearest nearest;
    nearest_begin(&nearest, word, strlen(word));
    for (; *words; words++) nearest_offer(&nearest, *words);
    return nearest.found;
}
