/* A picture drawn by gnuplot and shown at once: in a window, or as an image within a terminal. */
#ifndef ATTN_VIEW_PICTURE_IMAGE_H
#define ATTN_VIEW_PICTURE_IMAGE_H

#include "view/picture.h"

/* In the one window, which opens with the first picture. ERR_PLOT: gnuplot is missing, opens no
 * windows, fails or does not answer. */
bool picture_window(const Picture *picture, Error *err);

/* What makes the terminal show it: IMAGE_KITTY or IMAGE_SIXEL, for the size and the cells of this
 * host's terminal. */
bool picture_inline(Text *out, const Picture *picture, HostImage image, const Host *host,
                    Error *err);

#endif
