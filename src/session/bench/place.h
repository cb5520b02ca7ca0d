/* Finds which query, key and head a command speaks of. */
#ifndef ATTN_SESSION_PLACE_H
#define ATTN_SESSION_PLACE_H

#include "session/bench/session_state.h"

/* Takes a query or key: a whole number from 0, from the end when negative, or a token in quotes
 * that occurs once only. what: "query" or "key"; tokens: their labels or VALUE_NONE. */
bool place_argument(CommandCall *call, const char *what, Value tokens, size_t count, size_t *out,
                    Error *err);
/* The same for the value of an argument that was taken before. The error has no place. */
bool place_of_value(const Value *value, const char *what, Value tokens, size_t count, size_t *out,
                    Error *err);
/* In `of cat` a token without quotes is taken for a name that nothing has: the hint says so where
 * the argument that was taken last is one. */
void place_hint_at_quotes(const CommandCall *call, Value tokens, Error *err);
/* Takes "head h" if it comes next; *head is left alone if not. */
bool head_argument(CommandCall *call, const Run *run, size_t *head, Error *err);
/* Writes the first queries of those of each head whose rows are marked, and how many more are. */
void place_write_rows(Text *out, const Session *session, const Run *run, size_t heads,
                      const bool *rows);
/* "2" or "2 \"sat\"" */
void place_write(Text *out, Value tokens, size_t place);

#endif
