/* A Markdown document whose cells run. Its prose is for reading and is not shown. */
#ifndef ATTN_NOTEBOOK_NOTEBOOK_H
#define ATTN_NOTEBOOK_NOTEBOOK_H

#include "session/session.h"

/* Runs the cells in their order, each with `run` as a text of its own: a bracket or
 * block that a cell leaves open is that cell's error. The first error ends it; its
 * place is the line of the document. Is a RunDocument. */
bool notebook_run(Session *session, RunText *run, const char *file, const char *markdown,
                  size_t length, Error *err);

#endif
