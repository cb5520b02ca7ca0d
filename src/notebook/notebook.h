/* A Markdown document whose cells run. Its prose is for reading and is not shown. */
#ifndef ATTN_NOTEBOOK_NOTEBOOK_H
#define ATTN_NOTEBOOK_NOTEBOOK_H

#include "session/session.h"

/* Runs the cells in their order, each with `run` as a text of its own: a bracket or block that a
 * cell leaves open is an error of that cell. An exercise is solved by its solution, which nobody
 * sees, since later cells may build on it. The first error ends the run; its line is that of the
 * document. This is the RunDocument that the shell gives to a session. */
bool notebook_run(Session *session, RunText *run, const char *file, const char *markdown,
                  size_t length, Error *err);

#endif
