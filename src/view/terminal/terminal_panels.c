/* Several pictures in characters, each under its title: in colours as many beside each other as
 * show the most of all of them on one screen, in a text as many as fit into a line. What explains
 * all of them is written once, below. */
#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/terminal/terminal_heatmap.h"

#include <math.h>
#include <stdint.h>

enum { GAP = 3, ACROSS_MOST = 16, KEY_LINES = 3, CHART_WIDTH = 36, CHART_HEIGHT = 12 };
enum { NAMED_MOST = 4 };         /* more panels have numbers, and their key below */
enum { NAMES = 7, NUMBERS = 3 }; /* columns that the rows' names or numbers take, about */
enum { BARE_GAP = 1 };           /* between cells without anything around them */
enum { MAP_LEAST = 10 };         /* cells a side of a map among many */
enum { CELLS_LEAST = 8 };        /* with fewer a side nothing is seen: the screen scrolls */

/* A part of a grid. */
typedef struct Panels {
    Text *out;
    const Picture *whole, *picture; /* the grid, and its part */
    const Screen *screen;           /* for the part */
    bool colored;
    bool one_frame;     /* the panels have the same names */
    bool one_key;       /* in colours: one key explains the cells of the whole grid */
    bool named;         /* rows and columns have their names, not numbers */
    size_t layer;       /* the number of panels after which a new line begins in any case */
    size_t across, gap; /* beside each other */
    Screen place;       /* of one panel */
    Range colors;       /* of all panels, with one key */
    size_t page;        /* lines of the whole screen */
} Panels;

/* ---- how many beside each other ---- */

static size_t width_of(const Panels *panels, size_t across) {
    return left_of((panels->screen->columns + panels->gap) / across, panels->gap);
}

typedef struct Cells {
    size_t rows, columns;
} Cells;

static Cells cells_of(const Picture *panel) {
    return panel->kind == PICTURE_HEATMAP ? (Cells){panel->rows, panel->columns}
                                          : (Cells){CHART_HEIGHT, CHART_WIDTH};
}

static double part_of(size_t seen, size_t all) {
    return seen >= all ? 1 : (double)seen / (double)all;
}

/* The lines of a panel below its title, where all are to be on one screen; one is free between
 * panels. */
static size_t height_of(const Panels *panels, size_t across) {
    size_t count = panels->picture->panel_count,
           rows = count / panels->layer * divided_up(panels->layer, across) +
                  divided_up(count % panels->layer, across);
    size_t lines = left_of(panels->screen->lines + 1, panels->one_key ? KEY_LINES : 0);
    return left_of(lines / rows, 2);
}

/* The share of the panels' detail that is seen when so many are beside each other; 1: all of it. A
 * side counts as at most `side_most` cells. */
static double detail_seen(const Panels *panels, size_t across, size_t side_most) {
    size_t width = width_of(panels, across), height = height_of(panels, across);
    double least = 1;
    for (size_t i = 0; i < panels->picture->panel_count; i++) {
        const Picture *panel = &panels->picture->panels[i];
        Cells all = cells_of(panel), seen = {height, width};
        if (panel->kind == PICTURE_HEATMAP) {
            size_t lines = left_of(height, 1 + (panels->one_key ? 0 : KEY_LINES));
            seen.rows = panels->screen->utf8 ? 2 * lines : lines;
            seen.columns = left_of(width, panels->named ? NAMES : NUMBERS);
        }
        least = fmin(least, part_of(seen.rows, smaller(all.rows, side_most)));
        least = fmin(least, part_of(seen.columns, smaller(all.columns, side_most)));
    }
    return least;
}

/* The number beside each other that makes the rows of a layer about as long as each other. */
static size_t even_across(const Panels *panels, size_t fit) {
    return divided_up(panels->layer, divided_up(panels->layer, fit));
}

/* Small maps without numbers around them. Cells are taken together until a layer fits on a screen,
 * unless the maps would become too small to show a pattern; the largest of them represents them,
 * since means of a few large weights among many small ones would all be dark. */
static void plan_bare(Panels *panels, size_t most) {
    Cells all = {1, 1};
    size_t title = 1, columns = panels->screen->columns, upon = panels->screen->utf8 ? 2 : 1;
    for (size_t i = 0; i < panels->picture->panel_count; i++) {
        const Picture *panel = &panels->picture->panels[i];
        all.rows = larger(all.rows, panel->rows);
        all.columns = larger(all.columns, panel->columns);
        title = larger(title, label_width(&(Labels){&panel->title, 1}, 0, panels->screen->utf8));
    }
    bool fits = false, least = false;
    for (size_t together = 1; !fits && !least; together++) {
        size_t width = larger(divided_up(all.columns, together), title);
        panels->place.columns = smaller(width, columns);
        panels->place.lines = divided_up(divided_up(all.rows, together), upon);
        panels->across = even_across(
            panels, larger(1, smaller((columns + BARE_GAP) / (width + BARE_GAP), most)));
        size_t rows = divided_up(panels->layer, panels->across);
        fits = rows * (1 + panels->place.lines) <= panels->page;
        least = divided_up(larger(all.rows, all.columns), together + 1) < MAP_LEAST;
    }
    panels->place.bare = true;
    panels->gap = BARE_GAP;
}

