/* Several pictures in a terminal's colours: as many beside each other as show the most of all of
 * them on one screen, each under its title; what explains all of them stands once below. */
#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/terminal/side_by_side.h"
#include "view/terminal/terminal_heading.h"

#include <math.h>
#include <stdint.h>

enum {
    GAP = 3,
    ACROSS_MOST = 8,
    NAMED_MOST = 4, /* more panels have numbers, and their key below */
    NAMES = 7,
    NUMBERS = 3, /* columns that the rows' names or numbers take, about */
    KEY_LINES = 3,
    CELLS_LEAST = 8, /* with fewer a side nothing is seen: the screen scrolls */
    CHART_WIDTH = 36,
    CHART_HEIGHT = 12,
};

typedef struct Panels {
    Text *out;
    const Picture *picture;
    const Screen *screen;
    size_t across; /* beside each other */
    Screen place;  /* of one panel */
    bool one_key, named;
    Range colors; /* of all panels, with one key */
} Panels;

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t left_of(size_t whole, size_t taken) { return whole > taken ? whole - taken : 0; }

/* ---- how many beside each other ---- */

static size_t width_of(const Panels *panels, size_t across) {
    return left_of((panels->screen->columns + GAP) / across, GAP);
}

/* Lines of a panel below its title, where all are to stand on one screen; one is free between
 * panels. */
static size_t height_of(const Panels *panels, size_t across) {
    size_t rows = (panels->picture->panel_count + across - 1) / across;
    size_t lines = left_of(panels->screen->lines + 1, panels->one_key ? KEY_LINES : 0);
    return left_of(lines / rows, 2);
}

typedef struct Cells {
    size_t rows, columns;
} Cells;

/* How many cells can be seen of a panel in a place; of a chart: characters. */
static Cells cells_in(const Panels *panels, const Picture *panel, size_t width, size_t height) {
    if (panel->kind != PICTURE_HEATMAP) return (Cells){height, width};
    size_t lines = left_of(height, 1 + (panels->one_key ? 0 : KEY_LINES));
    return (Cells){panels->screen->utf8 ? 2 * lines : lines,
                   left_of(width, panels->named ? NAMES : NUMBERS)};
}

static Cells cells_of(const Picture *panel) {
    return panel->kind == PICTURE_HEATMAP ? (Cells){panel->rows, panel->columns}
                                          : (Cells){CHART_HEIGHT, CHART_WIDTH};
}

static double part_of(size_t seen, size_t all) {
    return seen >= all ? 1 : (double)seen / (double)all;
}

/* How much of the panels' detail is seen, 1: all of it. `of` at most so many cells a side. */
static double detail(const Panels *panels, size_t across, size_t of) {
    double least = 1;
    for (size_t i = 0; i < panels->picture->panel_count; i++) {
        const Picture *panel = &panels->picture->panels[i];
        Cells seen = cells_in(panels, panel, width_of(panels, across), height_of(panels, across)),
              all = cells_of(panel);
        least = fmin(least, fmin(part_of(seen.rows, smaller(all.rows, of)),
                                 part_of(seen.columns, smaller(all.columns, of))));
    }
    return least;
}

static size_t most_across(const Panels *panels) {
    size_t most = panels->picture->panel_columns ? panels->picture->panel_columns : ACROSS_MOST;
    return smaller(smaller(most, ACROSS_MOST), panels->picture->panel_count);
}

/* Of two that show as much, the one with more beside each other. */
static void fit_screen(Panels *panels) {
    double best = -1;
    for (size_t across = 1; across <= most_across(panels); across++) {
        double seen = detail(panels, across, SIZE_MAX);
        if (seen >= best) best = seen, panels->across = across;
    }
    panels->place.lines = height_of(panels, panels->across);
}

/* As high as its cells want, and at most a screen. */
static size_t natural_height(const Panels *panels, const Picture *panel) {
    size_t rows = cells_of(panel).rows, lines = 1 + (panels->one_key ? 0 : KEY_LINES);
    if (panel->kind == PICTURE_HEATMAP && panels->screen->utf8) rows = (rows + 1) / 2;
    return smaller(lines + rows, panels->screen->lines);
}

static void fit_width(Panels *panels) {
    size_t natural = 1, height = 1;
    for (size_t i = 0; i < panels->picture->panel_count; i++) {
        const Picture *panel = &panels->picture->panels[i];
        size_t width = cells_of(panel).columns + (panels->named ? NAMES : NUMBERS),
               lines = natural_height(panels, panel);
        if (width > natural) natural = width;
        if (lines > height) height = lines;
    }
    panels->across =
        smaller((panels->screen->columns + GAP) / (natural + GAP), most_across(panels));
    if (panels->across == 0) panels->across = 1;
    panels->place.lines = height;
}

