#include "shell/help/help.h"

#include "base/language.h"
#include "base/translate.h"
#include "shell/help/help_entry.h"

#include <string.h>

/* The next argument: a word as it is typed, or a value. *word is borrowed from the call or from
 * *value, which the caller releases; NULL where the value is no string. */
static bool take_word(CommandCall *call, const char *what, const char **word, Value *value,
                      Error *err) {
    *value = VALUE_MISSING;
    *word = command_take_name(call);
    if (*word) return true;
    if (!command_value(call, what, value, err)) return false;
    if (value->kind == VALUE_STRING) *word = value->string->data;
    return true;
}

/* The name nearest to a word among all that has a page and the variables; NULL. */
static const char *nearest_name(const Session *session, const char *word) {
    enum { OFFERED_MAX = 80 };
    const char *names[OFFERED_MAX]; /* the interpreter knows the other names */
    size_t count = 0;
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry) && count < OFFERED_MAX - 1;)
        if (entry.setting || entry.topic) names[count++] = entry.name;
    names[count] = NULL;
    return interp_nearest(&session->interp, word, names);
}

/* ---- help ---- */

/* The first word of a term, such as activation patching, that has a page; NULL: none. */
static const char *word_with_page(const Session *session, const char *term) {
    static char word[40];
    for (size_t length; *term; term += length + (term[length] == ' ')) {
        length = strcspn(term, " ");
        if (length == 0 || length >= sizeof word) continue;
        memcpy(word, term, length);
        word[length] = '\0';
        if (help_has_page(session, word)) return word;
    }
    return NULL;
}

/* The error for a name without a page: "did you mean softmax?", else the pages that mention it,
 * else where to look. */
static bool no_page(const Session *session, const CommandCall *call, const char *name, Error *err) {
    enum { SUGGESTED = 4 };
    if (!*name) {
        error_set(err, ERR_NAME, "there is no page without a name");
        error_hint(err, "help alone gives an overview");
        return command_error_last(call, err);
    }
    const char *near = nearest_name(session, name);
    error_set(err, ERR_NAME, "there is no page about %s", name);
    if (near) {
        error_hint(err, "did you mean %s?", near);
    } else if (!name[1]) { /* a single letter occurs everywhere: it is meant as a variable */
        error_hint(err, "for a variable, help says what it is, once it exists: %s = randn(3, 4)",
                   name);
    } else {
        HelpHits hits;
        LocalText names = TEXT_EMPTY;
        if (!help_search(session, &name, 1, 1, &hits, NULL)) hits.count = 0;
        for (size_t i = 0, shown = 0; i < hits.count && shown < SUGGESTED; i++) {
            const HelpEntry *entry = &hits.items[i].entry;
            if (i && strcmp(entry->name, hits.items[i - 1].entry.name) == 0)
                continue; /* the command and the function of a name */
            text_format(&names, "%s%s%s", shown++ ? ", " : "", help_before(entry), entry->name);
        }
        const char *word = names.length ? NULL : word_with_page(session, name);
        if (names.length && !names.failed)
            error_hint(err, "these pages mention it: %s%s", names.data,
                       hits.count > SUGGESTED ? ", …" : "");
        else if (word) error_hint(err, "help %s has something about it", word);
        else
            error_hint(err, "help alone gives an overview, and apropos searches, for example: "
                            "apropos mask");
        help_hits_release(&hits);
    }
    return command_error_last(call, err);
}

/* Writes about the next argument. */
static bool write_next(Page *page, const Session *session, CommandCall *call, Error *err) {
    LocalValue value = VALUE_MISSING;
    const char *name;
    if (!take_word(call, "the name of a function, command or setting", &name, &value, err))
        return false;
    if (!name && value.kind == VALUE_BUILTIN) name = value.builtin->name; /* help np.softmax */
    const CommandDef *command = name ? session_command(session, name) : NULL;
    if (command && command->takes_setting && !command_at_end(call))
        return write_next(page, session, call, err); /* help set temperature */
    if (name) return help_write_pages(page, session, name) || no_page(session, call, name, err);
    /* A value that is no string has no page. */
    size_t length;
    const char *typed = command_argument_text(call, call->next - 1, &length);
    LocalText line = TEXT_FOR(page->text);
    text_bytes(&line, typed, length);
    text_string(&line, " is ");
    help_describe(&line, &value, session->interp.digits);
    page_paragraph(page, line.data);
    return true;
}