/* Plans panels as wide and high as they like, those in colours at most a screen high; the screen
 * scrolls. */
static void plan_scrolling(Panels *panels, size_t most) {
    size_t columns = panels->screen->columns, width = 1, height = 1;
    bool layers = panels->picture->panel_columns > 0, utf8 = panels->screen->utf8;
    for (size_t i = 0; i < panels->picture->panel_count; i++) {
        const Picture *panel = &panels->picture->panels[i];
        bool heatmap = panel->kind == PICTURE_HEATMAP;
        Cells cells = cells_of(panel);
        size_t wide = cells.columns + (panels->named ? NAMES : NUMBERS),
               high = 1 + (panels->one_key ? 0 : KEY_LINES) +
                      (heatmap && utf8 ? (cells.rows + 1) / 2 : cells.rows);
        if (!panels->colored) wide = heatmap ? text_heatmap_natural(panel, utf8) : CHART_WIDTH;
        width = larger(width, wide);
        height = larger(height, smaller(high, panels->screen->lines));
    }
    size_t fit = larger(1, smaller((columns + GAP) / (width + GAP), most));
    if (panels->one_key && layers && fit < panels->layer) {
        plan_bare(panels, most);
        return;
    }
    panels->across = layers ? even_across(panels, fit) : fit;
    panels->place.lines = height;
    panels->place.columns = width_of(panels, panels->across);
}

static void plan_panels(Panels *panels) {
    const Picture *picture = panels->picture;
    panels->one_frame = panels_share_labels(picture);
    panels->one_key =
        panels->colored && panels_share_frames(panels->whole) && panels_share_colors(panels->whole);
    if (panels->one_key) panels->colors = panel_bright_range(panels->whole, 0);
    panels->gap = GAP;
    panels->layer = picture->panel_columns ? picture->panel_columns : picture->panel_count;
    panels->named = !panels->one_key || picture->panel_count <= NAMED_MOST;
    panels->place = *panels->screen;
    panels->place.panel = panels->one_key;

    size_t most = panels->colored ? picture->panel_columns : panels_columns(picture);
    most = smaller(smaller(most ? most : ACROSS_MOST, ACROSS_MOST), picture->panel_count);
    if (panels->colored) {
        /* All on one screen; of two ways that show as much, the one with more beside each other. */
        double best = -1;
        for (size_t across = 1; across <= most; across++) {
            double seen = detail_seen(panels, across, SIZE_MAX);
            if (seen < best) continue;
            best = seen;
            panels->across = across;
        }
        panels->place.lines = height_of(panels, panels->across);
        panels->place.columns = width_of(panels, panels->across);
    }
    if (!panels->colored || detail_seen(panels, panels->across, CELLS_LEAST) < 1)
        plan_scrolling(panels, most);
}

/* ---- drawing ---- */

static Picture panel_of(const Panels *panels, size_t i) {
    Picture panel = panels->picture->panels[i];
    if (!panels->named) panel.row_labels = panel.column_labels = (Labels){NULL, 0};
    return panel;
}

static void write_panel(const Panels *panels, size_t i, Text *block) {
    Picture panel = panel_of(panels, i);
    size_t columns = panels->place.columns;
    bool utf8 = panels->screen->utf8;
    if (panels->colored) { /* the title is cut to one line, as the screen is counted out */
        LocalText clean = TEXT_FOR(block);
        label_for_terminal(&clean, panel.title, utf8);
        size_t width = utf8_width(clean.data, clean.length);
        if (width) label_fit(block, &clean, smaller(width, columns), false, utf8);
        text_char(block, '\n');
    } else {
        terminal_title(block, panel.title, columns, utf8);
    }
    if (panel.kind != PICTURE_HEATMAP || (panels->colored && !has_cells(&panel))) {
        terminal_lines(block, &panel, &panels->place);
    } else if (panels->colored) {
        /* Panels that mean the same look the same. */
        Range colors = panels->one_key ? panels->colors : panel_bright_range(panels->picture, i);
        Screen place = panels->place;
        place.colors = &colors;
        terminal_heatmap(block, &panel, &place, &place,
                         panels->one_key ? HEATMAP_CELLS : HEATMAP_WHOLE);
    } else {
        text_heatmap_cells(block, &panel, columns, utf8);
        if (!panels->one_frame) text_heatmap_names(block, &panel, columns, columns, utf8);
        if (!panels_are_heatmaps(panels->picture))
            text_heatmap_shades(block, &panel, NULL, columns, columns, utf8);
    }
}

