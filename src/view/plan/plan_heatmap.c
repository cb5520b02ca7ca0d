/* Heatmaps: cells with their numbers where these fit, labels, and a bar of the colours. */
#include "base/size.h"
#include "base/translate.h"
#include "view/panels.h"
#include "view/plan/planner.h"

#include <math.h>

enum {
    AREA_MOST = 1100, /* pixels a side */
    SIDE_USUAL = 800, /* pixels a side of many cells: packing more takes most of a PNG's time */
    SIDE_LEAST = 110, /* few cells are stretched until the area has so many pixels */
    BAR_LEAST = 200,  /* pixels; a lower bar has fewer ticks */
    LABELLED = 20,    /* a cell that has room for its row's label stays so high */
};
enum { NUMBER_COLUMNS = 16, NUMBER_ROWS = 32, NUMBER_MOST = 96, NUMBER_HEIGHT = 18, DIGITS = 3 };
enum { BAR_GAP = 18, BAR_WIDTH = 16 };
enum { ABSENT_WIDTH = 84, ABSENT_HEIGHT = 32 }; /* a swatch and "masked" under the bar */

/* ---- cells ---- */

static int cell_size(const Plan *plan, size_t count, const PanelStyle *style) {
    static const struct {
        size_t most;
        int px;
    } sizes[] = {{4, 88}, {8, 64}, {12, 54}, {16, 46}, {24, 32}, {40, 22}, {64, 16}, {110, 10}};
    int side = style->side_most ? style->side_most : scaled(plan, SIDE_USUAL),
        fits = (int)((size_t)side / count);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int px = scaled(plan, sizes[i].px);
        if (px < LABELLED) px = smaller_px(sizes[i].px, LABELLED);
        if (count <= sizes[i].most && (!style->side_most || px < fits)) return px;
        if (count <= sizes[i].most) break;
    }
    return larger_px(fits, 1);
}

static int side_of(const Plan *plan, size_t count, int cell, const PanelStyle *style) {
    int most = style->side_most ? style->side_most : scaled(plan, AREA_MOST);
    return count < (size_t)most ? (int)count * cell : most;
}

/* Cells are square, unless a side would become a sliver. */
static int stretched(const Plan *plan, size_t count, int cell, const PanelStyle *style) {
    int wanted = scaled(plan, SIDE_LEAST) / (int)count;
    return larger_px(smaller_px(wanted, cell_size(plan, count, style)), cell);
}

static size_t widest_number(const Picture *picture, NumberForm form) {
    size_t most = 0;
    for (size_t i = 0; i < picture->rows * picture->columns; i++)
        if (!cell_is_absent(picture, i))
            most = larger(most, number_form_width(form, picture->cells[i]));
    return most;
}

static bool may_have_numbers(const Picture *picture) {
    return picture->columns <= NUMBER_COLUMNS && picture->rows <= NUMBER_ROWS;
}

void plan_common_style(PanelStyle *style, const Picture *panels) {
    /* Two numbers that need the same digits as all of them: the largest, and one that is not whole.
     */
    double sample[2] = {0, 0};
    for (size_t i = 0; i < panels->panel_count; i++) {
        const Picture *panel = &panels->panels[i];
        if (!may_have_numbers(panel)) continue;
        for (size_t at = 0; at < panel->rows * panel->columns; at++) {
            double x = panel->cells[at];
            if (cell_is_absent(panel, at) || !isfinite(x)) continue;
            if (fabs(x) > sample[0]) sample[0] = fabs(x);
            if (x != floor(x)) sample[1] = x;
        }
    }
    style->form = number_form(sample, NULL, 2, picture_digits(&panels->panels[0], DIGITS));
    for (size_t i = 0; i < panels->panel_count; i++)
        if (may_have_numbers(&panels->panels[i]))
            style->number_width =
                larger(style->number_width, widest_number(&panels->panels[i], style->form));
    style->form_given = style->colors_given = true;
    style->colors = panel_bright_range(panels, 0);
}

/* Numbers are shown in the cells while these are few and the numbers short. Returns the width of
 * cells, which get wider for them where there is room. */
