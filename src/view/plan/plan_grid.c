/* Several pictures on one canvas: columns and rows as wide and high as their largest panel. */
#include "base/size.h"
#include "view/panels.h"
#include "view/plan/planner.h"

enum { CANVAS_MOST = 1440, BAR_MOST = 420, TITLE_LINES = 3, TITLE_GAP = 6 };
enum { HEADING = TITLE_PX * 2 };            /* pixels above a part */
enum { SIDE_MOST = 440, SIDE_LEAST = 120 }; /* pixels of a panel's area */
enum { ACROSS = 22, DOWN = 20 };            /* between panels */

typedef struct Panel {
    PlanFrame *frame;
    const char *title;  /* wrapped */
    int title_height;   /* with the heading above it */
    size_t row, column; /* of the grid */
    bool lowest;        /* below the others of its column, which need not be in the last row */
    bool begins;        /* a part that has a heading */
} Panel;

typedef struct PanelGrid {
    Plan *plan;
    Panel *panels;
    size_t count, columns, rows;
    bool one_frame; /* labels are at the left and at the bottom of each part alone */
    bool one_bar;
    Area area; /* of all */
} PanelGrid;

/* ---- sizes ---- */

/* Parts are below each other, with their panels in the same columns; each begins in a new row. */
static void find_places(PanelGrid *grid) {
    const Picture *picture = grid->plan->picture;
    for (size_t first = 0; first < grid->count;) {
        Picture part = panels_part(picture, first);
        grid->columns = larger(grid->columns, panels_columns(&part));
        first += part.panel_count;
    }
    for (size_t first = 0, count; first < grid->count; first += count) {
        count = panels_part(picture, first).panel_count;
        for (size_t i = 0; i < count; i++) {
            Panel *panel = &grid->panels[first + i];
            panel->row = grid->rows + i / grid->columns;
            panel->column = i % grid->columns;
            panel->lowest = i + grid->columns >= count;
        }
        grid->panels[first].begins = has_words(picture->panels[first].heading);
        grid->rows += divided_up(count, grid->columns);
    }
}

static void plan_panels(PanelGrid *grid) {
    Plan *plan = grid->plan;
    int side = (scaled(plan, CANVAS_MOST) - (int)grid->columns * ACROSS) / (int)grid->columns;
    side = larger_px(smaller_px(side, scaled(plan, SIDE_MOST)), scaled(plan, SIDE_LEAST));
    PanelStyle common = {
        .side_most = side, .titles = !grid->one_frame, .bar = !grid->one_bar, .colors_given = true};
    if (grid->one_bar) plan_common_style(&common, plan->picture);
    for (size_t i = 0; i < grid->count; i++) {
        Panel *panel = &grid->panels[i];
        PanelStyle style = common;
        panel->frame = &plan->frames[i];
        panel->frame->picture = &plan->picture->panels[i];
        bool cells = has_cells(panel->frame->picture);
        style.row_labels = !grid->one_frame || panel->column == 0;
        style.column_labels = !grid->one_frame || panel->lowest;
        if (cells && !grid->one_bar) style.colors = panel_bright_range(plan->picture, i);
        (cells ? plan_cells : plan_lines)(plan, panel->frame, &style);
    }
}

/* ---- positions ---- */

/* A column has room for the most that its panels take before, across and behind their areas. A
 * title continues in a new line where it is wider than its column. */
static void place_columns(PanelGrid *grid) {
    int x = 0;
    for (size_t c = 0; c < grid->columns; c++) {
        Area size = {.width = 0};
        for (size_t i = 0; i < grid->count; i++) {
            const Area *area = &grid->panels[i].frame->area;
            if (grid->panels[i].column != c) continue;
            size.before = larger_px(size.before, area->before);
            size.width = larger_px(size.width, area->width);
            size.behind = larger_px(size.behind, area->behind);
        }
        int width = size.before + size.width + size.behind;
        for (size_t i = 0; i < grid->count; i++) {
            Panel *panel = &grid->panels[i];
            Area *area = &panel->frame->area;
            if (panel->column != c) continue;
            area->left = x + size.before + (size.width - area->width) / 2;
            LocalText title = TEXT_EMPTY, clean = TEXT_FOR(&title);
            label_clean(&clean, panel->frame->picture->title);
            double ems = (double)(width + ACROSS / 2) / TEXT_PX;
            size_t lines = label_wrap(&title, &clean, ems, TITLE_LINES);
            panel->title = plan_keep(grid->plan, &title);
            panel->title_height = (lines ? (int)lines * TEXT_PX * 5 / 4 + TITLE_GAP : 0) +
                                  (panel->begins ? HEADING : 0);
        }
        x += width + (c + 1 < grid->columns ? ACROSS : 0);
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
            const Panel *panel = &grid->panels[i];
            title = larger_px(title, panel->title_height);
            height = larger_px(height, panel->frame->area.height);
            if (ends || !panel->lowest) below = larger_px(below, panel->frame->area.below);
        }
        for (size_t i = first; i < end; i++) grid->panels[i].frame->area.top = y + title;
        y += title + height + below + (row + 1 < grid->rows ? DOWN : 0);
    }
    grid->area.height = y;
}

