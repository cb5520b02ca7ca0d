/* Documents as tests: attn check.
 *
 * All cells run, in one session for each document. An exercise's checks must fail before it is
 * solved and pass after its solution and after each other right answer; each wrong attempt must
 * fail with the message that its first comment gives. A decimal number in the prose must stand in
 * an output above it, or be marked
 * <!-- given -->; links must lead to files that exist. A document in a folder `en` has the same
 * cells as the one of its name in the folder `zh` beside it, but for comments and the words in
 * strings. */
#ifndef ATTN_NOTEBOOK_CHECK_H
#define ATTN_NOTEBOOK_CHECK_H

#include "session/session.h"

typedef struct CheckOptions {
    const CommandDef *const *further; /* commands, as for session_new */
    bool safe;                        /* the cells run as with --safe */
    bool brief; /* a training ends after a few steps, and what hangs on it is not held to numbers */
} CheckOptions;

/* Writes a line for each finding, "FILE:LINE: what is wrong", to `host`, what each lesson takes of
 * a student, and what was checked. False and ERR_CHECK if there was a finding; ERR_FILE for a file
 * that cannot be read, ERR_LIMIT, ERR_INTERRUPT. */
bool check_files(Host *host, const CheckOptions *options, char *const *paths, Error *err);

#endif
