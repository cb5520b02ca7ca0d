/* The functions of plot, one for each thing, that fill a drawing from its session and for its
 * request. A failure is the drawing's. */
#ifndef ATTN_SESSION_DRAW_H
#define ATTN_SESSION_DRAW_H

#include "session/bench/compare.h"
#include "session/bench/sweep.h"
#include "session/pictures/plot_request.h"

typedef void Draw(Drawing *drawing);

/* The last run, which is there; all but output and entropy need its trace. */
Draw draw_weights, draw_scores, draw_mask, draw_output, draw_entropy, draw_heads, draw_links;
/* The setting position, for the sizes of the last run where there is one. */
Draw draw_positions;
/* The last sweep and the last compare, which exist; draw_sweep also draws sweeps that were kept,
 * alone or behind the last one, where they are the request's value. */
Draw draw_sweep, draw_compare;
/* The inspected run, which is there: all heads of the model, one of them, and the links of one
 * layer. */
Draw draw_model_heads, draw_model_head, draw_model_links;
/* The table that lens, rollout, saliency or attribute has made of the inspected run; and the map of
 * ablate each or patch each: ERR_NAME where there was none yet. */
Draw draw_origin, draw_effects;
/* The models that are named, or the one that was trained last; ERR_NAME where none was. */
Draw draw_loss;
/* The same of one model; and below its loss, what the heads looked at that its training watched. */
Draw draw_history;
/* The request's value: a matrix or one plane of an array of more axes as a heatmap, a vector as a
 * line. Its title is what was typed. ERR_SHAPE: a number, or an array without any. */
Draw draw_array;
/* plot a, b, c: vectors as lines in one picture, each named as it was typed. Two, of which the
 * first rises, are x and y, which a note says. */
Draw draw_tuple;
/* Matrices beside each other (plot A, B), a result of attention, and the results of
 * long_short_attention and hierarchical_attention, under one bar of colours. */
Draw draw_panels;
bool value_is_drawn_in_panels(const Value *value);
/* True for a sweep that was kept under a name, and a tuple of such. */
bool value_is_sweeps(const Value *value);

/* The weights of many heads, of one attention in each layer. */
typedef struct HeadGrid {
    const char *heading; /* shown above its heads; NULL: nothing is */
    /* The weights of each layer, whose last axes are (heads, queries, keys), and which of them the
     * mask leaves visible, booleans of the same shape. No array of them, or NULL for one: all are
     * visible. Borrowed while drawing. */
    const Tensor *const *weights, *const *visible;
    size_t layers;
    bool numbered; /* heads are called "layer 1 head 2", or "1.2"; else "head 2" */
    /* The run of a model whose heads they are, from this attention and layer on: behind a head's
     * name is how it is changed, or else the effect of switching it off, if that was measured.
     * NULL: they are no model's. */
    const Inspection *inspection;
    HeadPlace first;
    Value query_tokens, key_tokens; /* lists of strings, or VALUE_NOTHING: numbers. Their strings
                                       are borrowed until the drawing is freed */
} HeadGrid;

/* Adds a map for each head of all grids, one layer after the other, under one bar of colours from 0
 * to 1: at most PANELS_MAX, the first of them. Several grids are below each other. Begins the title
 * with "weights of all 8 heads", or of the first. ERR_SHAPE: there are no queries or no keys. */
void head_grid_draw(Drawing *drawing, const HeadGrid *grids, size_t count);

/* Writes the weights of the last compare as panels under one bar of colours, within `rows`, without
 * a title. */
bool compare_write_grid(Session *session, int rows, Text *out, Error *err);
/* Draws the curves of the last sweep below its table. */
bool sweep_write_curves(Session *session, int rows, Error *err);

#endif
