/* A picture drawn by gnuplot to be shown at once: in a window, or as an image within a terminal or
 * a document. */
#ifndef ATTN_VIEW_PICTURE_IMAGE_H
#define ATTN_VIEW_PICTURE_IMAGE_H

#include "view/picture.h"

/* Shows it in the one window, which opens with the first picture. ERR_PLOT: gnuplot is missing,
 * opens no windows, fails or does not answer. */
bool picture_window(const Picture *picture, Error *err);

/* The format of an image for Host.picture: "png", "sixel" or "svg". */
const char *picture_image_format(HostImage image);
/* Appends the bytes of such an image; within a terminal it has a size that suits the host. */
bool picture_image(Text *bytes, const Picture *picture, HostImage image, const Host *host,
                   Error *err);

#endif
