#include "shell/help/help_search.h"

#include "base/memory.h"
#include "shell/help/help_topics.h"

#include <stdlib.h>
#include <string.h>

/* ---- everything that has a page ---- */

typedef bool Visit(void *context, const HelpEntry *entry);

static bool each_topic(Visit *visit, void *context) {
    for (const HelpTopic *row = help_topics; row->name; row++)
        if (!visit(context,
                   &(HelpEntry){"help ", row->name, row->summary, {row->words, row->usage}}))
            return false;
    return true;
}

static bool each_command(const CommandDef *row, Visit *visit, void *context) {
    for (; row->syntax.name; row++)
        if (!visit(
                context,
                &(HelpEntry){"", row->syntax.name, row->summary, {row->usage, row->syntax.words}}))
            return false;
    return true;
}

static bool each_setting(Visit *visit, void *context) {
    for (const SettingDef *row = setting_table; row->name; row++)
        if (!visit(context,
                   &(HelpEntry){"set ", row->name, row->summary, {row->values, row->words}}))
            return false;
    return true;
}

static bool each_function(const BuiltinDef *row, Visit *visit, void *context) {
    for (; row->name; row++) {
        const char *before = !row->receiver                       ? ""
                             : strcmp(row->receiver, "list") == 0 ? "list."
                                                                  : "string.";
        if (!visit(context, &(HelpEntry){before,
                                         row->name,
                                         row->summary,
                                         {row->parameters, row->formula, row->shapes, row->group}}))
            return false;
    }
    return true;
}

/* Until one visit returns false. */
static bool each_entry(const Session *session, Visit *visit, void *context) {
    for (size_t t = 0; session->commands[t]; t++)
        if (!each_command(session->commands[t], visit, context)) return false;
    if (!each_setting(visit, context)) return false;
    for (size_t t = 0; session->interp.tables[t]; t++)
        if (!each_function(session->interp.tables[t], visit, context)) return false;
    return each_topic(visit, context);
}

/* ---- words ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool begins_with(const char *text, const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != lower(word[i])) return false;
    return true;
}

static bool is_letter(char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (unsigned char)c >= 0x80;
}

typedef enum Place { NOWHERE, WITHIN_A_WORD, BEGINS_A_WORD, WHOLE_WORD } Place;

enum { WITHIN_LEAST = 3 }; /* letters: shorter words are within too many others */

/* The best place of `word` in the text. */
static Place find_word(const char *text, const char *word, size_t length) {
    Place best = NOWHERE;
    for (const char *at = text; at && *at; at++) {
        if (!begins_with(at, word, length)) continue;
        bool begins = at == text || !is_letter(at[-1]) || !is_letter(*at),
             ends = !is_letter(at[length]);
        Place place = begins && ends           ? WHOLE_WORD
                      : begins                 ? BEGINS_A_WORD
                      : length >= WITHIN_LEAST ? WITHIN_A_WORD
                                               : NOWHERE;
        if (place > best) best = place;
    }
    return best;
}

/* What people say, and the name it goes by here. */
static const struct Synonym {
    const char *word, *names;
} synonyms[] = {
    {"gradient", "grad jacobian derivative"},
    {"derivative", "grad jacobian gradient gradcheck"},
    {"slope", "grad alibi relative_bias"},
    {"backward", "grad"},
    {"sharpness", "temperature entropy"},
    {"sharp", "temperature"},
    {"flat", "temperature"},
    {"normalize", "softmax layernorm norm"},
    {"normalise", "softmax layernorm norm"},
    {"probability", "softmax"},
    {"graph", "plot"},
    {"chart", "plot"},
    {"image", "plot"},
    {"picture", "plot"},
    {"heatmap", "plot weights"},
    {"export", "save plot"},
    {"write", "save print"},
    {"read", "load"},
    {"open", "load run"},
    {"quit", "exit"},
    {"leave", "exit"},
    {"close", "exit"},
    {"variables", "who"},
    {"options", "settings show"},
    {"colour", "color palette"},
    {"labels", "tokens"},
    {"words", "tokens"},
    {"hide", "mask"},
    {"future", "mask causal_mask"},
    {"average", "mean"},
    {"multiply", "dot operators"},
    {"product", "dot operators"},
    {"loop", "for"},
    {"condition", "conditions where"},
    {"function", "def functions"},
    {"uncertainty", "entropy"},
    {"shuffle", "permutation"},
    {"similarity", "dot scores norm"},
    {"cosine", "cos dot norm"},
    {"inverse", "inv"},
    {"eigenvalues", "eigh"},
    {"shortcut", "keys"},
    {"revert", "undo"},
    {"restart", "reset"},
    {NULL, NULL},
};

static bool is_synonym(const char *name, const char *word, size_t length) {
    for (const struct Synonym *row = synonyms; row->word; row++)
        if (strlen(row->word) == length && begins_with(row->word, word, length) &&
            find_word(row->names, name, strlen(name)) == WHOLE_WORD)
            return true;
    return false;
}

/* ---- how well an entry fits ---- */

