/* Questions in plain words behind `help`: how do I mask the future? */
#include "base/characters.h"
#include "base/utf8.h"
#include "lang/remedy.h"
#include "lang/token.h"
#include "shell/help/help_entry.h"

#include <string.h>

/* The words of a question that name its subject. */
typedef struct Question {
    const char *words[24]; /* each in `kept` */
    char kept[24][40];
    size_t count;
    bool asks;    /* it has words that only questions have */
    bool strange; /* it has a word without a page */
} Question;

/* True for a word that says nothing about the subject of a question. */
static bool is_small(const char *word) {
    static const char words[] =
        "a an the how do does did what what's is are was i me my we you it its this that there to "
        "of in on at by with from for and or not if as can could should would will may have has "
        "when where which why use using make get want need tell show explain mean means please "
        "help about work works between into out up some any attn don't doesn't can't isn't "
        "understand know";
    LocalText lower = TEXT_EMPTY;
    utf8_lower(&lower, word, strlen(word));
    return words_contain(words, lower.data, lower.length);
}

static void add_word(Question *question, const char *word, size_t length) {
    if (question->count == sizeof question->words / sizeof *question->words) return;
    char *kept = question->kept[question->count];
    if (length == 0 || length >= sizeof question->kept[0]) return;
    memcpy(kept, word, length);
    kept[length] = '\0';
    for (size_t i = 0; i < question->count; i++)
        if (strcmp(question->words[i], kept) == 0) return;
    if (is_small(kept)) {
        question->asks = question->asks || !words_contain(help_words, kept, length);
        return;
    }
    question->words[question->count++] = kept;
}

/* Chinese has no blanks between words: takes those of its words that have a meaning here. */
static void add_chinese(Question *question, const char *text, size_t length) {
    size_t before = question->count;
    for (const HelpSynonym *row = help_synonyms; row->word; row++) {
        const char *at = (unsigned char)*row->word < 0x80 ? NULL : strstr(text, row->word);
        if (at && at < text + length) add_word(question, row->word, strlen(row->word));
    }
    for (size_t at = 0; at < length;) {
        LocalText names = TEXT_EMPTY;
        size_t end = length;
        while (end > at && !foreign_chinese(&names, text + at, end - at))
            end = at + utf8_begin(text + at, end - at - 1);
        for (const char *name = names.data; name && *name; name += strspn(name, " ")) {
            add_word(question, name, strcspn(name, " "));
            name += strcspn(name, " ");
        }
        uint32_t character;
        at = end > at ? end : at + utf8_next(text + at, length - at, &character);
    }
    static const char *const asking[] = {"什么", "怎么", "怎样", "如何"};
    bool asks = question->count > before;
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        asks = asks || strstr(text, asking[i]);
    question->asks = question->asks || asks;
}

/* Takes a word without a page apart where Chinese begins or ends: softmax是什么. */
static void add_parts(Question *question, const char *word) {
    for (size_t at = 0, length; word[at]; at += length) {
        bool wide = (unsigned char)word[at] >= 0x80;
        for (length = 1; word[at + length]; length++)
            if (((unsigned char)word[at + length] >= 0x80) != wide) break;
        if (wide) add_chinese(question, word + at, length);
        else add_word(question, word + at, length);
    }
}

bool help_answer_question(Page *page, const Session *session, CommandCall *call, Error *err) {
    enum { SHOWN_MOST = 6 };
    Question question = {.count = 0};
    CommandCall ahead = *call;
    for (const char *word; (word = command_take_name(&ahead)) != NULL;) {
        if (help_has_page(session, word)) {
            add_word(&question, word, strlen(word));
        } else {
            question.strange = true;
            add_parts(&question, word);
        }
    }
    const CommandDef *command = question.count ? session_command(session, question.words[0]) : NULL;
    bool several = ahead.next > call->next + 1,
         is_question = question.asks || (question.strange && several);
    if (!is_question || (command && command->takes_setting) || !command_at_end(&ahead) ||
        question.count == 0)
        return true;

    HelpHits hits = {NULL, 0};
    bool alone = question.count == 1 && help_write_pages(page, session, question.words[0]);
    bool ok = alone || help_search(session, question.words, question.count, 1, &hits, err);
    if (hits.count > SHOWN_MOST) hits.count = SHOWN_MOST;
    bool found = hits.count && (question.asks || hits.items[0].matched == question.count);
    if (alone || found) call->next = ahead.next;
    if (ok && found) help_write_hits(page, &hits);
    help_hits_release(&hits);
    return ok;
}
