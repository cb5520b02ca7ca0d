#include "shell/explore/explore_layout.h"

#include "base/size.h"

enum { MARK = 1, GAP = 2, LABEL_MOST = 16, CELL_LEAST = 2, CELL_MOST = 12 }; /* columns */
/* Columns of a screen, and of a panel, that are side by side; of a panel that is cut in two. */
enum { BESIDE_LEAST = 110, PANEL_LEAST = 50, SPLIT_LEAST = 72 };
enum { WORKING_LEAST = 7, WORKING_MOST = 15, LIST_LEAST = 4, HEAT_LEAST = 4 }; /* lines */

bool area_is_there(const ExploreArea *area) { return area->rows > 0 && area->columns > 0; }

/* ---- across the heatmap ---- */

static size_t entropy_width(EntropyForm form) {
    switch (form) {
    case ENTROPY_NONE: return 0;
    case ENTROPY_NUMBER: return GAP + ENTROPY_DIGITS;
    case ENTROPY_CEILING:
        return GAP + ENTROPY_DIGITS + 4 + ENTROPY_DIGITS; /* " of " between them */
    default: return GAP + ENTROPY_DIGITS + 1 + ENTROPY_BAR_WIDTH + 1 + ENTROPY_DIGITS;
    }
}

size_t explore_cells_column(const ExploreLayout *layout) {
    return layout->heat.column + MARK + layout->label_width + 1;
}

size_t explore_entropy_column(const ExploreLayout *layout) {
    return explore_cells_column(layout) + layout->shown_keys * layout->cell_width + 1 + GAP;
}

/* One way to show the cells, from the best down. */
typedef struct CellForm {
    size_t decimals;
    bool bare;
    size_t least; /* columns of a cell */
    EntropyForm entropy;
} CellForm;

static const CellForm forms[] = {
    {3, false, 6, ENTROPY_BAR},     {2, false, 5, ENTROPY_BAR},    {3, false, 6, ENTROPY_CEILING},
    {2, false, 5, ENTROPY_CEILING}, {3, false, 6, ENTROPY_NUMBER}, {2, false, 5, ENTROPY_NUMBER},
    {2, true, 4, ENTROPY_NUMBER},   {0, false, 2, ENTROPY_BAR},    {0, false, 2, ENTROPY_CEILING},
    {0, false, 2, ENTROPY_NUMBER},  {0, false, 2, ENTROPY_NONE},
};
enum { FORMS = sizeof forms / sizeof *forms, FIRST_BARE_FORM = 7 };

/* The room for cells, with the column behind them where the mark of the selected one may end. */
static size_t room_for_cells(const ExploreLayout *layout, size_t columns, const CellForm *form) {
    return left_of(columns, MARK + layout->label_width + 1 + 1 + entropy_width(form->entropy));
}

/* The first of the forms from `first` on in which all keys fit; NULL when there is none. */
static const CellForm *fitting_form(const ExploreLayout *layout, const ExploreSize *size,
                                    size_t columns, int first) {
    for (int i = first; i < FORMS; i++)
        if (size->keys * forms[i].least <= room_for_cells(layout, columns, &forms[i]))
            return &forms[i];
    return NULL;
}

/* Chooses the form of the cells, and how many of them are in sight. */
static void lay_columns(ExploreLayout *layout, const ExploreSize *size, size_t columns) {
    static const CellForm scrolled = {0, false, 2, ENTROPY_NUMBER},
                          narrow = {0, false, 2, ENTROPY_NONE},
                          numbers = {2, false, 5, ENTROPY_NUMBER};
    layout->label_width = larger(1, smaller(smaller(size->query_width, LABEL_MOST), columns / 5));
    const CellForm *form = fitting_form(layout, size, columns, 0);
    bool numbered = form && form < &forms[FIRST_BARE_FORM];
    if (size->zoomed && numbered) form = fitting_form(layout, size, columns, FIRST_BARE_FORM);
    else if (size->zoomed) form = &numbers;
    if (!form) form = columns < 30 ? &narrow : &scrolled;

    size_t room = room_for_cells(layout, columns, form),
           wanted = smaller(larger(form->least + 2, size->key_width + 1), CELL_MOST);
    layout->decimals = form->decimals;
    layout->bare = form->bare;
    layout->entropy = form->entropy;
    layout->shown_keys = larger(1, smaller(size->keys, room / form->least));
    layout->cell_width = larger(CELL_LEAST, smaller(wanted, room / layout->shown_keys));
}

/* ---- down the heatmap ---- */

size_t explore_window(size_t first, size_t shown, size_t count, size_t selected) {
    if (selected < first) first = selected;
    if (selected >= first + shown) first = selected + 1 - shown;
    return smaller(first, left_of(count, shown));
}

/* Lays out the rows: the labels above, and below, where not all is in sight, a line that says which
 * part is. */
