/* Whether the bytes are a whole GIF, up to the trailer behind the last of its blocks. */
#ifndef ATTN_VIEW_GIF_H
#define ATTN_VIEW_GIF_H

#include <stdbool.h>
#include <stddef.h>

bool gif_is_whole(const char *bytes, size_t length);

#endif
