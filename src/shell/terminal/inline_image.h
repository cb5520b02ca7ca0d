/* Images within the text of a terminal: what is written so that it shows one. */
#ifndef ATTN_SHELL_INLINE_IMAGE_H
#define ATTN_SHELL_INLINE_IMAGE_H

#include "base/host.h"

/* Host.picture of a terminal: a PNG in kitty's protocol, sixels as they are. */
bool terminal_show_picture(Host *host, const char *format, const char *bytes, size_t length,
                           const char *words, Error *err);

/* A PNG in kitty's graphics protocol: base64 in chunks of 4096 characters, shown where the cursor
 * stands. columns: how many it is scaled to; 0: pixel by pixel. */
void kitty_write(Text *out, const char *png, size_t length, int columns);

/* The size in a PNG's header. False: it is none. */
bool png_size(const char *bytes, size_t length, int *width, int *height);

#endif
