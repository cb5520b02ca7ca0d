/* explore: one step of each setting. */
#ifndef ATTN_SHELL_EXPLORE_KNOBS_H
#define ATTN_SHELL_EXPLORE_KNOBS_H

#include "shell/explore/explore_model.h"

/* Turns `wanted`, a copy of the settings, by so many steps. False, with a remark, where there is no
 * such step. */
typedef bool ExploreKnob(const Explore *explore, Settings *wanted, int by, Error *remark);

ExploreKnob explore_temperature; /* along a ladder from 0 to inf; by 0: to 1 */
ExploreKnob explore_scale;
ExploreKnob explore_mask; /* to the next kind; a mask that the session came with stays among them */
ExploreKnob explore_width; /* of the mask's window or padding */
ExploreKnob explore_position;
ExploreKnob explore_heads; /* to the next divisor of the widths */
ExploreKnob explore_entry; /* all settings as at the start */

int explore_position_count(void); /* the number of steps that lead round all positions */

/* Keeps the numbers of the mask for when m comes back to its kinds; at first every kind gets its
 * usual one. */
void explore_mask_numbers(Explore *explore, bool first);

#endif
