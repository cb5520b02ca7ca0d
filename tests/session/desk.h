/* A session at a desk: a Host that keeps what is shown, and checks in one line each. */
#ifndef TESTS_SESSION_DESK_H
#define TESTS_SESSION_DESK_H

#include "session/session.h"

#include <check.h>
#include <string.h>

typedef struct Desk {
    Session *session;
    Host host;
    Text shown, notes; /* by the last desk_run */
    Error err;         /* of the last desk_run; ERR_NONE: it went well */
} Desk;

Desk *desk_open(void);
void desk_close(Desk *desk);

/* Runs a text; what it shows is in desk->shown, without the last line break. */
bool desk_run(Desk *desk, const char *text);

/* Asserts that the text runs; that it runs and shows exactly this; that what it shows holds this.
 */
void desk_do(Desk *desk, const char *text);
void desk_shows(Desk *desk, const char *text, const char *expected);
void desk_mentions(Desk *desk, const char *text, const char *part);
/* Asserts that it ends in this error, whose message or hint holds `part`. */
void desk_fails(Desk *desk, const char *text, ErrorKind kind, const char *part);

/* All that can be seen of a session, as text: variables, settings, result, generator, counters.
 * mem_free it. */
char *desk_state(Desk *desk);
/* Asserts that the text ends in an error and changes nothing. */
void desk_fails_whole(Desk *desk, const char *text, ErrorKind kind);

/* A folder of this test's own, which desk_close removes: paths in scripts start there. A file in
 * it. */
void desk_folder(Desk *desk);
void desk_file(Desk *desk, const char *name, const char *text);

#endif
