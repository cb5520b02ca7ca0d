/* Links: weights drawn as lines from queries to keys, those that reach the picture's threshold. */
#ifndef ATTN_VIEW_LINKS_DATA_H
#define ATTN_VIEW_LINKS_DATA_H

#include "view/picture.h"

typedef struct Link {
    size_t head, query, key; /* head: the panel */
    double weight;
} Link;

typedef struct Links {
    Link *items; /* the lightest first: what is drawn later lies above */
    size_t count;
    double full; /* the weight that looks strongest: 1, or less where all weights are small */
} Links;

/* The links of a PICTURE_LINKS. False: out of memory. Release in any case. */
bool links_init(Links *links, const Picture *picture);
void links_release(Links *links);
/* Puts them in the order of heads and queries, of each the heaviest first. */
void links_sort_for_reading(Links *links);

/* The strength with which a link is drawn, in [0, 1]. */
double link_strength(const Links *links, const Link *link);
/* The number of weights that reach the threshold; above 0, for a weight of 0 links nothing. */
size_t links_count(const Picture *picture, double threshold);
/* The largest weight that could be a link; 0 where the mask hides all. */
double links_heaviest(const Picture *picture);
/* A round threshold that leaves about two links to a query, of many heads some more, and at least
 * one link of all. Below 0.05 only where no weight reaches that, and of one query. */
double links_readable_threshold(const Picture *picture);

#endif