static int plan_numbers(PlanFrame *frame, const PanelStyle *style, int cell_width,
                        int cell_height) {
    const Picture *picture = frame->picture;
    if (!may_have_numbers(picture) || cell_height < NUMBER_HEIGHT) return cell_width;
    NumberForm form = style->form_given ? style->form
                                        : number_form(picture->cells, picture->hidden,
                                                      picture->rows * picture->columns,
                                                      picture_digits(picture, DIGITS));
    int px = cell_height >= 40 ? 13 : 11;
    size_t digits = style->form_given ? style->number_width : widest_number(picture, form);
    int needed = plan_digits_px(digits, px) + 8;
    bool fit = !style->side_most || needed * (int)picture->columns <= style->side_most;
    if (needed > NUMBER_MOST || !fit) return cell_width;
    frame->number_form = form;
    frame->number_px = px;
    return larger_px(needed, cell_width);
}

/* ---- labels ---- */

static int label_px(double cell) { return cell >= 20 ? TEXT_PX : cell >= 15 ? SMALL_PX : 11; }

/* Every how many are labelled, where each label needs so many pixels. */
static size_t label_step(double needed, double cell, const Labels *labels) {
    size_t step = larger((size_t)ceil(needed / cell - 1e-9), 1);
    return labels->items ? step : step_round_up(step);
}

/* Side by side when they fit, slanted when the columns are wide enough for lines of text, else
 * upright. */
static void plan_column_labels(Plan *plan, PlanFrame *frame) {
    const Picture *picture = frame->picture;
    const Labels *labels = &picture->column_labels;
    Area *area = &frame->area;
    double cell = (double)area->width / (double)picture->columns;
    int px = label_px(cell), length = plan_labels_px(labels, picture->columns, px), height = px,
        degrees = 0, below = area->height + LABEL_GAP;
    double needed = px * 1.2;
    if (labels->items == NULL || length + 6 <= cell) {
        needed = length + 6;
        below += px / 2;
    } else if (cell >= px * 1.5) {
        degrees = 45;
        height = length * 71 / 100 + px / 2;
        /* Slanted labels end under their columns: they reach out at the left. */
        area->before = larger_px(area->before, length * 71 / 100 - (int)cell / 2 + LABEL_GAP);
    } else {
        degrees = 90;
        height = length;
    }
    area->below = LABEL_GAP + height;
    size_t step = label_step(needed, cell, labels);
    for (size_t j = 0; j < picture->columns; j += step)
        plan_text(plan, &frame->items, plan_label(plan, labels, j), LABEL_PX_MOST, px,
                  at_data((double)j, 0), at_px(below), degrees ? SIDE_RIGHT : SIDE_CENTRE)
            ->degrees = degrees;
}

/* ---- the colour bar ---- */

static void plan_bar_ticks(PlanFrame *frame, int height) {
    axis_init(&frame->colors, frame->colors.range, height >= BAR_LEAST ? 7 : 4, false);
    if (frame->colors.count < 2) axis_init(&frame->colors, frame->colors.range, 7, false);
}

int plan_bar_room(PlanFrame *frame, int height) {
    plan_bar_ticks(frame, height);
    int room =
        BAR_GAP + BAR_WIDTH + LABEL_GAP + plan_digits_px(axis_widest(&frame->colors), SMALL_PX);
    return frame->absent ? larger_px(room, BAR_GAP + ABSENT_WIDTH) : room;
}

void plan_add_bar(Plan *plan, PlanFrame *frame, int left, int top, int height) {
    frame->bar = (Area){.left = left + BAR_GAP, .top = top, .width = BAR_WIDTH, .height = height};
    plan_bar_ticks(frame, height);
    if (!frame->absent) return;
    int x = frame->bar.left, y = top + height + 16;
    plan_box(plan, &frame->key, palette_absent(palette_of(frame->picture->palette)), at_px(x),
             at_px(y), at_px(x + BAR_WIDTH), at_px(y + 14))
        ->bordered = true;
    const char *missing = frame->picture->missing ? tr(frame->picture->missing) : "nan";
    plan_text(plan, &frame->key, frame->masked ? tr("masked") : missing, LABEL_PX_MOST, SMALL_PX,
              at_px(x + BAR_WIDTH + 6), at_px(y + 7), SIDE_LEFT);
}

