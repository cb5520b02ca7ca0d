/* Completion: what may stand at the cursor, from the tables that run it. */
#ifndef ATTN_SHELL_COMPLETION_H
#define ATTN_SHELL_COMPLETION_H

#include "session/session.h"

typedef struct Completion {
    size_t begin;      /* text[begin .. point) is what the candidates replace */
    char **candidates; /* sorted, each once, each whole: "softmax(", "temperature=", "\"pictures/", "causal" */
    size_t count;
    size_t common;     /* bytes that all begin with */
    bool closed;       /* the only candidate is whole: a space may follow (a command, a setting, its word) */
} Completion;

/* What may stand at `point` of an entry (of one line or many). No candidates is no error; ERR_MEMORY. */
bool completion_find(Session *session, const char *text, size_t length, size_t point, Completion *out, Error *err);
void completion_release(Completion *completion);

/* The signature of the call whose arguments the point stands in ("softmax(x, temperature=1, axis=-1)"), or the usage of the
 * command: appended to `out`, one line. False: there is none. */
bool completion_hint(const Session *session, const char *text, size_t length, size_t point, Text *out);

#endif
