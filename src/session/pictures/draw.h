/* What plot draws: a function for each thing, from the session into a drawing. */
#ifndef ATTN_SESSION_DRAW_H
#define ATTN_SESSION_DRAW_H

#include "session/pictures/drawing.h"

typedef struct Wish {
    size_t head; /* 0 unless given */
    bool head_given;
    bool animated; /* to a .gif */
} Wish;

typedef bool Draw(Session *session, Drawing *drawing, const Wish *wish, Error *err);

/* Of the last run, which is there. */
Draw draw_weights, draw_scores, draw_mask, draw_output, draw_entropy, draw_heads;
/* Of the setting position, for the sizes of the last run where there is one. */
Draw draw_positions;
/* Of what the last sweep or compare found, which is there. */
Draw draw_sweep, draw_compare;

/* A matrix, a plane of an array of more axes, or a line; name: as it was typed. */
bool draw_array(Session *session, Drawing *drawing, const Value *value, const char *name,
                size_t length, const Wish *wish, Error *err);

/* Draws the curves of the last sweep below its table. */
bool sweep_write_curves(Session *session, int rows, Error *err);

#endif
