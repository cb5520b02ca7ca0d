#include "shell/completion/completion_shared.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- candidates ---- */

void name_write(Text *out, const char *name, size_t length) {
    if (!utf8_nfkc(out, name, length)) text_bytes(out, name, length);
}

bool names_contain(const char *const *names, const char *name) {
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

static void candidates_init(Candidates *c, Matching matching, const char *word, size_t length,
                            char next) {
    LocalText normal = TEXT_EMPTY;
    *c = (Candidates){.matching = matching,
                      .word = TEXT_EMPTY,
                      .before = TEXT_EMPTY,
                      .scratch = TEXT_EMPTY,
                      .next = next,
                      .texts = TEXT_EMPTY};
    name_write(&normal, word, length);
    if (matching == MATCH_FOLDED) utf8_lower(&c->word, normal.data, normal.length);
    else text_bytes(&c->word, normal.data, normal.length);
    c->failed = normal.failed || c->word.failed;
}

static void candidates_release(Candidates *c) {
    text_release(&c->word);
    text_release(&c->before);
    text_release(&c->scratch);
    text_release(&c->texts);
    mem_free(c->items);
}

/* ---- gathering ---- */

bool candidates_match(Candidates *c, const char *name) {
    if (c->matching == MATCH_EXACT) return strncmp(name, c->word.data, c->word.length) == 0;
    /* Names of ASCII letters need no tables. */
    size_t i = 0;
    for (; i < c->word.length && (unsigned char)name[i] < 0x80; i++) {
        char small = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 'a' - 'A') : name[i];
        if (small != c->word.data[i]) return false;
    }
    if (i == c->word.length) return true;
    text_clear(&c->scratch);
    utf8_lower(&c->scratch, name, strlen(name));
    if (c->scratch.failed) c->failed = true;
    return strncmp(c->scratch.data, c->word.data, c->word.length) == 0;
}

void candidates_offer(Candidates *c, Offer offer) {
    if (c->failed || !candidates_match(c, offer.name)) return;
    Candidate *items = mem_grow(c->items, c->count, &c->capacity, sizeof *items, NULL);
    c->failed = items == NULL;
    if (c->failed) return;
    c->items = items;
    c->items[c->count++] =
        (Candidate){.at = c->texts.length, .first = offer.first, .closed = offer.closed};
    text_bytes(&c->texts, c->before.data, c->before.length);
    text_string(&c->texts, offer.name);
    bool is_there = offer.suffix && *offer.suffix && *offer.suffix == c->next;
    if (offer.suffix && !is_there) text_string(&c->texts, offer.suffix);
    text_char(&c->texts, 0);
    c->failed = c->texts.failed || c->before.failed;
}

void candidates_offer_words(Candidates *c, const char *words, WordFilter *may_offer,
                            const void *context) {
    LocalText word = TEXT_EMPTY;
    for (const char *at = words ? words : ""; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        text_clear(&word);
        text_bytes(&word, at, length);
        if (word.failed) c->failed = true;
        else if (!may_offer || may_offer(context, word.data))
            candidates_offer(c, (Offer){.name = word.data, .first = true, .closed = true});
        at += length;
    }
}

/* ---- finishing ---- */

static int compare_candidates(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->first != y->first) return x->first ? -1 : 1;
    int order = strcasecmp(x->text, y->text);
    return order ? order : strcmp(x->text, y->text);
}

/* Sorts them into out: those that come first, then by name, capitals like small letters. ERR_LIMIT.
 */
static bool candidates_finish(Candidates *c, size_t begin, Completion *out, Error *err) {
    if (c->failed) return mem_error(err, c->texts.length);
    if (c->count == 0) return true;
    Candidate *items = c->items;
    for (size_t i = 0; i < c->count; i++) items[i].text = c->texts.data + items[i].at;
    qsort(items, c->count, sizeof *items, compare_candidates);

    /* Items that were offered twice (a command and a setting of one name) are side by side now,
     * unless one of the two comes first. */
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (count == 0 || strcmp(items[count - 1].text, items[i].text) != 0)
            items[count++] = items[i];

    /* The beginning that all share, not ending within a character. */
    const char *first = items[0].text;
    size_t common = strlen(first);
    for (size_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < common && items[i].text[same] == first[same]) same++;
        common = same;
    }
    common = utf8_begin(first, common);

    /* The pointers and then the texts, in one block. */
    char **block = mem_alloc(count * sizeof *block + c->texts.length, err);
    if (!block) return false;
    char *at = (char *)(block + count);
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(items[i].text) + 1;
        block[i] = memcpy(at, items[i].text, size);
        at += size;
    }
    *out = (Completion){.begin = begin,
                        .candidates = block,
                        .count = count,
                        .common = common,
                        .closed = count == 1 && items[0].closed};
    return true;
}

/* ---- completion ---- */

bool completion_find(Session *session, const char *text, size_t length, size_t point,
                     Completion *out, Error *err) {
    Place place;
    bool ok = true;
    *out = (Completion){.begin = point};
    if (!place_init(&place, session, text, length, point, err)) return false;
    Span word = place_word(&place);
    /* Names in other capitals only if there is none as it was typed. */
    for (Matching matching = MATCH_EXACT; ok && out->count == 0 && matching <= MATCH_FOLDED;
         matching++) {
        Candidates candidates;
        candidates_init(&candidates, matching, text + word.begin, word.end - word.begin,
                        point < length ? text[point] : 0);
        place_offer(&place, &candidates);
        ok = candidates_finish(&candidates, place.begin, out, err);
        candidates_release(&candidates);
    }
    place_release(&place);
    return ok;
}

void completion_release(Completion *completion) {
    mem_free(completion->candidates);
    *completion = (Completion){0};
}

bool completion_hint(const Session *session, const char *text, size_t length, size_t point,
                     Text *out) {
    Context context;
    Callee callee;
    if (length > HINT_TEXT_MAX) return false;
    context_find(&context, session->interp.hooks.commands, text, length, point);
    if (context.in_call && callee_find(session, text, context.callee, &callee, NULL)) {
        callee_write(&callee, session->interp.digits, out);
        callee_release(&callee);
        return true;
    }
    const SettingDef *setting = context.picked ? setting_find(context.picked->name) : NULL;
    if (setting) {
        text_format(out, "%s: %s", setting->name, setting_values(setting));
        return true;
    }
    const CommandDef *command =
        context.command ? session_command(session, context.command->name) : NULL;
    if (!command || strcmp(command->usage, command->syntax.name) == 0) return false;
    text_string(out, command->usage);
    return true;
}