static bool help(Session *session, CommandCall *call, Error *err) {
    LocalText text = TEXT_EMPTY;
    Page page = page_begin(&text, session->interp.host);
    if (command_at_end(call) && session->player) {
        page_heading(&page, "In a lesson you can type:");
        page_gap(&page);
        help_write_lesson_words(&page, session);
    } else if (command_at_end(call)) {
        welcome_write_overview(&page);
    }
    bool ok = command_at_end(call) || help_answer_question(&page, session, call, err);
    while (ok && !command_at_end(call)) {
        if (text.length) page_gap(&page);
        ok = write_next(&page, session, call, err);
    }
    return ok && host_page_text(session->interp.host, &text, err);
}

/* ---- apropos ---- */

static bool found_nothing(const Session *session, const CommandCall *call, const char *const *words,
                          size_t count, Error *err) {
    if (count > 1) {
        error_set(err, ERR_NAME, "no page mentions all these words together");
        return error_hint(err, "try fewer of them, for example: apropos %s", words[0]);
    }
    const char *word = words[0], *near = nearest_name(session, word);
    bool ascii = true;
    for (const char *at = word; *at; at++) ascii = ascii && (unsigned char)*at < 0x80;
    error_set(err, ERR_NAME, "no page mentions %s", word);
    if (near) error_hint(err, "did you mean %s?", near);
    else if (!ascii && translate_language() == LANGUAGE_ENGLISH)
        error_hint(err, "the pages are in English, for example: apropos mask");
    else error_hint(err, "try a shorter or another word, or help, which gives an overview");
    return command_error_at(call, 0, err);
}

static bool apropos(Session *session, CommandCall *call, Error *err) {
    enum { WORDS_MAX = 8 };
    const char *words[WORDS_MAX];
    Value values[WORDS_MAX];
    size_t count = 0;
    HelpHits hits = {NULL, 0};
    LocalText text = TEXT_EMPTY;
    Page page = page_begin(&text, session->interp.host);
    bool ok = true;
    while (ok && !command_at_end(call)) {
        if (count == WORDS_MAX) {
            ok = error_set(err, ERR_LIMIT, "apropos takes at most %d words", WORDS_MAX);
            break;
        }
        ok = take_word(call, "a word", &words[count], &values[count], err);
        const char *word = words[count++];
        if (ok && (!word || !*word)) {
            error_set(err, ERR_TYPE, "apropos takes words");
            error_hint(err, "for example: apropos mask");
            ok = command_error_last(call, err);
        }
    }
    if (ok && count == 0) {
        error_set(err, ERR_SYNTAX, "what to search for is missing");
        ok = error_hint(err, "for example: apropos mask");
    }
    ok = ok && help_search(session, words, count, count, &hits, err) &&
         (hits.count || found_nothing(session, call, words, count, err));
    if (ok) help_write_hits(&page, &hits);
    ok = ok && host_page_text(session->interp.host, &text, err);
    help_hits_release(&hits);
    for (size_t i = 0; i < count; i++) value_release(&values[i]);
    return ok;
}

/* clang-format off */
const CommandDef help_commands[] = {
    {{.name = "help", .words = help_words, .asks = true, .takes = TAKES_PAGES}, help, false,
     "help   ·   help NAME   ·   help QUESTION   ·   NAME?",
     "Shows an overview, or the page of a function, command, setting or word of the language. For "
     "a variable it says what it is. A question in plain words lists the pages that mention most "
     "of them. help first is a walk of one minute.",
     "help softmax\nhelp set mask\nhelp how do I draw the weights", "apropos show who"},
    {{.name = "apropos", .words = help_words, .asks = true}, apropos, false, "apropos WORD ...",
     "Searches the names, summaries and formulas of everything that has a page of help, and lists "
     "what mentions all the words, best first.",
     "apropos mask\napropos random numbers", "help"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