/* Moves the panels to where the grid's area begins, with their titles. A heading is at the
 * left, above the title of the part's first panel. */
static void place_panels(PanelGrid *grid) {
    Plan *plan = grid->plan;
    for (size_t i = 0; i < grid->count; i++) {
        const Panel *panel = &grid->panels[i];
        Area *area = &panel->frame->area;
        PlanItems *titles = &panel->frame->titles;
        int heading = panel->begins ? HEADING : 0;
        area->left += grid->area.left;
        area->top += grid->area.top;
        if (*panel->title)
            plan_text(plan, titles, panel->title, 0, TEXT_PX, at_px(area->width / 2),
                      at_px(heading - panel->title_height + TEXT_PX / 2), SIDE_CENTRE);
        if (panel->begins)
            plan_text(plan, titles, panel->frame->picture->heading, grid->area.width, TITLE_PX,
                      at_px(grid->area.left - area->left),
                      at_px(TITLE_PX / 2 - panel->title_height), SIDE_LEFT);
    }
}

void plan_grid(Plan *plan) {
    const Picture *picture = plan->picture;
    PanelGrid grid = {.plan = plan,
                      .count = picture->panel_count,
                      .one_frame = panels_share_frames(picture),
                      .one_bar = panels_share_colors(picture)};
    grid.panels = arena_alloc(&plan->arena, grid.count * sizeof *grid.panels, NULL);
    if (!grid.panels) {
        plan->failed = true;
        return;
    }
    find_places(&grid);
    plan_panels(&grid);
    place_columns(&grid);
    place_rows(&grid);

    /* The parts that the panels share are around all of them. */
    const char *row_title = grid.one_frame ? picture->panels[0].row_title : NULL,
               *column_title = grid.one_frame ? picture->panels[0].column_title : NULL;
    PlanFrame *last_frame = grid.panels[grid.count - 1].frame;
    Area *whole = &grid.area;
    if (has_words(row_title)) whole->before = CELLS_TITLE;
    if (has_words(column_title)) whole->below = CELLS_TITLE;
    for (size_t i = 0; grid.one_bar && i < grid.count; i++) {
        last_frame->absent = last_frame->absent || grid.panels[i].frame->absent;
        last_frame->masked = last_frame->masked || grid.panels[i].frame->masked;
    }
    if (grid.one_bar) whole->behind = plan_bar_room(last_frame, whole->height);
    int width = plan_width(whole, 0);
    plan_canvas(plan, whole, 0, plan_title_lines(picture->title, width));
    plan_title(plan, NULL, picture->title, width);
    place_panels(&grid);

    /* The titles of axes that all share are in the middle of the cells, whatever is around these;
     * their bar begins at the first row's areas, and one that is higher than that of one picture
     * helps nobody. */
    const Area *first = &grid.panels[0].frame->area, *last = &last_frame->area,
               *right = &grid.panels[grid.columns - 1].frame->area;
    int bottom = last->top + last->height;
    plan_axis_title(plan, &plan->items, row_title, whole->left - CELLS_TITLE / 2,
                    (first->top + bottom) / 2, true);
    plan_axis_title(plan, &plan->items, column_title,
                    (first->left + right->left + right->width) / 2,
                    whole->top + whole->height + whole->below - 6, false);
    if (grid.one_bar)
        plan_add_bar(plan, last_frame, whole->left + whole->width - last->left,
                     first->top - last->top, smaller_px(bottom - first->top, BAR_MOST));
}

/* Each page is planned as if it were the picture; since all are alike, so are their canvases. */
void plan_film(Plan *plan) {
    const Picture *film = plan->picture;
    size_t pages = film->panel_count, page = film->panels[0].panel_count;
    PlanFrame *all = arena_alloc(&plan->arena, pages * page * sizeof *all, NULL);
    if (!all) {
        plan->failed = true;
        return;
    }
    for (size_t i = 0; i < pages; i++) {
        plan->picture = &film->panels[i];
        plan->frames = all + i * page;
        plan_grid(plan);
    }
    plan->picture = film;
    plan->frames = all;
    plan->frame_count = pages * page;
    plan->page = page;
    plan->animated = true;
}
