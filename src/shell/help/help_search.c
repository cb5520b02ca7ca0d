#include "shell/help/help_entry.h"

#include "base/memory.h"
#include "base/translate.h"
#include "model/tasks/task.h"

#include <stdlib.h>
#include <string.h>

const HelpSynonym help_synonyms[] = {
    {"gradient", "sweep diagnose"},
    {"derivative", "sweep diagnose"},
    {"slope", "alibi relative_bias"},
    {"sharpness", "temperature entropy"},
    {"sharp", "temperature"},
    {"flat", "temperature"},
    {"tau", "temperature"},
    {"τ", "temperature"},
    {"normalize", "softmax layernorm norm"},
    {"normalise", "softmax layernorm norm"},
    {"probability", "softmax"},
    {"graph", "plot"},
    {"chart", "plot"},
    {"image", "plot"},
    {"picture", "plot"},
    {"heatmap", "plot weights"},
    {"export", "save plot"},
    {"write", "save open print"},
    {"read", "load open input"},
    {"ask", "input"},
    {"file", "open load save"},
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
    {"掩码", "mask causal_mask window_mask"},
    {"温度", "temperature"},
    {"位置", "position"},
    {"缩放", "scale"},
    {"头", "heads"},
    {"词元", "tokens"},
    {"熵", "entropy"},
    {"梯度", "grad"},
    {"画图", "plot"},
    {"训练", "train"},
    {"课程", "lesson lessons"},
    {"撤销", "undo"},
    {"退出", "exit"},
    {"快捷键", "keys"},
    {"作业", "collect"},
    {"平均", "mean"},
    {"归因", "attribute"},
    {"消融", "ablate"},
    {"归一化", "layernorm"},
    {"残差", "transformer"},
    {"中间结果", "trace last"},
    {"因果", "causal_mask mask"},
    {"多头", "multihead heads"},
    {"生成", "generate"},
    {"下一个词", "predict"},
    {"文件", "load open files"},
    {"推导", "for"},
    {"循环", "for"},
    {"损失", "loss cross_entropy"},
    {"颜色", "palette color"},
    {"网页", "export"},
    {NULL, NULL},
};

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

/* How a word matches a text, from the worst to the best. */
typedef enum Match { NO_MATCH, WITHIN_A_WORD, BEGINS_A_WORD, WHOLE_WORD } Match;

enum { WITHIN_LEAST = 3 }; /* letters: shorter words are within too many others */

