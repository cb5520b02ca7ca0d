/* The cells of a Markdown document: fenced code blocks marked `attn`.
 *
 * What follows the mark in the opening line may be attributes in braces; any
 * other word there (`attn exercise`) makes the block something else than a cell. */
#ifndef ATTN_NOTEBOOK_CELLS_H
#define ATTN_NOTEBOOK_CELLS_H

#include "base/error.h"

/* One cell as a text of its own: its code, with empty lines before it, so that each
 * line has the number that it has in the document. The code begins at the first
 * column also where its fence is indented. The text is the caller's again afterwards. */
typedef bool CellFound(void *context, const char *script, size_t length, Error *err);

/* Hands over the cells in their order; stops at the first for which `found` is false.
 * ERR_LIMIT: memory, or a document beyond 4 GB. */
bool cells_each(const char *markdown, size_t length, CellFound *found, void *context, Error *err);

#endif
