#include "view/panels.h"

#include <math.h>
#include <string.h>

enum { ROW_MOST = 3 /* so few are always in one row */ };

Picture panels_part(const Picture *grid, size_t first) {
    Picture part = *grid;
    part.title = NULL;
    part.panels += first;
    part.panel_count = 1;
    while (first + part.panel_count < grid->panel_count && !part.panels[part.panel_count].heading)
        part.panel_count++;
    return part;
}

/* Makes a rectangle that is wider than high, with few cells left empty. */
size_t panels_columns(const Picture *grid) {
    size_t count = grid->panel_count, best;
    if (grid->panel_columns) return grid->panel_columns < count ? grid->panel_columns : count;
    if (count <= ROW_MOST) return count ? count : 1;
    best = (size_t)ceil(sqrt((double)count));
    for (size_t columns = best + 1; columns * 2 <= best * 3; columns++) {
        size_t empty = (columns - count % columns) % columns, fewest = (best - count % best) % best;
        if (empty < fewest) best = columns;
    }
    return best;
}

bool panels_are_heatmaps(const Picture *grid) {
    for (size_t i = 0; i < grid->panel_count; i++)
        if (!has_cells(&grid->panels[i])) return false;
    return grid->panel_count > 0;
}

static bool same_text(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

static bool same_labels(const Labels *a, const Labels *b) {
    if (a->items == b->items) return a->count == b->count || !a->items;
    if (!a->items || !b->items || a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i], b->items[i]) != 0) return false;
    return true;
}

static bool same_titles(const Picture *a, const Picture *b) {
    return same_text(a->row_title, b->row_title) && same_text(a->column_title, b->column_title);
}

static bool same_frame(const Picture *a, const Picture *b) {
    return a->rows == b->rows && a->columns == b->columns &&
           same_labels(&a->row_labels, &b->row_labels) &&
           same_labels(&a->column_labels, &b->column_labels) && same_titles(a, b);
}

bool panels_share_labels(const Picture *grid) {
    if (!panels_are_heatmaps(grid)) return false;
    for (size_t i = 1; i < grid->panel_count; i++)
        if (!same_frame(&grid->panels[0], &grid->panels[i])) return false;
    return true;
}

bool panels_share_frames(const Picture *grid) {
    for (size_t first = 0; first < grid->panel_count;) {
        Picture part = panels_part(grid, first);
        if (!panels_share_labels(&part) || !same_titles(&grid->panels[0], &part.panels[0]))
            return false;
        first += part.panel_count;
    }
    return grid->panel_count > 0;
}

bool panels_axes_are_alike(const Picture *heatmap) {
    return heatmap->rows == heatmap->columns &&
           same_labels(&heatmap->row_labels, &heatmap->column_labels);
}

Range heatmap_range(const Picture *picture) {
    bool centred = palette_is_centred(palette_of(picture->palette));
    return range_of_colors(picture->cells, picture->hidden, picture->rows * picture->columns,
                           picture->low, picture->high, centred);
}

bool panels_are_colored_alike(const Picture *one, const Picture *other) {
    Range a = heatmap_range(one), b = heatmap_range(other);
    return a.low == b.low && a.high == b.high &&
           palette_of(one->palette) == palette_of(other->palette);
}

bool panels_share_colors(const Picture *grid) {
    if (!panels_are_heatmaps(grid)) return false;
    for (size_t i = 1; i < grid->panel_count; i++)
        if (!panels_are_colored_alike(&grid->panels[0], &grid->panels[i])) return false;
    return true;
}

Range panel_bright_range(const Picture *grid, size_t panel) {
    const Picture *one = &grid->panels[panel];
    Range range = heatmap_range(one);
    if (palette_is_centred(palette_of(one->palette))) return range;
    double highest = -(double)INFINITY;
    for (size_t i = 0; i < grid->panel_count; i++) {
        const Picture *other = &grid->panels[i];
        if (other->kind == PICTURE_HEATMAP && panels_are_colored_alike(one, other))
            highest = fmax(
                highest, range_of(other->cells, other->hidden, other->rows * other->columns).high);
    }
    bool dark = highest > range.low && highest < range.low + (range.high - range.low) / 2;
    return dark ? (Range){range.low, highest} : range;
}

Range heatmap_bright_range(const Picture *picture) {
    Picture alone = {.kind = PICTURE_GRID, .panels = picture, .panel_count = 1};
    return panel_bright_range(&alone, 0);
}
