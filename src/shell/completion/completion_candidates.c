#include "shell/completion/completion_candidates.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void name_write(Text *out, const char *name, size_t length) {
    if (!utf8_nfkc(out, name, length)) text_bytes(out, name, length);
}

/* ---- life cycle ---- */

void candidates_init(Candidates *c, Matching matching, const char *word, size_t length, char next) {
    Text normal;
    *c = (Candidates){.matching = matching, .next = next};
    text_init(&c->word);
    text_init(&c->before);
    text_init(&c->scratch);
    text_init(&c->texts);
    text_init(&normal);
    name_write(&normal, word, length);
    if (matching == MATCH_FOLDED) utf8_lower(&c->word, normal.data, normal.length);
    else text_bytes(&c->word, normal.data, normal.length);
    c->failed = normal.failed || c->word.failed;
    text_release(&normal);
}

void candidates_release(Candidates *c) {
    text_release(&c->word);
    text_release(&c->before);
    text_release(&c->scratch);
    text_release(&c->texts);
    mem_free(c->items);
}

/* ---- gathering ---- */

static int fold(char c) { return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : (unsigned char)c; }

/* Names of ASCII letters need no tables. */
static bool begins_folded(Candidates *c, const char *name) {
    size_t i = 0;
    while (i < c->word.length && (unsigned char)name[i] < 0x80 &&
           fold(name[i]) == (unsigned char)c->word.data[i])
        i++;
    if (i == c->word.length || (unsigned char)name[i] < 0x80) return i == c->word.length;
    text_clear(&c->scratch);
    utf8_lower(&c->scratch, name, strlen(name));
    if (c->scratch.failed) c->failed = true;
    return strncmp(c->scratch.data, c->word.data, c->word.length) == 0;
}

bool candidates_match(Candidates *c, const char *name) {
    if (c->matching == MATCH_FOLDED) return begins_folded(c, name);
    return strncmp(name, c->word.data, c->word.length) == 0;
}

static Candidate *add(Candidates *c) {
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? c->capacity * 2 : 64;
        Candidate *items = mem_resize(c->items, capacity * sizeof *items, NULL);
        if (!items) return NULL;
        c->items = items;
        c->capacity = capacity;
    }
    return &c->items[c->count++];
}

void candidates_offer(Candidates *c, Offer offer) {
    if (c->failed || !candidates_match(c, offer.name)) return;
    Candidate *added = add(c);
    if (!added) {
        c->failed = true;
        return;
    }
    const char *suffix = offer.suffix ? offer.suffix : "";
    *added = (Candidate){.at = c->texts.length, .first = offer.first, .closed = offer.closed};
    text_bytes(&c->texts, c->before.data, c->before.length);
    text_string(&c->texts, offer.name);
    if (!*suffix || *suffix != c->next) text_string(&c->texts, suffix);
    text_char(&c->texts, 0);
    c->failed = c->texts.failed || c->before.failed;
}

void candidates_offer_words(Candidates *c, const char *words) {
    Text word;
    text_init(&word);
    for (const char *at = words ? words : ""; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        text_clear(&word);
        text_bytes(&word, at, length);
        if (word.failed) c->failed = true;
        candidates_offer(c, (Offer){.name = word.data, .first = true, .closed = true});
        at += length;
    }
    text_release(&word);
}

/* ---- finishing ---- */

/* Where the texts that are there begin to differ, not within a character. */
static size_t common_length(const Candidate *items, size_t count) {
    const char *first = items[0].text;
    size_t common = strlen(first);
    for (size_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < common && items[i].text[same] == first[same]) same++;
        common = same;
    }
    while (common > 0 && ((unsigned char)first[common] & 0xC0) == 0x80) common--;
    return common;
}

static int compare(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->first != y->first) return x->first ? -1 : 1;
    int order = strcasecmp(x->text, y->text);
    return order ? order : strcmp(x->text, y->text);
}

/* What is offered twice (a command and a setting of one name) stands side by side now, unless one
 * comes first. */
static size_t drop_repeated(Candidate *items, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || strcmp(items[kept - 1].text, items[i].text) != 0) items[kept++] = items[i];
    return kept;
}

/* The pointers and then the texts, in one block. */
static char **make_block(const Candidates *c, size_t count, Error *err) {
    char **block = mem_alloc(count * sizeof *block + c->texts.length, err);
    if (!block) return NULL;
    char *at = (char *)(block + count);
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(c->items[i].text) + 1;
        block[i] = memcpy(at, c->items[i].text, size);
        at += size;
    }
    return block;
}

bool candidates_finish(Candidates *c, size_t begin, Completion *out, Error *err) {
    if (c->failed) return error_memory(err, c->texts.length);
    if (c->count == 0) return true;
    for (size_t i = 0; i < c->count; i++) c->items[i].text = c->texts.data + c->items[i].at;
    qsort(c->items, c->count, sizeof *c->items, compare);
    size_t count = drop_repeated(c->items, c->count);
    char **block = make_block(c, count, err);
    if (!block) return false;
    *out = (Completion){begin, block, count, common_length(c->items, count),
                        count == 1 && c->items[0].closed};
    return true;
}
