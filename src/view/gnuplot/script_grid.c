/* Several pictures on one canvas: positions in whole pixels, columns and rows as wide and high as
 * their largest panel. */
#include "base/memory.h"
#include "view/gnuplot/heatmap_layout.h"
#include "view/label.h"
#include "view/gnuplot/script_lines.h"
#include "view/panels.h"

enum { CANVAS_MOST = 1440, BAR_MOST = 420, TITLE_LINES = 3, TITLE_GAP = 6 };
enum { HEADING = TITLE_PX * 2 };            /* pixels above a part */
enum { SIDE_MOST = 440, SIDE_LEAST = 120 }; /* pixels of a panel's area */
enum { ACROSS = 22, DOWN = 20 };            /* between panels */

typedef struct Panel {
    bool cells;            /* it is a heatmap */
    HeatmapLayout heatmap; /* if so */
    LinesLayout lines;     /* if not */
    Text title;            /* wrapped */
    int title_height;      /* with the heading above it */
    size_t row, column;    /* of the grid */
    bool lowest;           /* below the others of its column, which need not be in the last row */
    bool begins;           /* a part that has a heading */
} Panel;

typedef struct PanelGrid {
    const Script *script;
    const Picture *picture;
    Panel *panels;
    size_t count, columns, rows;
    bool one_frame; /* labels are at the left and at the bottom of each part alone */
    bool one_bar;
    Area area; /* of all */
} PanelGrid;

static Area *area_of(PanelGrid *grid, size_t i) {
    return grid->panels[i].cells ? &grid->panels[i].heatmap.area : &grid->panels[i].lines.area;
}

/* ---- sizes ---- */

/* Each part begins in a new row. */
static void find_places(PanelGrid *grid) {
    for (size_t first = 0, count; first < grid->count; first += count) {
        count = panels_part(grid->picture, first).panel_count;
        for (size_t i = 0; i < count; i++) {
            Panel *panel = &grid->panels[first + i];
            panel->row = grid->rows + i / grid->columns;
            panel->column = i % grid->columns;
            panel->lowest = i + grid->columns >= count;
        }
        grid->panels[first].begins = has_words(grid->picture->panels[first].heading);
        grid->rows += (count + grid->columns - 1) / grid->columns;
    }
}

static void lay_out_panels(PanelGrid *grid) {
    double scale = grid->script->scale;
    int side = (scaled(scale, CANVAS_MOST) - (int)grid->columns * ACROSS) / (int)grid->columns;
    side = larger_px(smaller_px(side, scaled(scale, SIDE_MOST)), scaled(scale, SIDE_LEAST));
    PanelStyle common = {.scale = scale,
                         .side_most = side,
                         .titles = !grid->one_frame,
                         .bar = !grid->one_bar,
                         .colors_given = true};
    if (grid->one_bar) heatmap_common_style(&common, grid->picture);
    for (size_t i = 0; i < grid->count; i++) {
        const Picture *picture = &grid->picture->panels[i];
        Panel *panel = &grid->panels[i];
        PanelStyle style = common;
        style.row_labels = !grid->one_frame || panel->column == 0;
        style.column_labels = !grid->one_frame || panel->lowest;
        panel->cells = has_cells(picture);
        if (panel->cells && !grid->one_bar) style.colors = panel_bright_range(grid->picture, i);
        if (panel->cells) panel->heatmap = heatmap_layout(picture, &style);
        else panel->lines = lines_layout(picture, &style);
    }
}

/* The most that the panels of a column take before, across and behind their areas. */
typedef struct ColumnSize {
    int before, width, behind;
} ColumnSize;

static ColumnSize column_size(PanelGrid *grid, size_t column) {
    ColumnSize size = {0, 0, 0};
    for (size_t i = 0; i < grid->count; i++) {
        const Area *area = area_of(grid, i);
        if (grid->panels[i].column != column) continue;
        size.before = larger_px(size.before, area->before);
        size.width = larger_px(size.width, area->width);
        size.behind = larger_px(size.behind, area->behind);
    }
    return size;
}

