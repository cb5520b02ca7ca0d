/* explore: the whole screen as text with its places and styles. Pure: what shows it is
 * explore_screen. */
#ifndef ATTN_SHELL_EXPLORE_PAGE_H
#define ATTN_SHELL_EXPLORE_PAGE_H

#include "shell/explore/explore_layout.h"
#include "shell/explore/explore_model.h"
#include "shell/explore/sheet.h"

/* Fills a sheet that was cleared to the size of the screen. layout: as for explore_layout; it is
 * then the one that was used. */
bool explore_page(const Explore *explore, ExploreLayout *layout, Sheet *sheet, Error *err);

#endif
