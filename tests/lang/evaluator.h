/* An interpreter with a handful of builtins and two commands, for the tests. */
#ifndef TESTS_LANG_EVALUATOR_H
#define TESTS_LANG_EVALUATOR_H

#include "lang/interp.h"

typedef struct Evaluator {
    Interp interp;
    Text shown; /* what was shown or printed by a command, a line each */
    Error err;  /* of the last run */
} Evaluator;

void evaluator_init(Evaluator *evaluator);
void evaluator_release(Evaluator *evaluator);

/* Runs a text, each entry for itself; an entry that fails is taken back and ends the run. */
bool evaluator_run(Evaluator *evaluator, const char *text);
/* Runs a text: what it shows, without the last line end, or "KIND error: message". Good until the
 * next run. */
const char *evaluator_shows(Evaluator *evaluator, const char *text);

#endif
