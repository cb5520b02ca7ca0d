/* The cells of a Markdown document: fenced code blocks marked `attn`.
 *
 * What follows the mark in the opening line may be attributes in braces; any
 * other word there (`attn exercise`) makes the block something else than a cell. */
#ifndef ATTN_NOTEBOOK_CELLS_H
#define ATTN_NOTEBOOK_CELLS_H

#include "base/error.h"

/* Called with one cell as a text of its own: its code, after as many empty lines as give each line
 * the number that it has in the document. The code begins at the first column even where its fence
 * is indented. The text is valid until the function returns. */
typedef bool CellFound(void *context, const char *script, size_t length, Error *err);

/* Calls `found` with the cells in their order and stops at the first for which it returns false.
 * ERR_LIMIT: memory ran out, or the document is longer than 4 GB. */
bool cells_each(const char *markdown, size_t length, CellFound *found, void *context, Error *err);

#endif
