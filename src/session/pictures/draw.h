/* The functions of plot, one for each thing, from the session into a drawing. */
#ifndef ATTN_SESSION_DRAW_H
#define ATTN_SESSION_DRAW_H

#include "session/bench/compare.h"
#include "session/bench/sweep.h"
#include "session/pictures/plot_request.h"

typedef bool Draw(Session *session, Drawing *drawing, const PlotRequest *request, Error *err);

/* Draw the last run, which is there; weights, scores, mask, heads and links need its trace. */
Draw draw_weights, draw_scores, draw_mask, draw_output, draw_entropy, draw_heads, draw_links;
/* Draws the setting position, for the sizes of the last run where there is one. */
Draw draw_positions;
/* Draw the last sweep and the last compare, which exist; draw_sweep also draws sweeps that were
 * kept, alone or behind the last one, where they are the request's value. */
Draw draw_sweep, draw_compare;
/* Draw the inspected run, which is there: all heads of the model, one of them, and the links of one
 * layer. */
Draw draw_model_heads, draw_model_head, draw_model_links;
/* Draws the table that lens, rollout or saliency has made of the inspected run. */
Draw draw_origin;
/* Draws the models that are named, or the one that was trained last; ERR_NAME where none was. */
Draw draw_loss;

/* The source of the weights that are drawn as links. */
typedef struct LinkSource {
    const Tensor *weights, *visible; /* (heads, queries, keys) */
    size_t heads, queries;
    Value query_tokens, key_tokens; /* lists of strings, or VALUE_NOTHING */
} LinkSource;
/* Draws the links that the request asks for, of the first heads where there are many. The title
 * lacks whose they are. */
bool draw_links_of(Drawing *drawing, const LinkSource *source, const PlotRequest *request,
                   Error *err);

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

/* Writes the weights of the runs as panels under one bar of colours, within `rows`, without a
 * title.
 */
bool compare_write_grid(Session *session, const ComparedRuns *compared, int rows, Text *out,
                        Error *err);
/* Draws the curves of the last sweep below its table. */
bool sweep_write_curves(Session *session, int rows, Error *err);

#endif