/* A title continues in a new line where it is wider than its column. */
static void wrap_title(PanelGrid *grid, size_t i) {
    Panel *panel = &grid->panels[i];
    ColumnSize column = column_size(grid, panel->column);
    int width = column.before + column.width + column.behind + ACROSS / 2;
    Text clean = TEXT_EMPTY;
    label_clean(&clean, grid->picture->panels[i].title);
    size_t lines = label_wrap(&panel->title, &clean, (double)width / TEXT_PX, TITLE_LINES);
    panel->title_height = lines ? (int)lines * TEXT_PX * 5 / 4 + TITLE_GAP : 0;
    if (panel->begins) panel->title_height += HEADING;
    if (panel->title.failed) grid->script->out->failed = true;
    text_release(&clean);
}

/* ---- positions ---- */

static void place_columns(PanelGrid *grid) {
    int x = 0;
    for (size_t c = 0; c < grid->columns; c++) {
        ColumnSize size = column_size(grid, c);
        for (size_t i = 0; i < grid->count; i++) {
            Area *area = area_of(grid, i);
            if (grid->panels[i].column != c) continue;
            area->left = x + size.before + (size.width - area->width) / 2;
        }
        x += size.before + size.width + size.behind + (c + 1 < grid->columns ? ACROSS : 0);
    }
    grid->area.width = x;
}

/* Text below the lowest panel of a column reaches into the empty space under it. */
static void place_rows(PanelGrid *grid) {
    int y = 0;
    for (size_t row = 0, first = 0, end = 0; row < grid->rows; row++, first = end) {
        int title = 0, height = 0, below = 0;
        while (end < grid->count && grid->panels[end].row == row) end++;
        bool ends = end == grid->count || grid->panels[end].begins;
        for (size_t i = first; i < end; i++) {
            const Area *area = area_of(grid, i);
            title = larger_px(title, grid->panels[i].title_height);
            height = larger_px(height, area->height);
            if (ends || !grid->panels[i].lowest) below = larger_px(below, area->below);
        }
        for (size_t i = first; i < end; i++) area_of(grid, i)->top = y + title;
        y += title + height + below + (row + 1 < grid->rows ? DOWN : 0);
    }
    grid->area.height = y;
}

/* The parts that the panels share are around all of them. */
static void plan_surroundings(PanelGrid *grid) {
    const Picture *first = &grid->picture->panels[0];
    if (grid->one_frame && has_words(first->row_title)) grid->area.before = AXIS_TITLE;
    if (grid->one_frame && has_words(first->column_title)) grid->area.below = AXIS_TITLE;
    if (!grid->one_bar) return;
    HeatmapLayout *last = &grid->panels[grid->count - 1].heatmap;
    for (size_t i = 0; i < grid->count; i++) {
        last->absent = last->absent || grid->panels[i].heatmap.absent;
        last->masked = last->masked || grid->panels[i].heatmap.masked;
    }
    heatmap_place_bar(last, &grid->area);
    grid->area.behind = heatmap_bar_room(last);
}

/* Moves the panels to where the grid's area begins, and puts the bars beside them. */
static void place_panels(PanelGrid *grid) {
    for (size_t i = 0; i < grid->count; i++) {
        area_of(grid, i)->left += grid->area.left;
        area_of(grid, i)->top += grid->area.top;
        if (grid->panels[i].cells && grid->panels[i].heatmap.bar)
            heatmap_place_bar(&grid->panels[i].heatmap, area_of(grid, i));
    }
    if (!grid->one_bar) return;
    /* The bar begins at the first row's areas; higher than that of one picture helps nobody. */
    HeatmapLayout *last = &grid->panels[grid->count - 1].heatmap;
    Area beside = grid->area;
    beside.top = area_of(grid, 0)->top;
    beside.height = smaller_px(last->area.top + last->area.height - beside.top, BAR_MOST);
    heatmap_place_bar(last, &beside);
    last->bar = true;
}

