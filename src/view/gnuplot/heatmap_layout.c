#include "view/gnuplot/heatmap_layout.h"

#include "base/size.h"
#include "view/label.h"
#include "view/panels.h"

#include <math.h>

enum {
    AREA_MOST = 1100, /* pixels a side */
    SIDE_USUAL = 800, /* pixels a side of many cells: packing more takes most of a PNG's time */
    SIDE_LEAST = 110, /* few cells are stretched until the area has so many pixels */
    BAR_LEAST = 200,  /* pixels; a lower bar has fewer ticks */
    LABELLED = 20,    /* a cell that has room for its row's label stays so high */
};
enum {
    NUMBER_COLUMNS = 16,
    NUMBER_ROWS = 32,
    NUMBER_MOST = 96,
    NUMBER_HEIGHT = 18,
    LABEL_GAP = 8,
    DIGITS = 3
};
enum { ABSENT_WIDTH = 84, ABSENT_HEIGHT = 32 }; /* a swatch and "masked" under the bar */

bool heatmap_cell_is_absent(const Picture *picture, size_t index) {
    return cell_is_hidden(picture, index) || isnan(picture->cells[index]);
}

/* ---- cells ---- */

static int cell_size(size_t count, const PanelStyle *style) {
    static const struct {
        size_t most;
        int px;
    } sizes[] = {{4, 88}, {8, 64}, {12, 54}, {16, 46}, {24, 32}, {40, 22}, {64, 16}, {110, 10}};
    int side = style->side_most ? style->side_most : scaled(style->scale, SIDE_USUAL),
        fits = (int)((size_t)side / count);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int px = scaled(style->scale, sizes[i].px);
        if (px < LABELLED) px = sizes[i].px < LABELLED ? sizes[i].px : LABELLED;
        if (count <= sizes[i].most && (!style->side_most || px < fits)) return px;
        if (count <= sizes[i].most) break;
    }
    return fits > 0 ? fits : 1;
}

static int side(size_t count, int cell, const PanelStyle *style) {
    int most = style->side_most ? style->side_most : scaled(style->scale, AREA_MOST);
    return count < (size_t)most ? (int)count * cell : most;
}

/* Cells are square, unless a side would become a sliver. */
static int stretched(size_t count, int cell, const PanelStyle *style) {
    int wanted = scaled(style->scale, SIDE_LEAST) / (int)(count ? count : 1);
    return larger_px(smaller_px(wanted, cell_size(count, style)), cell);
}

static size_t widest_number(const Picture *picture, NumberForm form) {
    size_t most = 0;
    for (size_t i = 0; i < picture->rows * picture->columns; i++) {
        if (heatmap_cell_is_absent(picture, i)) continue;
        most = larger(most, number_form_width(form, picture->cells[i]));
    }
    return most;
}

static bool may_have_numbers(const Picture *picture) {
    return picture->columns <= NUMBER_COLUMNS && picture->rows <= NUMBER_ROWS;
}

