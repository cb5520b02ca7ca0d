/* Blocks of lines beside each other. */
#ifndef ATTN_VIEW_SIDE_BY_SIDE_H
#define ATTN_VIEW_SIDE_BY_SIDE_H

#include "base/text.h"

/* Appends the blocks (lines that end in \n, escape sequences of colour within) in rows: as many
 * beside each other, with `gap` columns between them, as fit into `columns`. */
void side_by_side(Text *out, const Text *blocks, size_t count, size_t gap, size_t columns);

/* The terminal columns of its widest line. */
size_t block_width(const Text *block);

#endif