/* The best match of `word` in the text. */
static Match find_word(const char *text, const char *word, size_t length) {
    Match best = NO_MATCH;
    for (const char *at = text; at && *at; at++) {
        if (!begins_with(at, word, length)) continue;
        bool begins = at == text || !is_letter(at[-1]) || !is_letter(*at),
             ends = !is_letter(at[length]);
        Match match = begins && ends           ? WHOLE_WORD
                      : begins                 ? BEGINS_A_WORD
                      : length >= WITHIN_LEAST ? WITHIN_A_WORD
                                               : NO_MATCH;
        if (match > best) best = match;
    }
    return best;
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

static bool is_synonym(const char *name, const char *word, size_t length) {
    for (const HelpSynonym *row = help_synonyms; row->word; row++)
        if (strlen(row->word) == length && begins_with(row->word, word, length) &&
            find_word(row->names, name, strlen(name)) == WHOLE_WORD)
            return true;
    return false;
}

static int score_form(const HelpEntry *entry, const char *word, size_t length) {
    const char *const others[] = {entry->usage,  entry->values,
                                  entry->shapes, entry->formula,
                                  entry->words,  entry->function ? entry->function->group : NULL};
    int score = strlen(entry->name) == length && begins_with(entry->name, word, length) ? 400 : 0;
    score += score_in(entry->name, word, length, 120, 100, 60);
    if (!entry->function && help_has_own_word(entry, word)) score += entry->topic ? 2 : 70;
    if (is_synonym(entry->name, word, length)) score += 90;
    const char *summary = tr(entry->summary);
    score += score_in(entry->summary, word, length, 30, 20, 6);
    if (summary != entry->summary) score += score_in(summary, word, length, 30, 20, 6);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        score += score_in(others[i], word, length, 4, 3, 1);
    return score;
}

/* How well an entry fits a word, 0 if it does not occur. For a plural, what mentions the singular
 * counts too, but less than what mentions the word itself. */
static int score_word(const HelpEntry *entry, const char *word) {
    size_t length = strlen(word);
    int score = score_form(entry, word, length);
    bool plural = length > 3 && lower(word[length - 1]) == 's' && lower(word[length - 2]) != 's';
    if (score || !plural) return score;
    bool said = find_word(entry->name, word, length - 1) == WHOLE_WORD ||
                find_word(entry->summary, word, length - 1) == WHOLE_WORD;
    return said ? score_form(entry, word, length - 1) * 3 / 4 : 0;
}

bool help_has_own_word(const HelpEntry *entry, const char *word) {
    size_t length = strlen(word);
    LocalText signature = TEXT_EMPTY;
    if (!entry->topic) help_write_signature(&signature, entry);
    const char *behind = entry->function ? strchr(signature.data, '(') : signature.data;
    const char *const texts[] = {behind, entry->values,
                                 entry->setting || entry->command ? entry->words : NULL,
                                 entry->command ? entry->command->syntax.options : NULL};
    bool task = strcmp(entry->name, "task") == 0 && task_find(word);
    bool found = task || is_synonym(entry->name, word, length);
    for (size_t i = 0; !found && i < sizeof texts / sizeof *texts; i++)
        found = find_word(texts[i], word, length) == WHOLE_WORD;
    for (const PageRow *row = entry->topic ? entry->topic->rows : NULL; !found && row && row->left;
         row++)
        found = find_word(row->left, word, length) == WHOLE_WORD;
    return found;
}

static int by_score(const void *a, const void *b) {
    const HelpHit *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

bool help_search(const Session *session, const char *const *words, size_t count, size_t least,
                 HelpHits *hits, Error *err) {
    enum { WORD_MOST = 200 }; /* bytes: no page has a longer one */
    enum { MENTIONED = 100 }; /* one word more counts as much as being in a name */
    *hits = (HelpHits){NULL, 0};
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) > WORD_MOST) return true;
    size_t capacity = 0, visited = 0;
    LocalText summary = TEXT_EMPTY;
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        HelpHit hit = {entry, 0, 0, visited++};
        text_clear(&summary);
        help_write_summary(&summary, &entry); /* as the page shows it */
        entry.summary = summary.data;
        for (size_t i = 0; i < count && hit.matched + count - i >= least; i++) {
            int score = score_word(&entry, words[i]);
            hit.matched += score > 0;
            hit.score += score ? score + MENTIONED : 0;
        }
        if (hit.matched < least) continue;
        HelpHit *items = mem_grow(hits->items, hits->count, &capacity, sizeof *items, err);
        if (!items) return false;
        hits->items = items;
        hits->items[hits->count++] = hit;
    }
    if (hits->count) qsort(hits->items, hits->count, sizeof *hits->items, by_score);
    return text_ok(&summary, err);
}

void help_hits_release(HelpHits *hits) {
    mem_free(hits->items);
    *hits = (HelpHits){NULL, 0};
}

/* ---- showing ---- */

void help_write_hits(Page *page, const HelpHits *hits) {
    size_t column = 0, limit = page_is_narrow(page) ? page->width * 2 / 5 : 26;
    LocalText label = TEXT_FOR(page->text), whole = TEXT_FOR(page->text),
              sentence = TEXT_FOR(page->text);
    for (size_t i = 0; i < hits->count; i++) {
        const HelpEntry *entry = &hits->items[i].entry;
        size_t columns = strlen(help_before(entry)) + strlen(entry->name) + 2;
        if (columns > column && columns <= limit) column = columns;
    }
    for (size_t i = 0; i < hits->count; i++) {
        const HelpEntry *entry = &hits->items[i].entry;
        text_clear(&whole);
        help_write_summary(&whole, entry);
        const char *summary = tr(whole.data);
        const char *end = strstr(summary, tr(". ")); /* of the first sentence, without its stop */
        size_t length = end ? (size_t)(end - summary) : strlen(summary);
        if (!end && length && summary[length - 1] == '.') length--;
        text_clear(&label);
        text_clear(&sentence);
        text_format(&label, "%s%s", help_before(entry), entry->name);
        text_bytes(&sentence, summary, length);
        page_cut_row(page, label.data, sentence.data, column);
    }
}
