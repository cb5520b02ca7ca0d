#include "model/tokenizers/pair_table.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"

#include <stdint.h>
#include <string.h>

enum { NO_PAIR = -1, NO_PIECE = -1, POLL_EVERY = 4096 };

bool token_list_append(TokenList *list, int id, Error *err) {
    int *ids = mem_grow(list->ids, list->count, &list->capacity, sizeof *ids, err);
    if (!ids) return false;
    list->ids = ids;
    list->ids[list->count++] = id;
    return true;
}

bool token_list_give(TokenList *list, bool ok, int **ids, size_t *count) {
    if (ok) {
        *ids = list->ids;
        *count = list->count;
    } else {
        mem_free(list->ids);
    }
    return ok;
}

/* ---- the table ---- */

/* The slot of this pair, or the free one where it would be. */
static size_t slot_of_pair(const PairTable *table, int left, int right) {
    uint64_t key = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    size_t mask = table->slot_count - 1;
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        int pair = table->slots[at];
        if (pair == NO_PAIR) return at;
        if (table->pairs[pair].left == left && table->pairs[pair].right == right) return at;
    }
}

bool pair_table_init(PairTable *table, const BytePair *pairs, size_t count, Error *err) {
    *table = (PairTable){.count = count, .slot_count = 4};
    while (table->slot_count < 2 * count) table->slot_count *= 2;
    table->pairs = mem_alloc(count * sizeof *pairs, err);
    table->slots = table->pairs ? mem_alloc(table->slot_count * sizeof(int), err) : NULL;
    if (!table->slots) {
        pair_table_release(table);
        return false;
    }
    if (count) memcpy(table->pairs, pairs, count * sizeof *pairs);
    for (size_t i = 0; i < table->slot_count; i++) table->slots[i] = NO_PAIR;
    for (size_t i = 0; i < count; i++)
        table->slots[slot_of_pair(table, pairs[i].left, pairs[i].right)] = (int)i;
    return true;
}

void pair_table_release(PairTable *table) {
    mem_free(table->pairs);
    mem_free(table->slots);
    *table = (PairTable){.pairs = NULL};
}

/* ---- joining ---- */

/* A token of the sequence, linked with its neighbours. A piece that was joined with the one before
 * it has the token -1. */
typedef struct PairPiece {
    int token, before, after;
} PairPiece;

/* The piece that a pair was seen at. It may have changed since. */
typedef struct PairPlace {
    int pair, piece;
} PairPlace;

static bool comes_first(PairPlace a, PairPlace b) {
    return a.pair < b.pair || (a.pair == b.pair && a.piece < b.piece);
}

/* The array is a heap: each item comes before the two at 2i + 1 and 2i + 2. */
static void push_place(PairPlace *places, size_t *count, PairPlace place) {
    size_t at = (*count)++;
    for (; at > 0 && comes_first(place, places[(at - 1) / 2]); at = (at - 1) / 2)
        places[at] = places[(at - 1) / 2];
    places[at] = place;
}

static PairPlace pop_place(PairPlace *places, size_t *count) {
    PairPlace first = places[0], last = places[--*count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= *count) break;
        if (child + 1 < *count && comes_first(places[child + 1], places[child])) child++;
        if (!comes_first(places[child], last)) break;
        places[at] = places[child];
        at = child;
    }
    places[at] = last;
    return first;
}

/* Notes the pair that begins at the piece, if there is one. */
static void note_pair(const PairTable *table, const PairWork *work, int piece, size_t *noted) {
    int after = piece == NO_PIECE ? NO_PIECE : work->pieces[piece].after;
    if (after == NO_PIECE) return;
    int pair =
        table->slots[slot_of_pair(table, work->pieces[piece].token, work->pieces[after].token)];
    if (pair != NO_PAIR) push_place(work->places, noted, (PairPlace){pair, piece});
}

static bool reserve_work(PairWork *work, size_t count, Error *err) {
    if (count <= work->capacity) return true;
    if (count > INT32_MAX / 3) return mem_error(err, count * sizeof *work->pieces);
    size_t capacity = larger(larger(count, 2 * work->capacity), 64);
    PairPiece *pieces = mem_resize(work->pieces, capacity * sizeof *pieces, err);
    if (!pieces) return false;
    work->pieces = pieces;
    /* A pair for each two neighbours, and two more after each join. */
    PairPlace *places = mem_resize(work->places, 3 * capacity * sizeof *places, err);
    if (!places) return false;
    work->places = places;
    work->capacity = capacity;
    return true;
}

void pair_work_release(PairWork *work) {
    mem_free(work->pieces);
    mem_free(work->places);
    *work = (PairWork){.pieces = NULL};
}

bool pair_table_join(const PairTable *table, PairWork *work, int *ids, size_t *count, Error *err) {
    if (*count < 2) return true;
    if (!reserve_work(work, *count, err)) return false;
    PairPiece *pieces = work->pieces;
    size_t noted = 0, n = *count;
    for (size_t i = 0; i < n; i++)
        pieces[i] = (PairPiece){ids[i], (int)i - 1, i + 1 < n ? (int)i + 1 : NO_PIECE};
    for (size_t i = 0; i + 1 < n; i++) note_pair(table, work, (int)i, &noted);

    for (size_t done = 1; noted > 0; done++) {
        if (done % POLL_EVERY == 0 && interrupted(err)) return false;
        PairPlace place = pop_place(work->places, &noted);
        const BytePair *pair = &table->pairs[place.pair];
        PairPiece *left = &pieces[place.piece];
        if (left->token != pair->left || left->after == NO_PIECE) continue;
        PairPiece *right = &pieces[left->after];
        if (right->token != pair->right) continue;
        left->token = pair->joined;
        left->after = right->after;
        right->token = -1;
        if (left->after != NO_PIECE) pieces[left->after].before = place.piece;
        note_pair(table, work, left->before, &noted);
        note_pair(table, work, place.piece, &noted);
    }
    size_t kept = 0;
    for (int at = 0; at != NO_PIECE; at = pieces[at].after) ids[kept++] = pieces[at].token;
    *count = kept;
    return true;
}
