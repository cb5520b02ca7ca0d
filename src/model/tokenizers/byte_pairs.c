#include "model/tokenizers/byte_pairs.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"

#include <string.h>

void byte_pairs_write(const PairTable *pairs, int id, Text *out) {
    if (id < BYTE_TOKENS) {
        text_char(out, (char)id);
        return;
    }
    byte_pairs_write(pairs, pairs->pairs[id - BYTE_TOKENS].left, out);
    byte_pairs_write(pairs, pairs->pairs[id - BYTE_TOKENS].right, out);
}

static int *bytes_as_tokens(const char *text, size_t length, Error *err) {
    int *ids = mem_alloc(length * sizeof *ids, err);
    for (size_t i = 0; ids && i < length; i++) ids[i] = (unsigned char)text[i];
    return ids;
}

bool byte_pairs_encode(const PairTable *pairs, const char *text, size_t length, int **ids,
                       size_t *count, Error *err) {
    PairWork work = {.pieces = NULL};
    int *out = bytes_as_tokens(text, length, err);
    bool ok = out && pair_table_join(pairs, &work, out, &length, err);
    pair_work_release(&work);
    if (!ok) {
        mem_free(out);
        return false;
    }
    *ids = out;
    *count = length;
    return true;
}

/* ---- learning ---- */

/* Joins the pair wherever it occurs; returns how many tokens there are then. */
static size_t join_everywhere(int *ids, size_t count, BytePair pair) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool here = ids[i] == pair.left && i + 1 < count && ids[i + 1] == pair.right;
        ids[kept++] = here ? pair.joined : ids[i];
        i += here;
    }
    return kept;
}

/* The facts about a token that learning uses. */
typedef struct Known {
    size_t length; /* bytes */
    bool spaced;   /* begins with white space */
} Known;

static bool is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static bool may_join(const Known *left, const Known *right) {
    return !right->spaced && left->length + right->length <= PAIR_BYTES_MOST;
}

/* The first of the most frequent pairs; false if none comes twice. counts: (most, most). */
static bool most_frequent(const int *ids, size_t count, const Known *known, unsigned *counts,
                          size_t most, BytePair *out) {
    unsigned best = 1;
    memset(counts, 0, most * most * sizeof *counts);
    for (size_t i = 0; i + 1 < count; i++)
        if (may_join(&known[ids[i]], &known[ids[i + 1]]))
            counts[(size_t)ids[i] * most + (size_t)ids[i + 1]]++;
    for (size_t i = 0; i < most * most; i++) {
        if (counts[i] <= best) continue;
        best = counts[i];
        *out = (BytePair){(int)(i / most), (int)(i % most), 0};
    }
    return best > 1;
}

bool byte_pairs_learn(const char *text, size_t length, size_t tokens, BytePair *pairs,
                      size_t *count, Error *err) {
    Known known[BYTE_PAIRS_MOST];
    size_t learned = 0, most = smaller(tokens, BYTE_PAIRS_MOST);
    LocalMemory int *ids = bytes_as_tokens(text, length, err);
    LocalMemory unsigned *counts = ids ? mem_alloc(most * most * sizeof *counts, err) : NULL;
    bool ok = counts != NULL;
    for (int i = 0; i < BYTE_TOKENS; i++) known[i] = (Known){1, is_space(i)};
    while (ok && BYTE_TOKENS + learned < most) {
        ok = !interrupted(err);
        if (!ok || !most_frequent(ids, length, known, counts, most, &pairs[learned])) break;
        BytePair *pair = &pairs[learned];
        pair->joined = BYTE_TOKENS + (int)learned++;
        known[pair->joined] =
            (Known){known[pair->left].length + known[pair->right].length, known[pair->left].spaced};
        length = join_everywhere(ids, length, *pair);
    }
    *count = learned;
    return ok;
}
