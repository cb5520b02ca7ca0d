/* Completes what is typed at the cursor, from the tables that run it. */
#ifndef ATTN_SHELL_COMPLETION_H
#define ATTN_SHELL_COMPLETION_H

#include "session/session.h"

typedef struct Completion {
    size_t begin;      /* the candidates replace text[begin, point) */
    char **candidates; /* owned; each once, each whole: "softmax(", "temperature=", "\"pictures/",
                        * "causal"; keywords of a call, words of a command and attributes first,
                        * then by name, capitals like small letters */
    size_t count;
    size_t common; /* how many bytes all begin with. Fewer than were typed if only capitals tell
                      them apart: then nothing is to be replaced */
    bool closed;   /* the only candidate is whole, so that a space may follow: a command, a setting,
                      its word */
} Completion;

/* Finds the candidates for `point` of an entry (of one line or many). If nothing has been typed of
 * it: nothing at the beginning of a statement, and in an expression only variables and keywords. To
 * find nothing is no error. ERR_LIMIT: memory ran out. */
bool completion_find(Session *session, const char *text, size_t length, size_t point,
                     Completion *out, Error *err);
void completion_release(Completion *completion);

/* Appends one line, without its end: the signature of the call in whose arguments the point is
 * ("softmax(x, axis=-1, temperature=1)"), or the usage of the command, or the values of the
 * setting. False: there is none, or the entry is longer than HINT_TEXT_MAX. */
enum { HINT_TEXT_MAX = 1 << 16 };
bool completion_hint(const Session *session, const char *text, size_t length, size_t point,
                     Text *out);

#endif
