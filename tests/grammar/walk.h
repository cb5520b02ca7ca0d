/* Every function, method, operator and command with values that are large, empty or of many axes,
 * each in the place of each parameter and in all places at once. */
#ifndef TESTS_GRAMMAR_WALK_H
#define TESTS_GRAMMAR_WALK_H

#include "session/session.h"

/* What a session begins with, after entries_begin: the variables that hold those values. */
extern const char walk_begin[];
/* Calls run(data, entry) for each entry; of every `step` only one, a random one. */
void walk_entries(const Session *session, Random *random, size_t step,
                  void (*run)(void *data, const char *entry), void *data);

#endif
