/* explore: makes the whole screen as a sheet of styled text. Pure: explore_screen shows it. */
#ifndef ATTN_SHELL_EXPLORE_PAGE_H
#define ATTN_SHELL_EXPLORE_PAGE_H

#include "session/explain/derivation.h"
#include "shell/explore/explore_model.h"

/* Fills a cleared sheet with the bench; its layout is then that of this screen. */
bool explore_draw(Scene *explore, Sheet *sheet, Error *err);

/* The parts, each of which fills an area of the layout: the heatmap, how the selected weight comes
 * about, and the keys of the selected query. */
void explore_put_heat(const Explore *explore, Sheet *sheet);
void explore_put_working(const Explore *explore, Sheet *sheet, const Derivation *derivation);
void explore_put_list(const Explore *explore, Sheet *sheet, const Derivation *derivation);

#endif
