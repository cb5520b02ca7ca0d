/* Several pictures in characters: beside each other where they fit, each under its title, and what
 * explains all of them once below. */
#include "view/label.h"
#include "view/panels.h"
#include "view/terminal/side_by_side.h"
#include "view/text/text_picture.h"

enum { GAP = 3, BLOCKS_MOST = 8, LINES_LEAST = 36 /* columns of a chart of lines */ };

typedef struct TextGrid {
    Text *out;
    const Picture *picture;
    size_t columns;            /* of the screen */
    size_t across;             /* panels beside each other */
    size_t width;              /* of a panel */
    bool one_frame, one_range; /* the panels have the same names; the same shades */
    bool utf8;
} TextGrid;

static size_t natural_width(const Picture *panel, bool utf8) {
    return panel->kind == PICTURE_HEATMAP ? text_heatmap_natural(panel, utf8) : LINES_LEAST;
}

static void plan(TextGrid *grid) {
    const Picture *picture = grid->picture;
    size_t natural = 1, most = panels_columns(picture);
    for (size_t i = 0; i < picture->panel_count; i++) {
        size_t width = natural_width(&picture->panels[i], grid->utf8);
        if (width > natural) natural = width;
    }
    grid->across = (grid->columns + GAP) / (natural + GAP);
    if (grid->across > most) grid->across = most;
    if (grid->across > BLOCKS_MOST) grid->across = BLOCKS_MOST;
    if (grid->across == 0) grid->across = 1;
    grid->width = (grid->columns + GAP) / grid->across - GAP;
    grid->one_frame = panels_share_labels(picture);
    grid->one_range = panels_share_colors(picture);
}

static void write_heatmap(const TextGrid *grid, const Picture *panel, Text *block) {
    text_heatmap_cells(block, panel, grid->width, grid->utf8);
    if (!grid->one_frame) text_heatmap_names(block, panel, grid->width, grid->width, grid->utf8);
    if (!panels_are_heatmaps(grid->picture))
        text_heatmap_shades(block, panel, NULL, grid->width, grid->width, grid->utf8);
}

static void write_panel(const TextGrid *grid, const Picture *panel, Text *block) {
    text_picture_title(block, panel, grid->width, grid->utf8);
    if (panel->kind == PICTURE_HEATMAP) write_heatmap(grid, panel, block);
    else text_lines(block, panel, grid->width, grid->utf8);
    if (block->failed) grid->out->failed = true;
}

static void write_row(const TextGrid *grid, size_t first) {
    Text blocks[BLOCKS_MOST];
    size_t count = grid->picture->panel_count - first < grid->across
                       ? grid->picture->panel_count - first
                       : grid->across;
    for (size_t i = 0; i < count; i++) {
        text_init(&blocks[i]);
        write_panel(grid, &grid->picture->panels[first + i], &blocks[i]);
    }
    side_by_side(grid->out, blocks, count, GAP, grid->columns);
    for (size_t i = 0; i < count; i++) text_release(&blocks[i]);
}

/* One line for panels in a row whose shades mean the same. Returns the first panel behind them. */
static size_t write_shades(const TextGrid *grid, size_t first) {
    const Picture *panels = grid->picture->panels;
    Text names;
    text_init(&names);
    size_t end = first;
    for (; end < grid->picture->panel_count &&
           (end == first || panels_are_colored_alike(&panels[first], &panels[end]));
         end++) {
        if (names.length) text_string(&names, ", ");
        label_clean(&names, panels[end].title);
    }
    text_heatmap_shades(grid->out, &panels[first], names.data, grid->width, grid->columns,
                        grid->utf8);
    if (names.failed) grid->out->failed = true;
    text_release(&names);
    return end;
}

static void write_key(const TextGrid *grid) {
    const Picture *first = &grid->picture->panels[0];
    if (grid->one_frame)
        text_heatmap_names(grid->out, first, grid->width, grid->columns, grid->utf8);
    if (grid->one_range)
        text_heatmap_shades(grid->out, first, NULL, grid->width, grid->columns, grid->utf8);
    else if (panels_are_heatmaps(grid->picture))
        for (size_t i = 0; i < grid->picture->panel_count;) i = write_shades(grid, i);
}

void text_grid(Text *out, const Picture *picture, size_t columns, bool utf8) {
    TextGrid grid = {.out = out, .picture = picture, .columns = columns, .utf8 = utf8};
    plan(&grid);
    for (size_t i = 0; i < picture->panel_count && !out->failed; i += grid.across) {
        if (i > 0) text_char(out, '\n');
        write_row(&grid, i);
    }
    write_key(&grid);
}