/* ---- what explains all of them ---- */

/* Names the numbers at the panels' rows and columns: "queries and keys: 0 the, 1 cat". */
static void write_names(const Panels *panels) {
    const Picture *first = &panels->picture->panels[0];
    const char *rows = has_words(first->row_title) ? first->row_title : "rows",
               *columns = has_words(first->column_title) ? first->column_title : "columns";
    bool alike = panels_axes_are_alike(first);
    LocalText title = TEXT_FOR(panels->out);
    if (alike) text_format(&title, "%s and ", rows);
    text_string(&title, columns);
    if (first->column_labels.items)
        heatmap_write_names(panels->out, title.data, &first->column_labels, first->columns,
                            panels->screen);
    if (first->row_labels.items && !alike)
        heatmap_write_names(panels->out, rows, &first->row_labels, first->rows, panels->screen);
}

/* The panel that a key is written from, of [first, end) that look alike: one with masked cells, if
 * there is any, so that the key names these. */
static size_t explained_by(const Picture *panels, size_t first, size_t end) {
    size_t i = first;
    while (i < end && !panels[i].hidden) i++;
    return i < end ? i : first;
}

/* Says what shades mean: a line for each panels in a row whose shades mean the same. */
static void write_shades(const Panels *panels) {
    const Picture *all = panels->whole->panels;
    bool one_range = panels_share_colors(panels->whole);
    LocalText names = TEXT_FOR(panels->out);
    for (size_t first = 0, next = 0; first < panels->whole->panel_count; first = next) {
        text_clear(&names);
        for (; next < panels->whole->panel_count &&
               (next == first || panels_are_colored_alike(&all[first], &all[next]));
             next++) {
            if (names.length) text_string(&names, ", ");
            label_clean(&names, all[next].title);
        }
        text_heatmap_shades(panels->out, &all[explained_by(all, first, next)],
                            one_range ? NULL : names.data, panels->place.columns,
                            panels->screen->columns, panels->screen->utf8);
    }
}

/* Writes the colours below the last part, unless the cells of another show several, too. */
static void write_key(const Panels *panels, bool last) {
    if (panels->one_key) {
        const Picture *part = panels->picture;
        Picture first = panel_of(panels, explained_by(part->panels, 0, part->panel_count));
        Screen place = panels->place;
        CellLayout layout = cell_layout(&first, &place);
        place.colors = &panels->colors;
        if (last || cell_layout_averages(&layout))
            terminal_heatmap(panels->out, &first, &place, panels->screen, HEATMAP_KEY);
        if (!panels->named) write_names(panels);
    } else if (!panels->colored) {
        if (panels->one_frame)
            text_heatmap_names(panels->out, &panels->picture->panels[0], panels->place.columns,
                               panels->screen->columns, panels->screen->utf8);
        if (last && panels_are_heatmaps(panels->whole)) write_shades(panels);
    }
}

static void write_part(Panels *panels) {
    size_t count = panels->picture->panel_count;
    for (size_t first = 0, next; first < count && !panels->out->failed; first = next) {
        size_t end = smaller(count, (first / panels->layer + 1) * panels->layer);
        next = smaller(end, first + panels->across);
        if (first > 0 && !panels->place.bare) text_char(panels->out, '\n');

        Text blocks[ACROSS_MOST];
        size_t beside = next - first;
        for (size_t i = 0; i < beside; i++) {
            text_init(&blocks[i]);
            write_panel(panels, first + i, &blocks[i]);
        }
        side_by_side(panels->out, blocks, beside, panels->gap, panels->screen->columns);
        for (size_t i = 0; i < beside; i++) text_release_for(&blocks[i], panels->out);
    }
}

void terminal_panels(Text *out, const Picture *picture, const Screen *screen) {
    size_t parts = 0;
    for (size_t first = 0; first < picture->panel_count; parts++)
        first += panels_part(picture, first).panel_count;
    for (size_t first = 0, next; first < picture->panel_count && !out->failed; first = next) {
        Picture part = panels_part(picture, first);
        Screen place = *screen;
        place.lines /= parts;
        Panels panels = {.out = out,
                         .whole = picture,
                         .picture = &part,
                         .screen = &place,
                         .colored = screen->color != COLOR_NONE,
                         .page = screen->lines,
                         .across = 1};
        plan_panels(&panels);
        next = first + part.panel_count;
        if (first > 0) text_char(out, '\n');
        terminal_title(out, part.panels[0].heading, screen->columns, screen->utf8);
        write_part(&panels);
        write_key(&panels, next == picture->panel_count);
    }
}
