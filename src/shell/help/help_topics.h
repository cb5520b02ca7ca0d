/* Topics have a page of help and are neither a command, a setting nor a function: the statements of
 * the language, the keys, files, lists of all there is. */
#ifndef ATTN_SHELL_HELP_TOPICS_H
#define ATTN_SHELL_HELP_TOPICS_H

#include "session/session.h"
#include "shell/help/page.h"

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
 * holds
 * --safe, and what can be typed in a lesson, in the language of the session. */
void help_write_commands(Page *page, const Session *session);
void help_write_settings(Page *page, const Session *session);
void help_write_functions(Page *page, const Session *session);
void help_write_safe(Page *page, const Session *session);
void help_write_lesson_words(Page *page, const Session *session);
/* Finds a topic by its name or one of its words; NULL. */
const HelpTopic *help_topic_find(const char *name);
/* The words for `help` that are no names: topics and keywords, separated by spaces. */
extern const char help_words[];

/* ---- what a newcomer reads first: the banner, `help` and `help first` ---- */

/* Writes at most four lines at any width from 40. */
void welcome_write(Host *host);

/* Writes the paragraph below the steps of `help first`. */
void welcome_write_steps(Page *page, const Session *session);

/* `help` alone: what one can do, in the order of what one wants to do. */
extern const PageRow welcome_overview[];
void welcome_write_overview(Page *page);

#endif
