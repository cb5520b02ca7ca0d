/* Completion: what may stand at the cursor, from the tables that run it. */
#ifndef ATTN_SHELL_COMPLETION_H
#define ATTN_SHELL_COMPLETION_H

#include "base/text.h"

/* Of session/session.h, whose names clash with readline's. */
typedef struct Session Session;

typedef struct Completion {
    size_t begin;      /* text[begin .. point) is what the candidates replace */
    char **candidates; /* each once, each whole: "softmax(", "temperature=", "\"pictures/",
                        * "causal"; keywords of a call, words of a command and attributes first,
                        * then by name, capitals like small letters */
    size_t count;
    size_t common; /* bytes that all begin with; fewer than were typed where only the case tells
                      them apart: then nothing is replaced */
    bool closed; /* the only candidate is whole: a space may follow (a command, a setting, its word)
                  */
} Completion;

/* What may stand at `point` of an entry (of one line or many). Where nothing has been typed:
 * nothing at the beginning of a statement, in an expression the variables and keywords alone. No
 * candidates is no error; ERR_LIMIT: memory ran out. */
bool completion_find(Session *session, const char *text, size_t length, size_t point,
                     Completion *out, Error *err);
void completion_release(Completion *completion);

/* The signature of the call whose arguments the point stands in ("softmax(x, temperature=1,
 * axis=-1)"), or the usage of the command, or the values of the setting: appended to `out`, one
 * line without its end. False: there is none, or the entry is longer than HINT_TEXT_MAX. */
enum { HINT_TEXT_MAX = 1 << 16 };
bool completion_hint(const Session *session, const char *text, size_t length, size_t point,
                     Text *out);

#endif
