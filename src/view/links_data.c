#include "view/links_data.h"

#include "base/memory.h"
#include "view/panels.h"

#include <stdlib.h>

enum { LINKS_FEW = 12 };

/* ---- which weights are links ---- */

typedef struct Rows {
    size_t begin, end;
} Rows;

static Rows rows_of(const Picture *picture) {
    if (picture->one_query) return (Rows){picture->query, picture->query + 1};
    return (Rows){0, picture->panel_count ? picture->panels[0].rows : 0};
}

/* The weight of a cell; 0 where it is hidden or no number. */
static double weight_at(const Picture *head, size_t cell) {
    double weight = head->cells[cell];
    return (head->hidden && head->hidden[cell]) || !(weight > 0) ? 0 : weight;
}

static bool reaches(double weight, double threshold) { return weight > 0 && weight >= threshold; }

size_t links_count(const Picture *picture, double threshold) {
    Rows rows = rows_of(picture);
    size_t count = 0;
    for (size_t h = 0; h < picture->panel_count; h++) {
        const Picture *head = &picture->panels[h];
        for (size_t cell = rows.begin * head->columns; cell < rows.end * head->columns; cell++)
            count += reaches(weight_at(head, cell), threshold);
    }
    return count;
}

double links_heaviest(const Picture *picture) {
    Rows rows = rows_of(picture);
    double most = 0;
    for (size_t h = 0; h < picture->panel_count; h++) {
        const Picture *head = &picture->panels[h];
        for (size_t cell = rows.begin * head->columns; cell < rows.end * head->columns; cell++) {
            double weight = weight_at(head, cell);
            if (weight > most) most = weight;
        }
    }
    return most;
}

double links_readable_threshold(const Picture *picture) {
    static const double round[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15,
                                   0.2,   0.25,  0.3,   0.4,  0.5,  0.6,  0.7,  0.8,  0.9};
    enum { ROUND = sizeof round / sizeof *round, USUAL = 6 };
    Rows rows = rows_of(picture);
    size_t most = (rows.end - rows.begin) * (2 + picture->panel_count / 4),
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

/* The upper end of the range that the picture asks for, or half of it where no weight is above
 * that: among many keys most weights are small. */
static double full_weight(const Picture *picture) {
    double high = picture->panel_count ? heatmap_range(&picture->panels[0]).high : 1;
    return links_heaviest(picture) < high / 2 ? high / 2 : high;
}

bool links_init(Links *links, const Picture *picture, Error *err) {
    Rows rows = rows_of(picture);
    size_t count = links_count(picture, picture->threshold), at = 0;
    *links = (Links){.full = full_weight(picture)};
    links->items = mem_zeroed(count + 1, sizeof *links->items, err);
    if (!links->items) return false;
    for (size_t h = 0; h < picture->panel_count; h++) {
        const Picture *head = &picture->panels[h];
        for (size_t cell = rows.begin * head->columns; cell < rows.end * head->columns; cell++) {
            double weight = weight_at(head, cell);
            if (reaches(weight, picture->threshold))
                links->items[at++] = (Link){h, cell / head->columns, cell % head->columns, weight};
        }
    }
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
