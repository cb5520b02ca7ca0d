/* Functions that the plans of several kinds of pictures share. */
#ifndef ATTN_VIEW_PLANNER_H
#define ATTN_VIEW_PLANNER_H

#include "view/label.h"
#include "view/plan/plan.h"

enum { EDGE = 16, LABEL_GAP = 8, LABEL_PX_MOST = 640, CANVAS_LEAST = 480 /* of cells */ };
enum { AXIS_TITLE = 26, CELLS_TITLE = 28 }; /* pixels that the title of an axis takes */

/* The way a frame is drawn: alone, or as one of several panels. */
typedef struct PanelStyle {
    int side_most;     /* pixels of a side of its area; 0: as large as suits it */
    int width, height; /* of its area; 0: as large as suits it */
    bool row_labels, column_labels, titles, bar;
    bool form_given; /* its numbers have this form and width: */
    NumberForm form;
    size_t number_width;
    bool colors_given; /* cells without numbers have this range of colours: */
    Range colors;
} PanelStyle;
extern const PanelStyle style_alone;

/* Plans one frame: the size of its area, the room around it, and its items. */
typedef void FramePlan(Plan *plan, PlanFrame *frame, const PanelStyle *style);
FramePlan plan_cells, plan_lines, plan_bars, plan_links;
/* Plan whole pictures. */
void plan_animation(Plan *plan);
void plan_grid(Plan *plan);
void plan_film(Plan *plan); /* frames that are grids */

/* Sets one form of numbers and one range of colours for several heatmaps that are coloured alike,
 * so that what means the same looks the same. */
void plan_common_style(PanelStyle *style, const Picture *panels);
/* The pixels that a bar of a frame's colours takes beside an area of that height. */
int plan_bar_room(PlanFrame *frame, int height);
/* Adds the bar, beside an area that ends at `left`; pixels from the frame's area. */
void plan_add_bar(Plan *plan, PlanFrame *frame, int left, int top, int height);

/* ---- the canvas ---- */

/* Pixels of what is drawn, which leave more room for texts the larger these are. */
static inline int scaled(const Plan *plan, int px) { return (int)(px / plan->scale); }
static inline int larger_px(int a, int b) { return a > b ? a : b; }
static inline int smaller_px(int a, int b) { return a < b ? a : b; }

/* The width of an area's canvas, which is what a title is wrapped to. */
int plan_width(const Area *area, int width_least);
/* The lines of a title that is wrapped to so many pixels. */
int plan_title_lines(const char *title, int width);
/* Sets the canvas to one that holds the area below a title of so many lines, and the position of
 * the area. */
void plan_canvas(Plan *plan, Area *area, int width_least, int title_lines);
/* A title at the top of the canvas, of all frames or of one that has its place. */
void plan_title(Plan *plan, PlanFrame *frame, const char *title, int width);

/* ---- items ---- */

static inline PlanPlace at_px(double px) { return (PlanPlace){.at = px}; }
static inline PlanPlace at_data(double x, double shift) { return (PlanPlace){x, shift, true}; }

/* Each adds an item, which it returns to be changed. The text is borrowed. */
PlanItem *plan_text(Plan *plan, PlanItems *items, const char *text, int px_most, int font_px,
                    PlanPlace x, PlanPlace y, TextSide side);
PlanItem *plan_stroke(Plan *plan, PlanItems *items, PlanStroke stroke, PlanPlace x, PlanPlace y,
                      PlanPlace to_x, PlanPlace to_y);
PlanItem *plan_box(Plan *plan, PlanItems *items, uint32_t color, PlanPlace x, PlanPlace y,
                   PlanPlace to_x, PlanPlace to_y);
void plan_mark(Plan *plan, PlanItems *items, size_t mark, uint32_t color, int x, int y);
/* Moves a text into the plan. */
const char *plan_keep(Plan *plan, Text *text);
/* The label, or its number. */
const char *plan_label(Plan *plan, const Labels *labels, size_t index);
/* The number in a form, or with so many digits. */
const char *plan_number(Plan *plan, NumberForm form, double x);
/* The title of an axis, in the middle of its place; nothing where there is none. */
void plan_axis_title(Plan *plan, PlanItems *items, const char *title, int x, int y, bool rotated);

/* ---- sizes ---- */

/* The width of the widest label, as far as it is not cut. */
int plan_labels_px(const Labels *labels, size_t count, int font_px);
/* The width of so many digits. */
int plan_digits_px(size_t digits, int font_px);
/* Rows with a label each, as high as suits so many: the height of one, the labels' font, and every
 * how many have one. */
typedef struct ChartRows {
    int height, font_px;
    size_t step;
} ChartRows;
ChartRows plan_rows(const Plan *plan, size_t count);

#endif
