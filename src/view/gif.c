/* The blocks of a GIF (version 89a of its specification). gnuplot does not say when the disk was
 * full, and the trailer, a semicolon, may stand anywhere in the data. */
#include "view/gif.h"

#include <string.h>

enum {
    SCREEN_END = 13,  /* the signature, and the description of the screen */
    IMAGE_BYTES = 10, /* the description of an image, with the byte that begins it */
    HAS_COLORS = 0x80,
    COLORS = 0x07, /* the table has 2^(n + 1) colours of 3 bytes */
    IMAGE = 0x2C,
    EXTENSION = 0x21,
    TRAILER = 0x3B
};

static size_t colors_length(unsigned char flags) {
    return flags & HAS_COLORS ? (size_t)3 << ((flags & COLORS) + 1) : 0;
}

/* The place behind a row of data blocks, each of which says its length, to the empty one that ends
 * it; beyond `length` where it is cut short. */
static size_t skip_data(const unsigned char *bytes, size_t length, size_t at) {
    while (at < length && bytes[at] > 0) at += (size_t)bytes[at] + 1;
    return at + 1;
}

bool gif_is_whole(const char *file, size_t length) {
    const unsigned char *bytes = (const unsigned char *)file;
    if (length < SCREEN_END || memcmp(bytes, "GIF8", 4) != 0) return false;
    size_t at = SCREEN_END + colors_length(bytes[10]);
    while (at < length && bytes[at] != TRAILER) {
        if (bytes[at] == EXTENSION) {
            at = skip_data(bytes, length, at + 2);
        } else if (bytes[at] == IMAGE && at + IMAGE_BYTES <= length) {
            at += IMAGE_BYTES + colors_length(bytes[at + IMAGE_BYTES - 1]);
            at = skip_data(bytes, length, at + 1); /* behind the size of its codes */
        } else {
            return false;
        }
    }
    return at < length;
}
