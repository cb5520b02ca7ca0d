/* Pictures as gnuplot scripts: what heatmaps and lines share.
 *
 * All positions are whole pixels, measured from the left and from the top; the script divides them
 * by W and H, its own variables, so that it can be read and changed by hand. Every text goes
 * through label_clean and gnuplot_quote. */
#ifndef ATTN_VIEW_SCRIPT_H
#define ATTN_VIEW_SCRIPT_H

#include "view/picture.h"
#include "view/scale.h"

/* One of gnuplot's terminals, which are its output formats. The line that chooses it is
 *     set terminal NAME OPTIONS size WIDTH UNIT,HEIGHT UNIT font "FONT" AFTER
 * Fonts are measured in points, 4/3 pixels each. */
typedef struct GnuplotTerminal {
    const char *name, *options;
    const char *unit;  /* behind each size in pixels; NULL: nothing */
    const char *font;  /* NULL: sans, 10.5 points */
    const char *after; /* NULL: nothing */
    double zoom;       /* pixels for one of the layout's; 0: 1 */
    double line_width; /* 0: 1 */
    bool is_svg;       /* fonts are in pixels, texts are never cut, few cells become polygons */
    bool is_gd;        /* one font for all letters, and cells as rectangles */
} GnuplotTerminal;

typedef struct Script {
    Text *out;
    const Picture *picture;
    const GnuplotTerminal *terminal;
    const char *output;          /* NULL: a window */
    double zoom;                 /* 0: the terminal's */
    int width_most, height_most; /* pixels; a larger picture is drawn smaller. 0: any size */
    bool by_hand;                /* a file for people to keep and run: it holds all data, as text */
    size_t cells;                /* cells of all panels together; 0: of the picture */
    double scale;                /* the factor of texts beside the drawing; 0: 1 */
    struct CanvasSize *measured; /* not NULL: only the size is found, and written there */
} Script;

/* The rectangle of the cells or curves on the canvas, and the room that the labels around it take.
 */
typedef struct Area {
    int left, top, width, height;
    int before, behind, below;
} Area;

/* The way a picture is drawn: alone, or as one of several panels. */
typedef struct PanelStyle {
    double scale;      /* the script's */
    int side_most;     /* pixels of a side of its area; 0: as large as suits it */
    int width, height; /* of a chart's area; 0: as large as suits it */
    bool row_labels, column_labels, titles, bar;
    bool form_given; /* the form and width of its numbers are: */
    NumberForm form;
    size_t number_width;
    bool colors_given; /* the range of its colours, where cells have no numbers, is: */
    Range colors;
} PanelStyle;
extern const PanelStyle style_alone;

enum { TITLE_PX = 16, TEXT_PX = 14, SMALL_PX = 12 }; /* fonts */
enum { EDGE = 16, LABEL_PX_MOST = 640, TITLE_LINES_MOST = 8 };

/* Pixels of what is drawn, which leave more room for texts the larger these are. */
static inline int scaled(double scale, int px) { return scale > 0 ? (int)(px / scale) : px; }
static inline int larger_px(int a, int b) { return a > b ? a : b; }
static inline int smaller_px(int a, int b) { return a < b ? a : b; }

/* Each writes a whole script, from `reset` to the closed file, for one kind of picture that has
 * something to draw; of lines also for none, as empty axes. */
void script_heatmap(const Script *script);
void script_lines(const Script *script);
void script_bars(const Script *script);
void script_links(const Script *script);
void script_grid(const Script *script);
void script_frames(const Script *script);
/* Writes the script for the picture's kind. */
void script_write(const Script *script);

/* A script with its data that draws to `output` when a person runs it: `gnuplot a.gp` makes a.png
 * beside it. */
void picture_script(Text *out, const Picture *picture, const GnuplotTerminal *terminal,
                    const char *output);
/* Writes the script and has gnuplot run it; script->out is not used. gnuplot has one second more
 * for each panel or frame. Errors as gnuplot_run. */
bool script_run(const Script *script, double seconds, Error *err);

/* The canvas for an area, in pixels of the layout. Where the picture has a width and a height of
 * its own, spare_* is the room that is left in these when the rest is drawn as large as it can be.
 */
typedef struct CanvasSize {
    int width, height, spare_width, spare_height;
    double zoom;
} CanvasSize;
CanvasSize script_canvas_size(const Script *script, const Area *area, int width_least,
                              int title_lines);
/* Begins a canvas that holds the area below a title of so many lines, and sets area->left and top.
 */
void script_canvas(const Script *script, Area *area, int width_least, int title_lines);
void script_margins(const Script *script, const Area *area);
/* The width of an area's canvas, which is what a title is wrapped to. */
int script_width(const Area *area, int width_least);
void script_font(const Script *script,
                 int px); /* Writes " font \",10.50\"", the font of a size in pixels. */
/* Writes a number, the same in every locale. */
void script_number(const Script *script, double x);
/* Writes a label where the format says in gnuplot's words. The text is cleaned, and cut to `px`
 * where the picture could not show more; in an SVG and in a script for people it stays whole. px 0:
 * it is clean already, may have several lines, and stays whole. */
void script_label(const Script *script, const char *text, int px, int font_px, const char *place,
                  ...) ATTN_PRINTF(5, 6);
/* Begins a canvas with its title, as script_canvas and script_title do, where the area takes the
 * room that a picture of the wanted size has left. */
void script_chart(const Script *script, Area *area);
/* Rows with a label each, as high as suits so many: the height of one, the labels' font, and every
 * how many have one. */
typedef struct ChartRows {
    int height, font_px;
    size_t step;
} ChartRows;
ChartRows script_chart_rows(double scale, size_t count);
/* The lines of the picture's title, and the command that shows it. */
int script_title_lines(const Script *script, int width);
void script_title(const Script *script, int width);
/* Writes the title of an axis at a point, rotated by 90 degrees or not; nothing where there is
 * none. */
void script_axis_title(const Script *script, const char *text, int x, int y, bool turned);
/* The width of the widest label, as far as it is not cut. */
int script_labels_px(const Labels *labels, size_t count, int font_px);
void script_range(const Script *script, const char *axis, Range range);
void script_format(const Script *script, const char *axis, const Ticks *ticks);
int script_ticks_px(const Ticks *ticks, int font_px);

#endif
