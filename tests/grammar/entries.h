/* Random entries, made from the tables of the program itself: a function, a command or a setting
 * that is new is tried without a change here. */
#ifndef TESTS_GRAMMAR_ENTRIES_H
#define TESTS_GRAMMAR_ENTRIES_H

#include "session/session.h"

/* What a session begins with: the variables that entries are about. */
extern const char entries_begin[];
/* Appends one entry without its line break. Of so many one is about what is large. */
void entry_write(Random *random, const Session *session, size_t one_is_large, Text *out);

#endif
