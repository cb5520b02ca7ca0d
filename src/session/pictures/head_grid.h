/* The weights of many heads: a map each, one layer after the other, under one bar of colours from 0
 * to 1.
 *
 * A grid shows the heads of one attention. Several grids are below each other in one picture:
 * those of the encoder, of the decoder, and of the decoder on the encoder. */
#ifndef ATTN_SESSION_HEAD_GRID_H
#define ATTN_SESSION_HEAD_GRID_H

#include "session/pictures/drawing.h"

typedef struct HeadGrid {
    const char *heading; /* shown above its heads; NULL: nothing is */
    /* The weights of each layer, whose last axes are (heads, queries, keys), and which of them the
     * mask leaves visible, booleans of the same shape. No array of them, or NULL for one: all are
     * visible. Borrowed while drawing. */
    const Tensor *const *weights, *const *visible;
    size_t layers;
    bool numbered;                  /* heads are called "layer.head"; else "head 2" */
    Value query_tokens, key_tokens; /* lists of strings, or VALUE_NOTHING: numbers. Their strings
                                       are borrowed until the drawing is freed */
} HeadGrid;

/* Adds the heads of all grids to an empty drawing: at most PANELS_MAX, the first of them. The title
 * is the caller's. ERR_SHAPE: there are no queries or no keys. */
bool head_grid_draw(Drawing *drawing, const HeadGrid *grids, size_t count, Error *err);
/* Appends "weights of all 8 heads" to the drawing's title, or of the first that it will show. */
void head_grid_title(Drawing *drawing, const HeadGrid *grids, size_t count);

#endif
