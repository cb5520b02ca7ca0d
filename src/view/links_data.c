#include "view/links_data.h"

#include "base/memory.h"
#include "view/panels.h"

#include <stdlib.h>

enum { LINKS_FEW = 12 };

/* ---- which weights are links ---- */

/* The number of queries whose weights may be links. */
static size_t queries_of(const Picture *picture) {
    return picture->one_query ? 1 : picture->panel_count ? picture->panels[0].rows : 0;
}

/* Finds the next weight that is above 0 and reaches the threshold, from number *next on (at first
 * 0), head by head. False: there is none. */
static bool next_link(const Picture *picture, double threshold, size_t *next, Link *link) {
    size_t first = picture->one_query ? picture->query : 0, queries = queries_of(picture);
    size_t cells = picture->panel_count ? queries * picture->panels[0].columns : 0;
    for (; *next < cells * picture->panel_count; ++*next) {
        const Picture *head = &picture->panels[*next / cells];
        size_t cell = first * head->columns + *next % cells;
        double weight = head->cells[cell];
        if (cell_is_hidden(head, cell) || !(weight > 0) || weight < threshold) continue;
        *link = (Link){*next / cells, cell / head->columns, cell % head->columns, weight};
        ++*next;
        return true;
    }
    return false;
}

size_t links_count(const Picture *picture, double threshold) {
    Link link;
    size_t count = 0;
    for (size_t next = 0; next_link(picture, threshold, &next, &link);) count++;
    return count;
}

double links_heaviest(const Picture *picture) {
    Link link;
    double most = 0;
    for (size_t next = 0; next_link(picture, most, &next, &link);) most = link.weight;
    return most;
}

double links_readable_threshold(const Picture *picture) {
    static const double round[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15,
                                   0.2,   0.25,  0.3,   0.4,  0.5,  0.6,  0.7,  0.8,  0.9};
    enum { ROUND = sizeof round / sizeof *round, USUAL = 6 };
    size_t most = queries_of(picture) * (2 + picture->panel_count / 4),
           i = picture->one_query ? 0 : USUAL;
    if (most < LINKS_FEW) most = LINKS_FEW;
    while (i > 0 && links_count(picture, round[i]) == 0) i--;
    while (i + 1 < ROUND && links_count(picture, round[i]) > most &&
           links_count(picture, round[i + 1]) > 0)
        i++;
    return round[i];
}

/* ---- the links themselves ---- */

static int compare(size_t a, size_t b) { return (a > b) - (a < b); }

static int by_place(const Link *a, const Link *b) {
    if (a->head != b->head) return compare(a->head, b->head);
    return a->query != b->query ? compare(a->query, b->query) : compare(a->key, b->key);
}

static int by_weight(const void *left, const void *right) {
    const Link *a = left, *b = right;
    if (a->weight != b->weight) return a->weight < b->weight ? -1 : 1;
    return by_place(a, b);
}

static int by_query(const void *left, const void *right) {
    const Link *a = left, *b = right;
    if (a->head == b->head && a->query == b->query && a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return by_place(a, b);
}

bool links_init(Links *links, const Picture *picture) {
    size_t count = links_count(picture, picture->threshold);
    /* The upper end of the range that the picture asks for, or half of it where no weight is above
     * that: among many keys most weights are small. */
    double high = picture->panel_count ? heatmap_range(&picture->panels[0]).high : 1;
    *links = (Links){.full = links_heaviest(picture) < high / 2 ? high / 2 : high};
    links->items = mem_zeroed(count + 1, sizeof *links->items, NULL);
    if (!links->items) return false;
    Link *item = links->items; /* the last has room behind it */
    for (size_t next = 0; next_link(picture, picture->threshold, &next, item);) item++;
    qsort(links->items, count, sizeof *links->items, by_weight);
    links->count = count;
    return true;
}

void links_release(Links *links) {
    mem_free(links->items);
    links->items = NULL;
}

void links_sort_for_reading(Links *links) {
    if (links->count) qsort(links->items, links->count, sizeof *links->items, by_query);
}

double link_strength(const Links *links, const Link *link) {
    double strength = links->full > 0 ? link->weight / links->full : 1;
    return strength < 1 ? strength : 1;
}
