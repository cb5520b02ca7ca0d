/* A picture in the making, with all that it borrows: numbers, names and labels are kept here until
 * it is drawn. */
#ifndef ATTN_SESSION_DRAWING_H
#define ATTN_SESSION_DRAWING_H

#include "session/bench/session_state.h"
#include "view/picture.h"

enum { LINES_MAX = 32, PANELS_MAX = 400 };

typedef struct Drawing {
    Picture picture;
    Text title;     /* the picture's, once it is delivered */
    unsigned takes; /* of the words of plot that not each picture takes: bits, by PlotWord */
    PictureLine lines[LINES_MAX];
    LineLook looks[LINES_MAX]; /* used where the picture asks for them */
    void **kept;               /* freed with the drawing */
    size_t kept_count, kept_capacity;
} Drawing;

/* Empty, with the settings' palette (borrowed) and digits. Free with drawing_free. */
Drawing *drawing_new(const Settings *settings, Error *err);
void drawing_free(Drawing *drawing);

/* Takes over a block of memory; on failure it is freed. NULL stays NULL. */
void *drawing_keep(Drawing *drawing, void *block, Error *err);
/* A copy of `count` numbers of the tensor from `first`, kept by the drawing. */
double *drawing_copy_numbers(Drawing *drawing, const Tensor *tensor, size_t first, size_t count,
                             Error *err);
/* The text's bytes, kept by the drawing; NULL when the text failed. The text is then empty. */
const char *drawing_keep_text(Drawing *drawing, Text *text, Error *err);
/* An argument as it was typed, or this item of a tuple. */
const char *drawing_keep_source(Drawing *drawing, const CommandCall *call, int at, size_t item,
                                Error *err);
/* "head 2" */
const char *drawing_head_name(Drawing *drawing, size_t head, Error *err);

/* Makes a picture (the drawing's own or a panel) a heatmap of rows × columns numbers of a tensor,
 * from its number `first` on. ERR_SHAPE: there are no rows or no columns. */
bool drawing_heatmap(Drawing *drawing, Picture *picture, const Tensor *tensor, size_t first,
                     size_t rows, size_t columns, Error *err);
/* Makes a picture the heatmap of one head of a tensor (..., heads, queries, keys), whose numbers
 * lie between 0 and 1. visible: booleans of the same shape, where false is hidden; or NULL. */
bool drawing_weights(Drawing *drawing, Picture *picture, const Tensor *weights,
                     const Tensor *visible, size_t head, Error *err);
/* The names of `count` panels' rows and columns: lists of strings or VALUE_NONE. */
bool drawing_label_panels(Drawing *drawing, Picture *panels, size_t count, Value rows,
                          Value columns, Error *err);
/* The same for the drawing's picture and all panels that it has. */
bool drawing_label(Drawing *drawing, Value rows, Value columns, Error *err);
/* Adds a line; its name (or NULL) and its numbers are borrowed, x: NULL or as many as y. */
void drawing_line(Drawing *drawing, const char *name, const double *y, const double *x,
                  size_t count);
/* Makes the drawing a grid or frames of so many panels, which begin as an empty picture does:
 * palette and digits. */
Picture *drawing_panels(Drawing *drawing, PictureKind kind, size_t count, Error *err);

#endif
