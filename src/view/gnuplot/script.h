/* Pictures as gnuplot scripts: what heatmaps and lines share.
 *
 * All places are whole pixels, measured from the left and from the top; the script divides them
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
    bool is_svg;       /* fonts are in pixels, texts are never cut, few cells become polygons */
    bool is_gd;        /* one font for all letters, and cells as rectangles */
} GnuplotTerminal;

typedef struct Script {
    Text *out;
    const Picture *picture;
    const GnuplotTerminal *terminal;
    const char *output;          /* NULL: a window */
    double zoom;                 /* how many pixels one of the layout's becomes; 0: 1 */
    int width_most, height_most; /* pixels: what would be larger is drawn smaller; 0: any size */
    bool by_hand;                /* to be kept and run by people: all data is there, as text */
    size_t cells;                /* of all panels together; 0: of the picture */
} Script;

/* The rectangle of the cells or curves on the canvas, and the room that the labels around it take.
 */
typedef struct Area {
    int left, top, width, height;
    int before, behind, below;
} Area;

/* How a picture is drawn: alone, or as one of several panels. */
typedef struct PanelStyle {
    int side_most; /* pixels of its area; 0: as large as is good */
    bool row_labels, column_labels, titles, bar;
    bool form_given; /* its numbers are written so, however wide the widest is: */
    NumberForm form;
    size_t number_width;
    bool colors_given; /* those of cells without numbers: */
    Range colors;
} PanelStyle;
extern const PanelStyle style_alone;

enum {
    TITLE_PX = 16,
    TEXT_PX = 14,
    SMALL_PX = 12,
    EDGE = 16,
    LABEL_PX_MOST = 640,
    TITLE_LINES_MOST = 8
};

/* Each draws the whole picture: from `reset` to the closed file. */
void script_heatmap(const Script *script);
void script_lines(const Script *script);
void script_grid(const Script *script);
void script_frames(const Script *script);
/* The one of the picture's kind. */
void script_write(const Script *script);

/* A script with its data that draws to `output` when a person runs it: `gnuplot a.gp` makes a.png
 * beside it. */
void picture_script(Text *out, const Picture *picture, const GnuplotTerminal *terminal,
                    const char *output);
/* Writes it (script->out is not used) and has gnuplot run it. */
bool script_run(const Script *script, double seconds, Error *err);

/* Begins a canvas that holds the area, below a title of so many lines, and puts the area on it. */
void script_canvas(const Script *script, Area *area, int width_least, int title_lines);
void script_margins(const Script *script, const Area *area);
/* How wide a canvas is for its title. */
int script_width(const Area *area, int width_least);
void script_font(const Script *script, int px); /* " font \",10.50\"" */
/* A number, the same in every locale. */
void script_number(const Script *script, double x);
/* A cleaned text, quoted; cut to `px` where the picture could not show more anyway (in an SVG
 * and in a script for people it stays whole). */
void script_text(const Script *script, const Text *text, int px, int font_px);
/* The picture's title, wrapped: how many lines, and the command that shows it. */
int script_title_lines(const Script *script, int width);
void script_title(const Script *script, int width);
/* The title of an axis: at a point, turned by 90 degrees or not. */
void script_axis_title(const Script *script, const char *text, int x, int y, bool turned);
void script_format(const Script *script, const char *axis, const Ticks *ticks);
int script_ticks_px(const Ticks *ticks, int font_px);

#endif
