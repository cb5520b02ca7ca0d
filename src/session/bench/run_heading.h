/* The heading of what is shown of a run: its inputs and settings, and what has changed on the bench
 * since, where the run could not follow. */
#ifndef ATTN_SESSION_RUN_HEADING_H
#define ATTN_SESSION_RUN_HEADING_H

#include "session/bench/session_state.h"

/* Appends "Q 3×4 K 5×4 V 5×2: temperature 1, ...". Of the run on the bench, when the bench has gone
 * on, also " (before set heads 3; these settings do not fit)" or " (before del Q)". */
void run_heading_write(const Session *session, const Run *run, Text *out);
/* Appends whose Q, K and V the run is of, if they are a model's, as a line cut to the columns. */
void run_heading_write_origin(const Session *session, const Run *run, Text *out);
/* Appends the lines above a result: its origin, and the heading where the bench has gone on. */
void run_heading_write_if_stale(const Session *session, const Run *run, Text *out);
/* Ends a title: ", " the origin "; " or ": " the settings, and what has changed since. */
void run_heading_write_settings(const Session *session, const Run *run, Text *title);
/* The title's words for the run's inputs: whose they are, or their names and shapes. */
const char *run_heading_inputs(const Run *run);
/* Appends a line, cut to the columns. */
void heading_write_line(const Host *host, const char *line, Text *out);
/* The last part alone; nothing when the run is up to date, or another than that of the bench. */
void run_heading_write_stale(const Session *session, const Run *run, Text *out);

#endif
