/* Documents and scripts shown to others, step by step: attn present. */
#ifndef ATTN_NOTEBOOK_PRESENT_H
#define ATTN_NOTEBOOK_PRESENT_H

#include "notebook/player.h"

/* Opens a document (.md) or a script: session->player then presents it. Of a script, each entry is
 * a cell, and the comments above it are prose; what only pauses is left out. ERR_FILE, ERR_SYNTAX
 * with its place, ERR_LIMIT. */
bool present_open(Session *session, const char *path, ReportError *report, Error *err);

#endif
