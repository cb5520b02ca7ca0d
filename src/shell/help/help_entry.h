/* Everything that has a page of help, from the tables that run it: commands, topics, settings and
 * functions. Pages, lists, search, the reference and the manual page all go through these entries,
 * so that a row appears in all of them. */
#ifndef ATTN_SHELL_HELP_ENTRY_H
#define ATTN_SHELL_HELP_ENTRY_H

#include "session/session.h"
#include "shell/help/help_topics.h"

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
/* The name nearest to a word among all that has a page and the variables; NULL. */
const char *help_nearest(const Session *session, const char *word);
/* True for a word that means something to attn: a command, function, setting or variable. */
bool help_is_name(const Session *session, const char *word);

#endif
