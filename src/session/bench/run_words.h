/* How a run, its queries, keys and heads are called: in arguments, and in what is shown. */
#ifndef ATTN_SESSION_RUN_WORDS_H
#define ATTN_SESSION_RUN_WORDS_H

#include "library/model.h"
#include "session/bench/session_state.h"

/* ---- headings ----
 *
 * The heading of what is shown of a run: its inputs and settings, and what has changed on the bench
 * since, where the run could not follow. */

/* Appends "Q 3×4 K 5×4 V 5×2: temperature 1, ...". Of the run on the bench, when the bench has gone
 * on, also " (before set heads 3; these settings do not fit)" or " (before del Q)". */
void run_heading_write(const Session *session, const Run *run, Text *out);
/* Appends whose Q, K and V the run is of, if they are a model's; where the model has learned since,
 * or its name means another one now, that is said. */
void run_heading_write_origin(const Session *session, const Run *run, Text *out);
/* Appends the lines above a result: its origin, and the heading where the bench has gone on, or has
 * other settings than the model whose head it is. */
void run_heading_write_if_stale(const Session *session, const Run *run, Text *out);
/* Ends a title: ", " the origin "; " or ": " the settings, and what has changed since. */
void run_heading_write_settings(const Session *session, const Run *run, Text *title);
/* True if a variable of this name holds something else than the model now. */
bool name_is_of_other_model(const Session *session, const char *name, const Model *model);
/* Appends the title's words for the run's inputs: whose they are, or their names and shapes. */
void run_heading_write_inputs(const Session *session, const Run *run, Text *out);
/* Appends only the last part of run_heading_write; nothing if the run is up to date, or is not the
 * one on the bench. */
void run_heading_write_stale(const Session *session, const Run *run, Text *out);

/* ---- which query, key and head a command speaks of ---- */

/* Sets *out to x if that is one of the indices 0 .. count - 1; else returns false. */
bool is_index(double x, size_t count, size_t *out);
/* Takes a query, key or place: a whole number from 0, from the end when negative, or a token in
 * quotes that occurs once only. what: "query", "key" or "place"; tokens: their labels or
 * VALUE_NONE. */
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
/* Reports that of so many heads there is none of that number. Returns false. */
bool no_such_head(double head, size_t heads, Error *err);
/* "2" or "2 \"sat\"" */
void place_write(Text *out, Value tokens, size_t place);

#endif
