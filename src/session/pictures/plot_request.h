/* The words of a person behind the thing that is plotted: where to, and how it looks. */
#ifndef ATTN_SESSION_PLOT_REQUEST_H
#define ATTN_SESSION_PLOT_REQUEST_H

#include "session/models/inspection.h"
#include "session/pictures/drawing.h"
#include "view/files/picture_format.h"

typedef enum PlotWord {
    PLOT_HEAD,
    PLOT_TO,
    PLOT_AGAINST,
    PLOT_OF, /* these two are for links */
    PLOT_THRESHOLD,
    PLOT_TITLE,
    PLOT_XLABEL,
    PLOT_YLABEL,
    PLOT_SIZE,
    PLOT_FONTSIZE,
    PLOT_RANGE,
    PLOT_TEXT, /* these five follow `as` */
    PLOT_LINES,
    PLOT_LOG,
    PLOT_LOGX,
    PLOT_LOGLOG,
    PLOT_FORCE, /* replaces a file without a question */
    PLOT_WORDS
} PlotWord;

typedef struct PlotRequest {
    CommandCall *call;
    Value value;        /* the value that is drawn; VALUE_UNSET for a thing of plot's own */
    int value_at;       /* the argument that says what is drawn */
    bool joined;        /* the value follows `sweep`: its curves join the last sweep's */
    int at[PLOT_WORDS]; /* the argument of the call that says it; -1: not given */
    size_t head;
    HeadPlace model_head;          /* of plot head: which one of the inspected model */
    bool of_layer;                 /* links of its layer, not of the run */
    bool to_new;                   /* the path is in a new folder */
    Value values[PLOT_WORDS];      /* those of to, against, of and the titles; VALUE_UNSET */
    double numbers[PLOT_WORDS][2]; /* those of size, fontsize, range, threshold; 0 */
} PlotRequest;

void plot_request_init(PlotRequest *request, CommandCall *call);
void plot_request_release(PlotRequest *request);
#define LocalPlotRequest __attribute__((cleanup(plot_request_release))) PlotRequest
/* Reads all words behind the thing, in any order. */
bool plot_request_read(PlotRequest *request, Error *err);
/* Sets the place of an error to the argument that belongs to the word. Returns false. */
bool plot_error_at(const PlotRequest *request, PlotWord word, Error *err);

static inline bool plot_asks(const PlotRequest *request, PlotWord word) {
    return request->at[word] >= 0;
}
/* The string behind a word; NULL where it was not given. */
const char *plot_string(const PlotRequest *request, PlotWord word);
/* True if the next argument is the name of a picture's file, which lacks its `to`. */
bool plot_lacks_to(const CommandCall *call);
/* The items of a tuple, or the value alone; borrowed. */
const Value *plot_items(const Value *value, size_t *count);
/* An argument of a drawing's request as it was typed, or this item of a tuple. */
const char *plot_source(Drawing *drawing, int at, size_t item);

/* Gives what was drawn the titles, sizes and axes that were asked for. Errors at their word where
 * the picture or its format has no such thing. format: NULL for a picture that is shown. */
bool plot_request_apply(const PlotRequest *request, Drawing *drawing, const PictureFormat *format,
                        Error *err);

/* ---- plot_show.c: in a file, or here, as text or as an image ---- */

/* Draws into the file that the request names, or here, as it or the setting terminal asks for. */
bool drawing_deliver(Session *session, Drawing *drawing, const PlotRequest *request, Error *err);
/* Draws among what a command prints, within `rows`: no window opens. */
bool drawing_write(Session *session, Drawing *drawing, int rows, Error *err);

/* True if pictures can be shown in this way, one of terminal_names. False and ERR_PLOT says what is
 * lacking. A script that nobody watches may ask for anything. */
bool plot_terminal_works(Session *session, const char *terminal, Error *err);

#endif