/* ---- the whole ---- */

static void plan(Panels *panels) {
    const Picture *picture = panels->picture;
    panels->one_key = panels_share_labels(picture) && panels_share_colors(picture);
    if (panels->one_key) panels->colors = panel_bright_range(picture, 0);
    panels->named = !panels->one_key || picture->panel_count <= NAMED_MOST;
    panels->place = *panels->screen;
    panels->place.panel = panels->one_key;
    fit_screen(panels);
    if (detail(panels, panels->across, CELLS_LEAST) < 1) fit_width(panels);
    panels->place.columns = width_of(panels, panels->across);
}

/* ---- drawing ---- */

static Picture panel_of(const Panels *panels, size_t i) {
    Picture panel = panels->picture->panels[i];
    if (panels->named) return panel;
    panel.row_labels = panel.column_labels = (Labels){NULL, 0};
    return panel;
}

static void write_title(const Panels *panels, const char *title, Text *block) {
    Text clean;
    text_init(&clean);
    label_for_terminal(&clean, title, panels->screen->utf8);
    size_t width = utf8_width(clean.data, clean.length);
    if (width)
        label_fit(block, &clean, smaller(width, panels->place.columns), false,
                  panels->screen->utf8);
    text_char(block, '\n');
    if (clean.failed) block->failed = true;
    text_release(&clean);
}

/* The screen of a panel's cells: those that mean the same look the same. */
static Screen place_of(const Panels *panels, size_t i, Range *colors) {
    Screen place = panels->place;
    *colors = panels->one_key ? panels->colors : panel_bright_range(panels->picture, i);
    place.colors = colors;
    return place;
}

static void write_panel(const Panels *panels, size_t i, Text *block) {
    Picture panel = panel_of(panels, i);
    Range colors;
    write_title(panels, panel.title, block);
    if (!has_cells(&panel)) {
        terminal_lines(block, &panel, &panels->place);
    } else {
        Screen place = place_of(panels, i, &colors);
        (panels->one_key ? terminal_heatmap_cells : terminal_heatmap)(block, &panel, &place);
    }
    if (block->failed) panels->out->failed = true;
}

static void write_row(const Panels *panels, size_t first) {
    Text blocks[ACROSS_MOST];
    size_t count = smaller(panels->picture->panel_count - first, panels->across);
    for (size_t i = 0; i < count; i++) {
        text_init(&blocks[i]);
        write_panel(panels, first + i, &blocks[i]);
    }
    side_by_side(panels->out, blocks, count, GAP, panels->screen->columns);
    for (size_t i = 0; i < count; i++) text_release(&blocks[i]);
}

static const char *title_or(const char *title, const char *otherwise) {
    return has_words(title) ? title : otherwise;
}

/* What the numbers at the panels' rows and columns stand for: "queries and keys: 0 the, 1 cat". */
static void write_names(const Panels *panels) {
    Picture first = panels->picture->panels[0];
    const char *rows = title_or(first.row_title, "rows"),
               *columns = title_or(first.column_title, "columns");
    bool alike = panels_axes_are_alike(&first);
    Text title;
    text_init(&title);
    if (alike) text_format(&title, "%s and ", rows);
    text_string(&title, columns);
    first.column_title = title.data;
    if (first.column_labels.items) heading_write_names(panels->out, &first, panels->screen);
    first.column_labels = first.row_labels;
    first.columns = first.rows;
    first.column_title = rows;
    if (first.row_labels.items && !alike) heading_write_names(panels->out, &first, panels->screen);
    if (title.failed) panels->out->failed = true;
    text_release(&title);
}

static void write_key(const Panels *panels) {
    Picture first = panel_of(panels, 0);
    Range colors;
    Screen place = place_of(panels, 0, &colors);
    terminal_heatmap_key(panels->out, &first, &place, panels->screen);
    if (!panels->named) write_names(panels);
}

void terminal_panels(Text *out, const Picture *picture, const Screen *screen) {
    Panels panels = {.out = out, .picture = picture, .screen = screen, .across = 1};
    if (picture->panel_count == 0) return;
    plan(&panels);
    for (size_t i = 0; i < picture->panel_count && !out->failed; i += panels.across) {
        if (i > 0) text_char(out, '\n');
        write_row(&panels, i);
    }
    if (panels.one_key) write_key(&panels);
}
