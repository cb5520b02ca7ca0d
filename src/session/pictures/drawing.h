/* A picture in the making, with all that it borrows: numbers, names and labels are kept here until
 * it is drawn.
 *
 * The first failure is kept, too: what is then still asked of the drawing does nothing and gives
 * NULL, so that a function which fills a picture checks only before it reads what it was given. */
#ifndef ATTN_SESSION_DRAWING_H
#define ATTN_SESSION_DRAWING_H

#include "session/bench/session_state.h"
#include "view/picture.h"

enum { LINES_MAX = 32, PANELS_MAX = 400 };

typedef struct Drawing {
    Session *session;
    const struct PlotRequest *request; /* NULL: it belongs to another command than plot */
    Error *err;                        /* of the failure */
    bool failed;
    Picture picture;
    Text title;     /* the picture's, once it is delivered */
    unsigned takes; /* of the words of plot that not each picture takes: bits, by PlotWord */
    PictureLine lines[LINES_MAX];
    LineLook looks[LINES_MAX]; /* used where the picture asks for them */
    void **kept;               /* freed with the drawing */
    size_t kept_count, kept_capacity;
} Drawing;

/* Empty, with the settings' palette (borrowed) and digits. Free with drawing_free. */
Drawing *drawing_new(Session *session, const struct PlotRequest *request, Error *err);
void drawing_free(Drawing *drawing); /* NULL is fine */
static inline void drawing_free_local(Drawing **local) { drawing_free(*local); }
#define LocalDrawing __attribute__((cleanup(drawing_free_local))) Drawing
/* Sets the error of a failure, unless there was one before. */
void drawing_fail(Drawing *drawing, ErrorKind kind, const char *format, ...) ATTN_PRINTF(3, 4);
/* Notes a failure whose error is set. Returns whether all is well so far. */
bool drawing_check(Drawing *drawing, bool ok);

/* Takes over a block of memory; NULL is the failure of who made it. */
void *drawing_keep(Drawing *drawing, void *block);
/* Zeroed memory for `count` items. */
void *drawing_alloc(Drawing *drawing, size_t count, size_t size);
/* A copy of `count` numbers of the tensor from `first`. */
double *drawing_numbers(Drawing *drawing, const Tensor *tensor, size_t first, size_t count);
const char *drawing_words(Drawing *drawing, const char *format, ...) ATTN_PRINTF(2, 3);
/* The text's bytes. The text is then empty. */
const char *drawing_keep_text(Drawing *drawing, Text *text);

/* Puts the titles, and the names of lines, into the person's language; not the labels, which may be
 * the person's own. False: the drawing has failed. */
bool drawing_say(Drawing *drawing);

/* Makes a picture (the drawing's own or a panel) a heatmap of rows × columns numbers of a tensor,
 * from its number `first` on. ERR_SHAPE: there are no rows or no columns. */
void drawing_heatmap(Drawing *drawing, Picture *picture, const Tensor *tensor, size_t first,
                     size_t rows, size_t columns);
/* Makes a picture the heatmap of one head of a tensor (..., heads, queries, keys), whose numbers
 * lie between 0 and 1. visible: booleans of the same shape, where false is hidden; or NULL. */
void drawing_weights(Drawing *drawing, Picture *picture, const Tensor *weights,
                     const Tensor *visible, size_t head);
/* The names of rows and columns, lists of strings or VALUE_NONE, of `count` panels; or of the
 * drawing's picture and all its panels. Strings are borrowed. */
void drawing_label_panels(Drawing *drawing, Picture *panels, size_t count, Value rows,
                          Value columns);
void drawing_label(Drawing *drawing, Value rows, Value columns);
/* Adds a line; its name (or NULL) and its numbers are borrowed, x: NULL or as many as y. */
void drawing_line(Drawing *drawing, const char *name, const double *y, const double *x,
                  size_t count);
/* Makes the drawing bars, with a mark of that name beside each unless `marks` is NULL, and the
 * meaning of both sides. */
void drawing_bars(Drawing *drawing, const double *y, const char *mark_name, const double *marks,
                  size_t count, const char *x_title, const char *y_title);
/* Makes the drawing a grid, links or frames of so many panels, which begin as an empty picture
 * does: palette and digits. */
Picture *drawing_panels(Drawing *drawing, PictureKind kind, size_t count);

#endif
