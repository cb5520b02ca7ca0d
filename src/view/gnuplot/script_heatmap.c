#include "view/gnuplot/heatmap_layout.h"
#include "view/label.h"
#include "view/palette.h"

#include <math.h>

enum {
    TEXT_CELLS = 4096,    /* more go to gnuplot as bytes */
    POLYGON_CELLS = 4096, /* an SVG of more becomes unwieldy: 100 bytes each */
    SIDE_MOST = 1536,     /* more cells than pixels: they are drawn as the means of blocks */
    CANVAS_LEAST = 480,
    LABEL_GAP = 8,
};

/* ---- the frame ---- */

static void write_frame(const Script *script, const HeatmapLayout *layout) {
    const Picture *picture = script->picture;
    const Palette *palette = palette_of(picture->palette);
    Text *out = script->out;
    text_string(out, "set palette defined (");
    for (int i = 0; i < PALETTE_STOPS; i++)
        text_format(out, "%s%d \"#%06x\"", i ? ", " : "", i, (unsigned)palette->stops[i]);
    text_string(out, ")\n");
    script_range(script, "cb", layout->colors);
    if (layout->bar) {
        text_format(out,
                    "set colorbox user origin screen %d/W, screen 1-%d/H size screen %d/W, screen "
                    "%d/H noborder\n",
                    layout->bar_left, layout->bar_top + layout->bar_height, BAR_WIDTH,
                    layout->bar_height);
        script_format(script, "cb", &layout->ticks);
    } else {
        text_string(out, "unset colorbox\n");
    }
    text_format(out, "set xrange [-0.5:%zu-0.5]; set yrange [%zu-0.5:-0.5]\n", picture->columns,
                picture->rows);
    text_string(out, "unset key; set tics scale 0; unset xtics; unset ytics; set border lc rgb "
                     "\"#808080\" lw 1\n");
    if (!layout->absent) return;

    /* A rectangle behind the cells shows where a cell has no colour; a key under the bar says what
     * that means. */
    unsigned color = palette_absent(palette);
    text_format(out,
                "set object rectangle from graph 0,0 to graph 1,1 behind fc rgb \"#%06x\" fs solid "
                "noborder\n",
                color);
    if (!layout->bar) return;
    int top = layout->bar_top + layout->bar_height + 16;
    text_format(out,
                "set object rectangle from screen %d/W, screen 1-%d/H to screen %d/W, screen "
                "1-%d/H fc rgb \"#%06x\" fs solid border lc rgb \"#808080\"\n",
                layout->bar_left, top, layout->bar_left + BAR_WIDTH, top + 14, color);
    text_format(out, "set label \"%s\" at screen %d/W, screen 1-%d/H left",
                layout->masked ? "masked" : "nan", layout->bar_left + BAR_WIDTH + 6, top + 7);
    script_font(script, SMALL_PX);
    text_char(out, '\n');
}

/* ---- labels ---- */

static void write_labels(const Script *script, const HeatmapLayout *layout) {
    static const char *const turns[] = {"center", "right rotate by 45", "right rotate by 90"};
    const Picture *picture = script->picture;
    const Area *area = &layout->area;
    char digits[LABEL_DIGITS];
    for (size_t i = 0; layout->row_px && i < picture->rows; i += layout->row_step)
        script_label(script, label_of(&picture->row_labels, i, digits), LABEL_PX_MOST,
                     layout->row_px, " at screen %d/W, first %zu right", area->left - LABEL_GAP, i);
    int below = area->top + area->height + LABEL_GAP;
    if (layout->turn == TURN_NONE) below += layout->column_px / 2;
    for (size_t j = 0; layout->column_px && j < picture->columns; j += layout->column_step)
        script_label(script, label_of(&picture->column_labels, j, digits), LABEL_PX_MOST,
                     layout->column_px, " at first %zu, screen 1-%d/H %s", j, below,
                     turns[layout->turn]);
    if (!layout->titles) return;
    int before = area->left - LABEL_GAP - layout->row_length - AXIS_TITLE / 2;
    script_axis_title(script, picture->row_title, before, area->top + area->height / 2, true);
    script_axis_title(script, picture->column_title, area->left + area->width / 2,
                      area->top + area->height + area->below - 6, false);
}