static int score_in(const char *text, const char *word, size_t length, int whole, int begins,
                    int within) {
    switch (find_word(text, word, length)) {
    case WHOLE_WORD: return whole;
    case BEGINS_A_WORD: return begins;
    case WITHIN_A_WORD: return within;
    default: return 0;
    }
}

static int score_form(const HelpEntry *entry, const char *word, size_t length) {
    int score = strlen(entry->name) == length && begins_with(entry->name, word, length) ? 400 : 0;
    score += score_in(entry->name, word, length, 120, 100, 60);
    if (is_synonym(entry->name, word, length)) score += 90;
    score += score_in(entry->summary, word, length, 30, 20, 6);
    for (size_t i = 0; i < sizeof entry->more / sizeof *entry->more; i++)
        score += score_in(entry->more[i], word, length, 4, 3, 1);
    return score;
}

static bool is_plural(const char *word, size_t length) {
    return length > 3 && lower(word[length - 1]) == 's' && lower(word[length - 2]) != 's';
}

/* Of one word; of a plural also what speaks of one. 0: it does not occur. */
static int score_word(const HelpEntry *entry, const char *word) {
    size_t length = strlen(word);
    int score = score_form(entry, word, length);
    if (score || !is_plural(word, length)) return score;
    bool said = find_word(entry->name, word, length - 1) == WHOLE_WORD ||
                find_word(entry->summary, word, length - 1) == WHOLE_WORD;
    return said ? score_form(entry, word, length - 1) : 0;
}

typedef struct Search {
    const char *const *words;
    size_t word_count, visited;
    HelpHits *hits;
    Error *err;
} Search;

static bool add_hit(HelpHits *hits, HelpHit hit, Error *err) {
    if (hits->count == hits->capacity) {
        size_t capacity = hits->capacity ? hits->capacity * 2 : 32;
        HelpHit *items = mem_resize(hits->items, capacity * sizeof *items, err);
        if (!items) return false;
        hits->items = items;
        hits->capacity = capacity;
    }
    hits->items[hits->count++] = hit;
    return true;
}

static bool visit_entry(void *context, const HelpEntry *entry) {
    Search *search = context;
    HelpHit hit = {*entry, 0, search->visited++};
    for (size_t i = 0; i < search->word_count; i++) {
        int score = score_word(entry, search->words[i]);
        if (score == 0) return true;
        hit.score += score;
    }
    return add_hit(search->hits, hit, search->err);
}

static int by_score(const void *a, const void *b) {
    const HelpHit *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

bool help_search(const Session *session, const char *const *words, size_t count, HelpHits *hits,
                 Error *err) {
    *hits = (HelpHits){NULL, 0, 0};
    Search search = {words, count, 0, hits, err};
    if (!each_entry(session, visit_entry, &search)) return false;
    if (hits->count) qsort(hits->items, hits->count, sizeof *hits->items, by_score);
    return true;
}

void help_hits_release(HelpHits *hits) {
    mem_free(hits->items);
    *hits = (HelpHits){NULL, 0, 0};
}

/* ---- showing ---- */

static Text label_of(const HelpEntry *entry) {
    Text label;
    text_init(&label);
    text_format(&label, "%s%s", entry->before, entry->name);
    return label;
}

static size_t label_column(const Page *page, const HelpHits *hits) {
    size_t most = 0, limit = page_is_narrow(page) ? page->width * 2 / 5 : 26;
    for (size_t i = 0; i < hits->count; i++) {
        size_t columns =
            strlen(hits->items[i].entry.before) + strlen(hits->items[i].entry.name) + 2;
        if (columns > most && columns <= limit) most = columns;
    }
    return most;
}

/* The end of the first sentence, the full stop left out. */
static size_t sentence_length(const char *summary) {
    const char *stop = strstr(summary, ". ");
    size_t length = stop ? (size_t)(stop - summary) : strlen(summary);
    return length && summary[length - 1] == '.' ? length - 1 : length;
}

static void write_hit(Page *page, const HelpEntry *entry, size_t column) {
    Text label = label_of(entry), sentence;
    text_init(&sentence);
    text_bytes(&sentence, entry->summary, sentence_length(entry->summary));
    page_cut_row(page, label.data, sentence.data, column);
    if (label.failed || sentence.failed) page->text->failed = true;
    text_release(&label);
    text_release(&sentence);
}

void help_write_hits(Page *page, const HelpHits *hits) {
    size_t column = label_column(page, hits);
    for (size_t i = 0; i < hits->count; i++) write_hit(page, &hits->items[i].entry, column);
}

/* ---- what was meant ---- */

enum { OFFERED_MAX = 80 };

/* The interpreter knows the other names. */
const char *help_nearest(const Session *session, const char *word) {
    const char *names[OFFERED_MAX];
    size_t count = 0;
    for (const SettingDef *row = setting_table; row->name && count < OFFERED_MAX - 1; row++)
        names[count++] = row->name;
    for (const HelpTopic *row = help_topics; row->name && count < OFFERED_MAX - 1; row++)
        names[count++] = row->name;
    names[count] = NULL;
    return interp_nearest(&session->interp, word, names);
}