static void lay_rows(ExploreLayout *layout, const ExploreSize *size, size_t rows) {
    bool part = size->queries + 1 > rows || layout->shown_keys < size->keys;
    size_t lines = part && rows > 2 ? rows - 1 : rows;
    layout->shown_queries = larger(1, smaller(size->queries, left_of(lines, 1)));
    layout->heat.rows = smaller(rows, layout->shown_queries + 1);
    layout->part = (ExploreArea){layout->heat.row + layout->heat.rows, layout->heat.column,
                                 lines < rows, layout->heat.columns};
    layout->first_query =
        explore_window(layout->first_query, layout->shown_queries, size->queries, size->query);
    layout->first_key =
        explore_window(layout->first_key, layout->shown_keys, size->keys, size->key);
}

/* ---- the panels ---- */

/* The heatmap at the left takes no more columns than it needs; working and list are at its right,
 * one below the other. */
static void lay_beside(ExploreLayout *layout, const ExploreSize *size, ExploreArea body) {
    layout->heat = body;
    layout->heat.columns = /* up to the entropies, and these with the gap before them */
        explore_entropy_column(layout) - GAP - body.column + entropy_width(layout->entropy);
    lay_rows(layout, size, body.rows);
    size_t taken = layout->heat.columns + GAP;
    ExploreArea panel = {body.row, body.column + taken, body.rows, left_of(body.columns, taken)};
    layout->working = layout->list = panel;
    layout->working.rows =
        smaller(smaller(WORKING_MOST, panel.rows), larger(WORKING_LEAST, panel.rows / 2));
    layout->list.row += layout->working.rows + 1;
    layout->list.rows = left_of(panel.rows, layout->working.rows + 1);
    if (layout->list.rows >= LIST_LEAST) return;
    layout->list.rows = 0;
    layout->working = panel;
}

/* The heatmap above gets what the working leaves, but more than half of the lines where it needs
 * them. Below it working and list are side by side where it is wide enough for that, else the list
 * below the working where there are lines for it. */
static void lay_below(ExploreLayout *layout, const ExploreSize *size, ExploreArea body) {
    size_t wanted = size->queries + 1 + (layout->shown_keys < size->keys),
           most = larger(left_of(body.rows, WORKING_LEAST + 1), (body.rows + 1) / 2);
    layout->heat = body;
    lay_rows(layout, size, smaller(wanted, larger(smaller(HEAT_LEAST, body.rows), most)));
    size_t taken = layout->heat.rows + layout->part.rows, left = body.rows - taken,
           gap = left > WORKING_LEAST;
    if (left <= 1) return;
    ExploreArea panel = {body.row + taken + gap, body.column, left - gap, body.columns};
    layout->working = panel;
    if (panel.columns >= SPLIT_LEAST) {
        layout->working.columns = panel.columns * 11 / 20;
        layout->list = panel;
        layout->list.column += layout->working.columns + GAP;
        layout->list.columns -= layout->working.columns + GAP;
        return;
    }
    size_t lines = larger(WORKING_LEAST, smaller(WORKING_MOST, panel.rows / 2));
    if (panel.rows < lines + 1 + LIST_LEAST) return;
    layout->working.rows = lines;
    layout->list =
        (ExploreArea){panel.row + lines + 1, panel.column, panel.rows - lines - 1, panel.columns};
}

/* True if the panels fit beside the heatmap without costing the cells their numbers. */
static bool stands_beside(const ExploreLayout *layout, const ExploreSize *size, ExploreArea body) {
    if (body.columns < BESIDE_LEAST) return false;
    ExploreLayout beside = *layout, below = *layout;
    lay_columns(&beside, size, body.columns - PANEL_LEAST);
    lay_columns(&below, size, body.columns);
    if (beside.shown_keys < size->keys && below.shown_keys > beside.shown_keys) return false;
    bool all_below = size->queries + 1 + WORKING_LEAST < body.rows;
    return beside.decimals > 0 || below.decimals == 0 || !all_below;
}

/* ---- the whole ---- */

void explore_layout(ExploreLayout *layout, const ExploreSize *size) {
    size_t first_query = layout->first_query, first_key = layout->first_key;
    *layout = (ExploreLayout){.first_query = first_query, .first_key = first_key};
    /* These lines are kept whether needed or not, so that nothing jumps. */
    size_t keys = size->rows >= 6, message = size->rows >= 5, title = size->rows >= 4;
    if (size->rows >= 20 && size->columns < BESIDE_LEAST) title = 2;
    layout->title = (ExploreArea){0, 0, title, size->columns};
    layout->message = (ExploreArea){left_of(size->rows, keys + message), 0, message, size->columns};
    layout->keys = (ExploreArea){left_of(size->rows, keys), 0, keys, size->columns};
    ExploreArea body = {title, 0, left_of(size->rows, title + message + keys), size->columns};
    bool beside = stands_beside(layout, size, body);
    lay_columns(layout, size, beside ? body.columns - PANEL_LEAST : body.columns);
    if (beside) lay_beside(layout, size, body);
    else lay_below(layout, size, body);
}
