#include "view/heatmap_layout.h"

#include "view/label.h"

#include <math.h>
#include <string.h>

enum {
    AREA_MOST = 1100,       /* pixels a side */
    CANVAS_LEAST = 480,
    SIDE_LEAST = 110,       /* of the area, where stretching the cells gets there */
    NUMBER_COLUMNS = 16, NUMBER_ROWS = 32, NUMBER_MOST = 96,
    BAR_GAP = 18, BAR_WIDTH = 16,
    ABSENT_WIDTH = 84,      /* a swatch and "masked" under the bar */
    LABEL_GAP = 8, AXIS_TITLE = 28,
};

bool heatmap_cell_is_absent(const Picture *picture, size_t index) {
    return (picture->hidden && picture->hidden[index]) || isnan(picture->cells[index]);
}

/* ---- cells ---- */

static int cell_size(size_t count) {
    static const struct { size_t most; int px; } sizes[] = {{4, 88}, {8, 64}, {12, 54}, {16, 46}, {24, 32}, {40, 22}, {64, 16}, {110, 10}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (count <= sizes[i].most) return sizes[i].px;
    }
    return count < AREA_MOST ? (int)(AREA_MOST / count) : 1;
}

static int side(size_t count, int cell) {
    return count < AREA_MOST ? (int)count * cell : AREA_MOST;
}

/* Cells are square, unless a side would become a sliver. */
static int stretched(size_t count, int cell) {
    int most = cell_size(count), wanted = (int)(SIDE_LEAST / (count ? count : 1));
    int larger = wanted < most ? wanted : most;
    return larger > cell ? larger : cell;
}

static size_t longest_number(const Picture *picture, NumberForm form) {
    size_t most = 0;
    for (size_t i = 0; i < picture->rows * picture->columns; i++) {
        size_t width = heatmap_cell_is_absent(picture, i) ? 0 : number_form_width(form, picture->cells[i]);
        if (width > most) most = width;
    }
    return most;
}

/* Numbers stand in the cells while these are few and the numbers short; cells get wider for them. */
static int plan_numbers(const Picture *picture, HeatmapLayout *layout, int cell_width, int cell_height) {
    layout->numbers = picture->columns <= NUMBER_COLUMNS && picture->rows <= NUMBER_ROWS;
    if (!layout->numbers) return cell_width;
    int digits = picture->digits < 1 || picture->digits > 3 ? 3 : picture->digits;
    layout->number_form = number_form(picture->cells, picture->hidden, picture->rows * picture->columns, digits);
    layout->number_px = cell_height >= 40 ? 13 : 11;
    int needed = (int)longest_number(picture, layout->number_form) * layout->number_px * 64 / 100 + 8;
    layout->numbers = needed <= NUMBER_MOST;
    return layout->numbers && needed > cell_width ? needed : cell_width;
}

static void plan_cells(const Picture *picture, HeatmapLayout *layout) {
    int columns = cell_size(picture->columns), rows = cell_size(picture->rows);
    int cell = columns < rows ? columns : rows;
    int cell_height = stretched(picture->rows, cell);
    int cell_width = plan_numbers(picture, layout, stretched(picture->columns, cell), cell_height);
    layout->area_width = side(picture->columns, cell_width);
    layout->area_height = side(picture->rows, cell_height);
}

/* ---- labels ---- */

static int label_size(double cell) {
    return cell >= 20 ? TEXT_PX : cell >= 15 ? SMALL_PX : 11;
}

static size_t step_for(double needed, double cell, bool numbers) {
    size_t step = (size_t)ceil(needed / cell - 1e-9);
    if (step < 1) step = 1;
    return numbers ? step_round_up(step) : step;
}

static int bounded(double px) {
    return px > LABEL_PX_MOST ? LABEL_PX_MOST : (int)ceil(px);
}

static int plan_row_labels(const Picture *picture, HeatmapLayout *layout) {
    double cell = (double)layout->area_height / (double)picture->rows;
    bool numbers = picture->row_labels.items == NULL;
    layout->row_px = label_size(cell);
    layout->row_step = step_for(layout->row_px * 1.2, cell, numbers);
    return bounded(label_ems_most(&picture->row_labels, picture->rows) * layout->row_px);
}

