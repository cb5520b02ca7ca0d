/* The plan of a picture: where everything goes on a canvas, in whole pixels from its left and from
 * its top. It is made once from the picture; a painter then needs to know nothing of kinds of
 * pictures, but only to paint texts, strokes, boxes, and frames with cells, lines or links in them.
 *
 * The plan borrows the picture. Texts are not clean yet: each passes label_clean on its way. */
#ifndef ATTN_VIEW_PLAN_H
#define ATTN_VIEW_PLAN_H

#include "base/arena.h"
#include "view/links_data.h"
#include "view/scale.h"

#include <stdint.h>

enum { TITLE_PX = 16, TEXT_PX = 14, SMALL_PX = 12 }; /* fonts */

/* A coordinate: pixels from the frame's area, or from the canvas for what belongs to no frame; or a
 * number on the frame's axis and a shift in the same units. */
typedef struct PlanPlace {
    double at, shift;
    bool of_data;
} PlanPlace;

typedef enum PlanItemKind { ITEM_TEXT, ITEM_STROKE, ITEM_MARK, ITEM_BOX } PlanItemKind;
typedef enum TextSide { SIDE_CENTRE, SIDE_LEFT, SIDE_RIGHT } TextSide; /* the end at its place */

typedef struct PlanStroke {
    uint32_t color; /* 0xRRGGBB */
    double width;   /* pixels */
    size_t dashes;  /* one of LINE_PATTERNS; 0: none */
    size_t mark;    /* of a line's points: of LINE_MARKS */
} PlanStroke;

typedef struct PlanItem {
    PlanItemKind kind;
    PlanPlace x, y, to_x, to_y; /* to: the other end of a stroke, the other corner of a box */
    uint32_t color;             /* of a text, a mark, or a box */
    const char *text;
    int font_px;
    int px_most; /* a text that is longer may be cut; 0: it is clean, and stays whole */
    TextSide side;
    int degrees; /* by which it is rotated against the clock */
    PlanStroke stroke;
    bool in_front; /* of the frame's cells or lines */
    size_t mark;   /* the shape: of LINE_MARKS */
    bool bordered; /* a box with a grey edge */
    struct PlanItem *next;
} PlanItem;

/* In the order in which they are painted. */
typedef struct PlanItems {
    PlanItem *first, *last;
} PlanItems;

/* The rectangle of the cells or curves, and the room that the labels around it take. */
typedef struct Area {
    int left, top, width, height;
    int before, behind, below;
} Area;

typedef enum FrameKind { FRAME_CELLS, FRAME_LINES, FRAME_BARS, FRAME_LINKS } FrameKind;

/* An area with axes: a panel, or what a picture has instead of panels. */
typedef struct PlanFrame {
    FrameKind kind;
    const Picture *picture;
    Area area;
    Axis x, y; /* from left to right, and from the bottom up. Ticks are shown of both axes of lines,
                  and of the x axis of bars, whose items are the bars */
    PlanItems titles, key, items;

    /* cells; the first has its middle at 0, 0 */
    Axis colors;
    bool absent, masked; /* some cells have no colour; masked: because they are hidden */
    Area bar;            /* of the colours, in pixels from the frame's area; no height: none */
    int number_px;       /* of the numbers in the cells; 0: there are none */
    NumberForm number_form;

    Links links; /* queries and keys are numbers of y, at the ends of the x axis */
} PlanFrame;

/* The room for a picture whose own width and height are 0. */
typedef struct PlanRoom {
    double zoom;                 /* pixels for each of the plan's */
    int width_most, height_most; /* pixels; a larger picture is drawn smaller. 0: any size */
} PlanRoom;

typedef struct Plan {
    const Picture *picture;
    int width, height; /* of the canvas, in pixels of the plan */
    double zoom;       /* pixels of the file for each of these */
    PlanItems items;   /* what belongs to no frame */
    PlanFrame *frames;
    size_t frame_count;
    bool animated; /* the frames are shown after each other, in one place */
    size_t page;   /* how many of them are shown at once; 0: one */

    PlanRoom room;
    double scale;                  /* the factor of texts beside the drawing */
    int spare_width, spare_height; /* what is left of the wanted size */
    Arena arena;
    PlanItem lost; /* where memory ran out */
    bool failed;
} Plan;

/* Plans a picture of any kind; one without anything in it becomes a frame of lines. ERR_LIMIT: out
 * of memory. Release in any case. */
bool plan_init(Plan *plan, const Picture *picture, const PlanRoom *room, Error *err);
void plan_release(Plan *plan);

/* The look of a line. Each colour has a mark. */
enum { LINE_MARKS = 7 };
PlanStroke plan_line_stroke(const Picture *picture, size_t line);
/* The heavier a link, the higher its step and the wider its line; the shift is that of its head, so
 * that lines of several heads that join the same names lie beside each other. */
enum { LINK_STEPS = 8 };
size_t plan_link_step(const Links *links, const Link *link);
PlanStroke plan_link_stroke(const Picture *picture, size_t head, size_t step);
double plan_link_shift(const Picture *picture, size_t head);

#endif
