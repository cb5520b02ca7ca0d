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

#include "base/language.h"
#include "notebook/progress.h"
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

/* ---- an exercise ---- */

/* Runs the exercise's checks, one after the other; the first that fails is the error, with its
 * place in the document. In a check the name of a builtin means the builtin, but where the solution
 * makes something of that name. What the checks do to the session stays: to be called between
 * session_begin_trial and session_end_trial. */
bool exercise_run_checks(Session *session, const Cell *exercise, Error *err);

/* The same on a copy of the session, and what the checks write is not shown. */
bool exercise_passes(Session *session, const Cell *exercise, Error *err);

/* Appends what a check or an entry ended in as the person reads it: "p is not there. The exercise
 * asks you to make it.", or the error with what the person has made of the wrong kind. */
void exercise_write_failure(Text *out, Session *session, const Document *document,
                            const Progress *progress, Language language, const Error *problem);

/* ---- for check.c ---- */

/* Writes the first cell in which a document of `paths` in a folder `en` differs from the one of its
 * name in the folder of another language beside it, and adds it to the findings. */
bool check_translations(Host *host, char *const *paths, int *findings, Error *err);

#endif
