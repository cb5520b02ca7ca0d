/* Everything that has a page of help, from the tables that run it: commands, topics, settings and
 * functions. Pages, lists, search, the reference and the manual page all go through these entries,
 * so that a row appears in all of them. */
#ifndef ATTN_SHELL_HELP_ENTRY_H
#define ATTN_SHELL_HELP_ENTRY_H

#include "session/session.h"
#include "shell/help/page.h"

/* Topics have a page of help and are neither a command, a setting nor a function: the statements of
 * the language, the keys, files, lists of all there is. */
typedef struct HelpTopic {
    const char *name;
    const char *words;   /* other words for it, separated by spaces; "" for none */
    const char *usage;   /* the form to type; NULL: the summary alone opens the page */
    const char *summary; /* one paragraph */
    const PageRow *rows; /* a table below it, or NULL */
    const char *example; /* lines that run; "# -> " after a line holds what it shows; or NULL */
    const char *see;     /* names, separated by spaces, or NULL */
    /* Writes what is made from the other tables, below the rows; or NULL. */
    void (*write)(Page *page, const Session *session);
} HelpTopic;

extern const HelpTopic help_topics[]; /* from topics.txt; ends with a NULL name */
/* The parts of pages that are made from other tables: all commands, settings and functions, what
 * holds --safe, and what can be typed in a lesson, in the language of the session. */
void help_write_commands(Page *page, const Session *session);
void help_write_settings(Page *page, const Session *session);
void help_write_functions(Page *page, const Session *session);
void help_write_safe(Page *page, const Session *session);
void help_write_lesson_words(Page *page, const Session *session);
/* Finds a topic by its name or one of its words; NULL. */
const HelpTopic *help_topic_find(const char *name);
/* The words for `help` that are no names: topics and keywords, separated by spaces. */
extern const char help_words[];

/* One row, borrowed. The row that it was made from is set, the other three are NULL; so is each
 * text that a row does not have. */
typedef struct HelpEntry {
    const CommandDef *command;
    const SettingDef *setting;
    const HelpTopic *topic;
    const BuiltinDef *function;
    const char *name, *summary, *example, *see;
    const char *usage;            /* of commands and topics; see help_write_signature */
    const char *values;           /* of settings */
    const char *shapes, *formula; /* of functions */
    const char *words;            /* further words that search finds it by */
} HelpEntry;

/* Visits all entries: commands, topics, settings, then functions, whose groups are together.
 * HelpWalk walk = help_walk(session); for (HelpEntry entry; help_next(&walk, &entry);) ... */
typedef struct HelpWalk {
    const Session *session;
    int part; /* commands, topics, settings, functions */
    size_t table, row;
} HelpWalk;

static inline HelpWalk help_walk(const Session *session) { return (HelpWalk){session, 0, 0, 0}; }
bool help_next(HelpWalk *walk, HelpEntry *entry);

/* The text before the name where it is typed: "set " of a setting, "list." of a method. */
const char *help_before(const HelpEntry *entry);
/* Writes how to type it: "set temperature VALUE", "softmax(x, axis=-1, temperature=1)". Nothing for
 * a topic without a usage. */
void help_write_signature(Text *text, const HelpEntry *entry);
/* The summary, with the table of the formats of pictures for {formats}. */
void help_write_summary(Text *text, const HelpEntry *entry);
/* True for a word that means something to attn: a command, function, setting or variable. */
bool help_is_name(const Session *session, const char *word);

/* ---- pages ---- */

/* Writes all pages of a name (a word may be a command and a function: entropy), and what it is
 * where it is a variable. False, with nothing written: there is none. */
bool help_write_pages(Page *page, const Session *session, const char *name);
/* True if that would write anything. */
bool help_has_page(const Session *session, const char *name);
/* "an array 3×4", "a list of 2", "the number 3": what a value is. */
void help_describe(Text *text, const Value *value, int digits);

/* ---- apropos: what there is, searched by words ---- */

/* A word that people say, and the names for it here, separated by spaces. */
typedef struct HelpSynonym {
    const char *word, *names;
} HelpSynonym;

extern const HelpSynonym help_synonyms[]; /* ends with a NULL word */

typedef struct HelpHit {
    HelpEntry entry;
    size_t matched; /* how many of the words it mentions */
    int score;
    size_t order; /* among all entries: decides between equal scores */
} HelpHit;

typedef struct HelpHits {
    HelpHit *items; /* best first */
    size_t count;
} HelpHits;

/* True if a word belongs to the entry: to the words of a command, to a setting's values, to what a
 * function takes, to the left side of a topic's table, or as a synonym. */
bool help_has_own_word(const HelpEntry *entry, const char *word);
/* Everything that mentions at least `least` of the words, as they are or in another case. Release
 * with help_hits_release also after a failure. */
bool help_search(const Session *session, const char *const *words, size_t count, size_t least,
                 HelpHits *hits, Error *err);
void help_hits_release(HelpHits *hits);
void help_write_hits(Page *page, const HelpHits *hits);

/* ---- questions in plain words (help_question.c) ---- */

/* Shows the page that the words behind `help` ask about, or lists the pages that mention most of
 * them. Takes none of them where they are no question, or no page has an answer. */
bool help_answer_question(Page *page, const Session *session, CommandCall *call, Error *err);

/* ---- what a newcomer reads first ---- */

/* Writes the paragraph below the steps of `help first`. */
void welcome_write_steps(Page *page, const Session *session);

/* `help` alone: what one can do, in the order of what one wants to do. */
extern const PageRow welcome_overview[];
void welcome_write_overview(Page *page);

#endif