/* ---- drawing ---- */

/* The axes' titles are in the middle of the cells, whatever is around these. */
static void write_common_titles(PanelGrid *grid) {
    const Picture *picture = &grid->picture->panels[0];
    const Area *whole = &grid->area, *first = area_of(grid, 0),
               *last = area_of(grid, grid->count - 1), *right = area_of(grid, grid->columns - 1);
    int x = (first->left + right->left + right->width) / 2,
        y = (first->top + last->top + last->height) / 2;
    script_axis_title(grid->script, picture->row_title, whole->left - AXIS_TITLE / 2, y, true);
    script_axis_title(grid->script, picture->column_title, x,
                      whole->top + whole->height + whole->below - 6, false);
}

/* Stands at the left, above the title of the part's first panel. */
static void write_heading(PanelGrid *grid, size_t i) {
    script_label(grid->script, grid->picture->panels[i].heading, grid->area.width, TITLE_PX,
                 " at screen %d/W, screen 1-%d/H left", grid->area.left,
                 area_of(grid, i)->top - grid->panels[i].title_height + TITLE_PX / 2);
}

static void write_panel(PanelGrid *grid, size_t i) {
    const Panel *panel = &grid->panels[i];
    const Area *area = area_of(grid, i);
    Text *out = grid->script->out;
    Script part = *grid->script;
    part.picture = &grid->picture->panels[i];
    if (i > 0)
        text_string(out, "unset label; unset object; unset arrow; unset grid; unset logscale\n");
    if (panel->title.length)
        script_label(grid->script, panel->title.data, 0, TEXT_PX,
                     " at screen %d/W, screen 1-%d/H center", area->left + area->width / 2,
                     area->top - panel->title_height + (panel->begins ? HEADING : 0) + TEXT_PX / 2);
    if (panel->begins) write_heading(grid, i);
    if (panel->cells) heatmap_draw(&part, &panel->heatmap);
    else lines_draw(&part, &panel->lines);
}

static void draw_grid(PanelGrid *grid) {
    find_places(grid);
    lay_out_panels(grid);
    for (size_t i = 0; i < grid->count; i++) wrap_title(grid, i);
    place_columns(grid);
    place_rows(grid);
    plan_surroundings(grid);
    int width = script_width(&grid->area, 0);
    script_canvas(grid->script, &grid->area, 0, script_title_lines(grid->script, width));
    place_panels(grid);
    text_string(grid->script->out, "set multiplot\n");
    script_title(grid->script, width);
    if (grid->one_frame) write_common_titles(grid);
    for (size_t i = 0; i < grid->count && !grid->script->out->failed; i++) write_panel(grid, i);
    text_string(grid->script->out, "unset multiplot\n");
}

/* The parts are below each other, with their panels in the same columns. */
static size_t columns_of(const Picture *picture) {
    size_t columns = 1;
    for (size_t first = 0; first < picture->panel_count;) {
        Picture part = panels_part(picture, first);
        size_t wanted = panels_columns(&part);
        if (wanted > columns) columns = wanted;
        first += part.panel_count;
    }
    return columns;
}

void script_grid(const Script *script) {
    const Picture *picture = script->picture;
    Script whole = *script;
    PanelGrid grid = {.script = &whole,
                      .picture = picture,
                      .count = picture->panel_count,
                      .columns = columns_of(picture)};
    for (size_t i = 0; i < picture->panel_count; i++)
        whole.cells += picture->panels[i].rows * picture->panels[i].columns;
    grid.one_bar = panels_share_colors(picture);
    grid.one_frame = panels_share_frames(picture);
    grid.panels = mem_zeroed(grid.count, sizeof *grid.panels, NULL);
    if (!grid.panels) {
        script->out->failed = true;
        return;
    }
    for (size_t i = 0; i < grid.count; i++) text_init(&grid.panels[i].title);
    draw_grid(&grid);
    for (size_t i = 0; i < grid.count; i++) text_release(&grid.panels[i].title);
    mem_free(grid.panels);
}