void heatmap_common_style(PanelStyle *style, const Picture *panels) {
    /* Two numbers that need the same digits as all of them: the largest, and one that is not whole.
     */
    double sample[2] = {0, 0};
    for (size_t i = 0; i < panels->panel_count; i++) {
        const Picture *panel = &panels->panels[i];
        if (!may_have_numbers(panel)) continue;
        for (size_t at = 0; at < panel->rows * panel->columns; at++) {
            double x = panel->cells[at];
            if (heatmap_cell_is_absent(panel, at) || !isfinite(x)) continue;
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

/* Numbers are shown in the cells while these are few and the numbers short; cells get wider for
 * them, where there is room. */
static int plan_numbers(const Picture *picture, const PanelStyle *style, HeatmapLayout *layout,
                        int cell_width, int cell_height) {
    layout->numbers = may_have_numbers(picture) && cell_height >= NUMBER_HEIGHT;
    if (!layout->numbers) return cell_width;
    layout->number_form = style->form_given ? style->form
                                            : number_form(picture->cells, picture->hidden,
                                                          picture->rows * picture->columns,
                                                          picture_digits(picture, DIGITS));
    layout->number_px = cell_height >= 40 ? 13 : 11;
    size_t characters =
        style->form_given ? style->number_width : widest_number(picture, layout->number_form);
    int needed = (int)characters * layout->number_px * 64 / 100 + 8;
    layout->numbers = needed <= NUMBER_MOST &&
                      (!style->side_most || needed * (int)picture->columns <= style->side_most);
    return layout->numbers && needed > cell_width ? needed : cell_width;
}

/* ---- labels ---- */

static int label_size(double cell) { return cell >= 20 ? TEXT_PX : cell >= 15 ? SMALL_PX : 11; }

static size_t step_for(double needed, double cell, bool numbers) {
    size_t step = (size_t)ceil(needed / cell - 1e-9);
    if (step < 1) step = 1;
    return numbers ? step_round_up(step) : step;
}

static void plan_row_labels(const Picture *picture, HeatmapLayout *layout) {
    double cell = (double)layout->area.height / (double)picture->rows;
    bool numbers = picture->row_labels.items == NULL;
    layout->row_px = label_size(cell);
    layout->row_step = step_for(layout->row_px * 1.2, cell, numbers);
    layout->row_length = script_labels_px(&picture->row_labels, picture->rows, layout->row_px);
    layout->area.before = layout->row_length + LABEL_GAP;
}

/* Side by side when they fit, slanted when the columns are wide enough for lines of text, else
 * upright. */
static void plan_column_labels(const Picture *picture, HeatmapLayout *layout) {
    double cell = (double)layout->area.width / (double)picture->columns;
    bool numbers = picture->column_labels.items == NULL;
    layout->column_px = label_size(cell);
    int length = script_labels_px(&picture->column_labels, picture->columns, layout->column_px),
        height = layout->column_px;
    double needed = layout->column_px * 1.2;
    if (numbers || length + 6 <= cell) {
        layout->turn = TURN_NONE;
        needed = length + 6;
    } else if (cell >= layout->column_px * 1.5) {
        layout->turn = TURN_SLANTED;
        height = length * 71 / 100 + layout->column_px / 2;
        /* Slanted labels end under their columns: they reach out at the left. */
        layout->area.before =
            larger_px(layout->area.before, length * 71 / 100 - (int)cell / 2 + LABEL_GAP);
    } else {
        layout->turn = TURN_UPRIGHT;
        height = length;
    }
    layout->column_step = step_for(needed, cell, numbers);
    layout->area.below = LABEL_GAP + height;
}

/* ---- the colour bar ---- */

int heatmap_bar_room(const HeatmapLayout *layout) {
    int room = BAR_GAP + BAR_WIDTH + LABEL_GAP + script_ticks_px(&layout->ticks, SMALL_PX);
    return layout->absent ? larger_px(room, BAR_GAP + ABSENT_WIDTH) : room;
}

void heatmap_place_bar(HeatmapLayout *layout, const Area *area) {
    layout->bar_left = area->left + area->width + BAR_GAP;
    layout->bar_top = area->top;
    layout->bar_height = area->height;
    layout->ticks = ticks_for(layout->colors, layout->bar_height >= BAR_LEAST ? 7 : 4);
}

/* ---- the whole ---- */

HeatmapLayout heatmap_layout(const Picture *picture, const PanelStyle *style) {
    HeatmapLayout layout = {.titles = style->titles, .masked = picture->hidden != NULL};
    Area *area = &layout.area;
    int cell = smaller_px(cell_size(picture->columns, style), cell_size(picture->rows, style));
    int cell_height = stretched(picture->rows, cell, style);
    int cell_width = plan_numbers(picture, style, &layout, stretched(picture->columns, cell, style),
                                  cell_height);
    area->width = side(picture->columns, cell_width, style);
    area->height = side(picture->rows, cell_height, style);

    layout.colors = layout.numbers        ? heatmap_range(picture)
                    : style->colors_given ? style->colors
                                          : heatmap_bright_range(picture);
    for (size_t i = 0; i < picture->rows * picture->columns && !layout.absent; i++)
        layout.absent = heatmap_cell_is_absent(picture, i);

    if (style->row_labels) plan_row_labels(picture, &layout);
    if (style->column_labels) plan_column_labels(picture, &layout);
    if (style->titles && has_words(picture->row_title)) area->before += AXIS_TITLE;
    if (style->titles && has_words(picture->column_title)) area->below += AXIS_TITLE;
    if (style->bar) {
        layout.bar = true;
        heatmap_place_bar(&layout, area);
        area->behind = heatmap_bar_room(&layout);
        if (layout.absent && area->below < ABSENT_HEIGHT) area->below = ABSENT_HEIGHT;
    }
    return layout;
}