/* ---- cells ---- */

/* The value that gives a cell its colour. nan has none; inf has that of the end it lies beyond. In
 * a script for people numbers stay as they are. */
static double cell_value(const Script *script, const HeatmapLayout *layout, size_t index) {
    double x = script->picture->cells[index];
    if (heatmap_cell_is_absent(script->picture, index)) return (double)NAN;
    if (script->by_hand && isfinite(x)) return x;
    return x < layout->colors.low    ? layout->colors.low
           : x > layout->colors.high ? layout->colors.high
                                     : x;
}

/* One axis of the image. gnuplot draws none of a single row or column: it gets
 * that twice, at half the size. */
typedef struct Side {
    size_t count, cells; /* samples of the image; cells of the picture */
    size_t block;        /* cells to a sample */
    double step, origin; /* between samples; the middle of the first */
    const char *place;   /* of the samples; "1" and "2" are gnuplot's own columns */
} Side;

typedef struct Grid {
    Side rows, columns;
} Grid;

static Side side_of(size_t cells, size_t most, const char *place, const char *doubled) {
    size_t block = (cells + most - 1) / most;
    if (cells == 1) return (Side){2, 1, 1, 0.5, -0.25, doubled};
    double step = (double)block;
    return (Side){(cells + block - 1) / block, cells, block, step, (step - 1) / 2, place};
}

/* A screen with fine pixels has several for each pixel of the layout. */
static size_t samples_most(const Script *script, size_t cells, int px) {
    size_t fine = (size_t)px * 3 / 2;
    return script->by_hand ? cells : fine < SIDE_MOST && fine > 0 ? fine : SIDE_MOST;
}

static size_t first_cell(const Side *side, size_t sample) {
    return side->cells == 1 ? 0 : sample * side->block;
}

static size_t end_cell(const Side *side, size_t sample) {
    size_t end = first_cell(side, sample) + side->block;
    return end < side->cells ? end : side->cells;
}

/* The mean of the cells that are there; nan when none is. */
static double sample_value(const Script *script, const HeatmapLayout *layout, const Grid *grid,
                           size_t row, size_t column) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = first_cell(&grid->rows, row); i < end_cell(&grid->rows, row); i++) {
        for (size_t j = first_cell(&grid->columns, column); j < end_cell(&grid->columns, column);
             j++) {
            double x = cell_value(script, layout, i * script->picture->columns + j);
            if (isnan(x)) continue;
            sum += x;
            count++;
        }
    }
    return count ? sum / (double)count : (double)NAN;
}

/* An image of gd's covers what is behind it even where it has no cell, and takes longer than as
 * many rectangles. */
static const char *image_style(const Script *script) {
    size_t count = script->cells ? script->cells : script->picture->rows * script->picture->columns;
    bool polygons = script->terminal->is_gd || (script->terminal->is_svg && count <= POLYGON_CELLS);
    return polygons ? "image pixels" : "image";
}

/* The cells as inline bytes, which gnuplot reads ten times as fast as text. */
static void plot_bytes(const Script *script, const HeatmapLayout *layout, const Grid *grid) {
    Text *out = script->out;
    text_format(out, "plot '-' binary array=(%zu,%zu)", grid->columns.count, grid->rows.count);
    text_string(out, " dx=");
    script_number(script, grid->columns.step);
    text_string(out, " dy=");
    script_number(script, grid->rows.step);
    text_string(out, " origin=(");
    script_number(script, grid->columns.origin);
    text_char(out, ',');
    script_number(script, grid->rows.origin);
    text_format(out, ") format=\"%%float64\" with %s\n", image_style(script));
    for (size_t i = 0; i < grid->rows.count && !out->failed; i++) {
        for (size_t j = 0; j < grid->columns.count && !out->failed; j++) {
            double x = sample_value(script, layout, grid, i, j);
            text_bytes(out, (const char *)&x, sizeof x);
        }
    }
    text_char(out, '\n');
}

