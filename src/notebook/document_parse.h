/* Markdown to the nodes of a document. */
#ifndef ATTN_NOTEBOOK_DOCUMENT_PARSE_H
#define ATTN_NOTEBOOK_DOCUMENT_PARSE_H

#include "base/arena.h"
#include "notebook/document.h"

/* Adds what `markdown` holds to `parent`, in nodes of the arena that point into `markdown`, which
 * must live as long. first_line: the number of its first line in messages and in DocNode.line.
 * ERR_LIMIT as document_parse. */
bool document_parse_nodes(Arena *arena, DocNode *parent, const char *markdown, size_t length,
                          size_t first_line, Error *err);

#endif
