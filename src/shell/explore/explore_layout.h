/* explore: lays out a screen of some size. Pure numbers: nothing is drawn here. */
#ifndef ATTN_SHELL_EXPLORE_LAYOUT_H
#define ATTN_SHELL_EXPLORE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* The things to show, and the room for them. */
typedef struct ExploreSize {
    size_t columns, rows; /* of the screen */
    size_t queries, keys;
    size_t query, key;             /* the selected cell: always in sight */
    size_t query_width, key_width; /* of the widest label */
    bool zoomed; /* numbers where there would be none, and none where there would be */
} ExploreSize;

typedef struct ExploreArea {
    size_t row, column, rows, columns; /* no rows or no columns: it is left out */
} ExploreArea;

/* The form of the entropy beside the rows of the heatmap. */
typedef enum EntropyForm { ENTROPY_NONE, ENTROPY_NUMBER, ENTROPY_CEILING, ENTROPY_BAR } EntropyForm;
enum { ENTROPY_DIGITS = 5, ENTROPY_BAR_WIDTH = 10 }; /* columns of a number, of the bar */

typedef struct ExploreLayout {
    ExploreArea title, heat, part, working, list, message, keys;
    /* heat: a line of labels, then a row for each query: mark, label, cells, entropy */
    size_t label_width, cell_width;
    size_t decimals; /* of the numbers in the cells; 0: none */
    bool bare;       /* .12 for 0.12 */
    size_t first_query, shown_queries, first_key, shown_keys;
    EntropyForm entropy;
} ExploreLayout;

/* layout: all 0 at first, then the one of before: what can keep its position keeps it. */
void explore_layout(ExploreLayout *layout, const ExploreSize *size);

/* Moves a window of `shown` things out of `count`, which began at `first`, as little as brings
 * `selected` into it. Returns where it begins. */
size_t explore_window(size_t first, size_t shown, size_t count, size_t selected);

bool area_is_there(const ExploreArea *area);
size_t explore_cells_column(
    const ExploreLayout *layout); /* of the screen, where the first cell begins */
size_t explore_entropy_column(const ExploreLayout *layout);

#endif