/* The cells as text, and the numbers in them, each with an ink that can be read on its ground. */
static void plot_text(const Script *script, const HeatmapLayout *layout, const Grid *grid) {
    const Picture *picture = script->picture;
    const Palette *palette = palette_of(picture->palette);
    Text *out = script->out;
    text_string(out, "$cells << END\n");
    for (size_t i = 0; i < grid->rows.count && !out->failed; i++) {
        for (size_t j = 0; j < grid->columns.count && !out->failed; j++) {
            double x = sample_value(script, layout, grid, i, j);
            if (j) text_char(out, ' ');
            if (isnan(x)) text_string(out, "NaN");
            else script_number(script, x);
        }
        text_char(out, '\n');
    }
    text_string(out, "END\n");
    if (layout->numbers) {
        text_string(out, "$numbers << END\n");
        for (size_t i = 0; i < picture->rows * picture->columns; i++) {
            if (heatmap_cell_is_absent(picture, i)) continue;
            double x = picture->cells[i];
            uint32_t ground = palette_color(palette, range_fraction(layout->colors, x));
            text_format(out, "%zu %zu ", i % picture->columns, i / picture->columns);
            number_form_write(out, layout->number_form, x);
            text_format(out, " %u\n", (unsigned)palette_ink(ground));
        }
        text_string(out, "END\n");
    }
    text_format(out, "plot $cells matrix using %s:%s:3 with %s", grid->columns.place,
                grid->rows.place, image_style(script));
    if (layout->numbers) {
        text_string(out, ", $numbers using 1:2:(stringcolumn(3)):4 with labels tc rgb variable");
        script_font(script, layout->number_px);
    }
    text_char(out, '\n');
}

void heatmap_draw(const Script *script, const HeatmapLayout *layout) {
    const Picture *picture = script->picture;
    const Area *area = &layout->area;
    Grid grid = {side_of(picture->rows, samples_most(script, picture->rows, area->height), "2",
                         "($2/2-0.25)"),
                 side_of(picture->columns, samples_most(script, picture->columns, area->width), "1",
                         "($1/2-0.25)")};
    script_margins(script, area);
    write_frame(script, layout);
    write_labels(script, layout);
    bool bytes = !script->by_hand && grid.rows.count * grid.columns.count > TEXT_CELLS;
    if (bytes) plot_bytes(script, layout, &grid);
    else plot_text(script, layout, &grid);
}

void script_heatmap(const Script *script) {
    PanelStyle style = style_alone;
    style.scale = script->scale;
    HeatmapLayout layout = heatmap_layout(script->picture, &style);
    int least = scaled(script->scale, CANVAS_LEAST), width = script_width(&layout.area, least);
    script_canvas(script, &layout.area, least, script_title_lines(script, width));
    heatmap_place_bar(&layout, &layout.area);
    script_title(script, width);
    heatmap_draw(script, &layout);
}

/* An animation: heatmaps of one size after each other, each with its title, at the positions of the
 * first. */
void script_frames(const Script *script) {
    const Picture *picture = script->picture;
    PanelStyle style = style_alone;
    style.scale = script->scale;
    heatmap_common_style(&style, picture); /* one form for the numbers of all, or they would jump */
    HeatmapLayout layout = heatmap_layout(&picture->panels[0], &style);
    int width = script_width(&layout.area, CANVAS_LEAST), title_lines = 0;
    Script frame = *script;
    for (size_t i = 0; i < picture->panel_count; i++) {
        HeatmapLayout other = heatmap_layout(&picture->panels[i], &style);
        layout.absent = layout.absent || other.absent;
        layout.masked = layout.masked || other.masked;
        frame.picture = &picture->panels[i];
        title_lines = larger_px(title_lines, script_title_lines(&frame, width));
    }
    script_canvas(script, &layout.area, CANVAS_LEAST, title_lines);
    heatmap_place_bar(&layout, &layout.area);
    for (size_t i = 0; i < picture->panel_count && !script->out->failed; i++) {
        frame.picture = &picture->panels[i];
        if (i > 0) text_string(script->out, "unset label; unset object\n");
        script_title(&frame, width);
        heatmap_draw(&frame, &layout);
    }
}
