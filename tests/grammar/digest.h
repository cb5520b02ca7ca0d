/* All that undo brings back of a session, in one text: a line for each variable, setting, input and
 * object on the bench, and one for the generator. What is long stands there as a hash of its
 * content, so that a value which was changed where it lies shows, too. */
#ifndef TESTS_GRAMMAR_DIGEST_H
#define TESTS_GRAMMAR_DIGEST_H

#include "session/session.h"

/* mem_free it. NULL where memory runs out. */
char *session_digest(const Session *session);
/* Copies the first line of `now` that differs from `then`, with the one that stood there. */
void digest_difference(const char *then, const char *now, char *out, size_t size);

#endif