/* ---- the whole ---- */

void plan_cells(Plan *plan, PlanFrame *frame, const PanelStyle *style) {
    const Picture *picture = frame->picture;
    size_t rows = picture->rows, columns = picture->columns;
    Area *area = &frame->area;
    int cell = smaller_px(cell_size(plan, columns, style), cell_size(plan, rows, style)),
        cell_height = stretched(plan, rows, cell, style),
        cell_width = plan_numbers(frame, style, stretched(plan, columns, cell, style), cell_height);
    frame->kind = FRAME_CELLS;
    area->width = side_of(plan, columns, cell_width, style);
    area->height = side_of(plan, rows, cell_height, style);
    frame->x.range = (Range){-0.5, (double)columns - 0.5};
    frame->y.range = (Range){(double)rows - 0.5, -0.5};
    frame->colors.range = frame->number_px      ? heatmap_range(picture)
                          : style->colors_given ? style->colors
                                                : heatmap_bright_range(picture);
    frame->masked = frame->masked || picture->hidden;
    for (size_t i = 0; i < rows * columns && !frame->absent; i++)
        frame->absent = cell_is_absent(picture, i);

    int row_px = label_px((double)area->height / (double)rows), row_length = 0;
    if (style->row_labels) {
        row_length = plan_labels_px(&picture->row_labels, rows, row_px);
        size_t step = label_step(row_px * 1.2, (double)frame->area.height / (double)picture->rows,
                                 &picture->row_labels);
        frame->area.before = row_length + LABEL_GAP;
        for (size_t i = 0; i < picture->rows; i += step)
            plan_text(plan, &frame->items, plan_label(plan, &picture->row_labels, i), LABEL_PX_MOST,
                      row_px, at_px(-LABEL_GAP), at_data((double)i, 0), SIDE_RIGHT);
    }
    if (style->column_labels) plan_column_labels(plan, frame);
    if (style->titles) {
        plan_axis_title(plan, &frame->items, picture->row_title,
                        -LABEL_GAP - row_length - CELLS_TITLE / 2, area->height / 2, true);
        if (has_words(picture->row_title)) area->before += CELLS_TITLE;
        if (has_words(picture->column_title)) area->below += CELLS_TITLE;
    }
    if (style->bar) {
        plan_add_bar(plan, frame, area->width, 0, area->height);
        area->behind = plan_bar_room(frame, area->height);
        if (frame->absent) area->below = larger_px(area->below, ABSENT_HEIGHT);
    }
    if (style->titles)
        plan_axis_title(plan, &frame->items, picture->column_title, area->width / 2,
                        area->height + area->below - 6, false);
}

/* Heatmaps of one size after each other, each with its title, at the positions of the first. */
void plan_animation(Plan *plan) {
    const Picture *picture = plan->picture;
    PanelStyle style = style_alone;
    PlanFrame *first = plan->frames;
    int width = 0, title_lines = 0;
    bool absent = false, masked = false;
    plan_common_style(&style, picture); /* one form for the numbers of all, or they would jump */
    plan->animated = true;
    for (size_t f = 0; f < picture->panel_count; f++) {
        const Picture *panel = &picture->panels[f];
        masked = masked || panel->hidden;
        for (size_t i = 0; i < panel->rows * panel->columns && !absent; i++)
            absent = cell_is_absent(panel, i);
    }
    for (size_t f = 0; f < picture->panel_count; f++) {
        PlanFrame *frame = &plan->frames[f];
        *frame = (PlanFrame){.picture = &picture->panels[f], .absent = absent, .masked = masked};
        plan_cells(plan, frame, &style);
        width = plan_width(&first->area, CANVAS_LEAST);
        title_lines = larger_px(title_lines, plan_title_lines(frame->picture->title, width));
    }
    plan_canvas(plan, &first->area, CANVAS_LEAST, title_lines);
    for (size_t f = 0; f < picture->panel_count; f++) {
        PlanFrame *frame = &plan->frames[f];
        frame->area = first->area;
        plan_title(plan, frame, frame->picture->title, width);
    }
}