/* Side by side when they fit, slanted when the columns are wide enough for lines of text, else upright. */
static int plan_column_labels(const Picture *picture, HeatmapLayout *layout) {
    double cell = (double)layout->area_width / (double)picture->columns;
    bool numbers = picture->column_labels.items == NULL;
    layout->column_px = label_size(cell);
    int length = bounded(label_ems_most(&picture->column_labels, picture->columns) * layout->column_px);
    bool fits = length + 6 <= cell;
    layout->turn = numbers || fits ? TURN_NONE : cell >= layout->column_px * 1.5 ? TURN_SLANTED : TURN_UPRIGHT;
    layout->column_step = step_for(layout->turn == TURN_NONE ? length + 6 : layout->column_px * 1.2, cell, numbers);
    layout->column_label_height = layout->turn == TURN_NONE ? layout->column_px : layout->turn == TURN_UPRIGHT ? length : length * 71 / 100 + layout->column_px / 2;
    return length;
}

/* ---- the whole ---- */

static void plan_bar(const Picture *picture, HeatmapLayout *layout) {
    size_t count = picture->rows * picture->columns;
    bool centred = picture->palette && strcmp(picture->palette, "diverging") == 0;
    layout->colors = range_of_colors(picture->cells, picture->hidden, count, picture->low, picture->high, centred);
    layout->ticks = ticks_for(layout->colors, layout->area_height >= 200 ? 7 : 4);
    for (size_t i = 0; i < count && !layout->absent; i++) layout->absent = heatmap_cell_is_absent(picture, i);
}

static int bar_room(const HeatmapLayout *layout) {
    int room = BAR_GAP + BAR_WIDTH + LABEL_GAP + script_ticks_px(&layout->ticks, SMALL_PX);
    return layout->absent && room < BAR_GAP + ABSENT_WIDTH ? BAR_GAP + ABSENT_WIDTH : room;
}

/* What slanted labels, which end under their columns, need at the left. */
static int slant_room(const HeatmapLayout *layout, const Picture *picture, int length) {
    if (layout->turn != TURN_SLANTED) return 0;
    return length * 71 / 100 - layout->area_width / (int)picture->columns / 2 + LABEL_GAP;
}

static bool has_text(const char *text) {
    return text && *text;
}

static void plan_width(const Picture *picture, HeatmapLayout *layout, int row_length, int column_length) {
    int left = row_length + LABEL_GAP, slanted = slant_room(layout, picture, column_length);
    if (slanted > left) left = slanted;
    left += EDGE + (has_text(picture->row_title) ? AXIS_TITLE : 0);
    int width = left + layout->area_width + bar_room(layout) + EDGE;
    layout->width = width < CANVAS_LEAST ? CANVAS_LEAST : width;
    layout->left = left + (layout->width - width) / 2;
    layout->row_title_x = layout->left - LABEL_GAP - row_length - AXIS_TITLE / 2;
    layout->bar_left = layout->left + layout->area_width + BAR_GAP;
    layout->bar_width = BAR_WIDTH;
}

static void plan_height(const Script *script, HeatmapLayout *layout) {
    int lines = script_title_lines(script, layout->width);
    layout->top = EDGE + (lines ? lines * TITLE_PX * 5 / 4 + EDGE : 0);
    int below = LABEL_GAP + layout->column_label_height + EDGE;
    if (has_text(script->picture->column_title)) below += AXIS_TITLE;
    if (layout->absent && below < 48) below = 48;
    layout->height = layout->top + layout->area_height + below;
}

HeatmapLayout heatmap_layout(const Script *script) {
    const Picture *picture = script->picture;
    HeatmapLayout layout = {.numbers = false};
    plan_cells(picture, &layout);
    plan_bar(picture, &layout);
    int row_length = plan_row_labels(picture, &layout);
    int column_length = plan_column_labels(picture, &layout);
    plan_width(picture, &layout, row_length, column_length);
    plan_height(script, &layout);
    return layout;
}
