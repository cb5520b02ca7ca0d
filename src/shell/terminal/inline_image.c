#include "shell/terminal/inline_image.h"

#include "base/base64.h"
#include "base/error.h"

#include <string.h>

enum {
    CHUNK = 4096 / 4 * 3 /* bytes that become 4096 characters, the most that one escape may hold */
};

/* a=T: transmit and show; f=100: a PNG; q=2: no answer, which would arrive as typed keys; m=1: more
 * follows. */
void kitty_write(Text *out, const char *png, size_t length, int columns) {
    for (size_t at = 0; at < length; at += CHUNK) {
        size_t part = length - at < CHUNK ? length - at : CHUNK;
        text_string(out, "\033_G");
        if (at == 0) text_string(out, "a=T,f=100,q=2,");
        if (at == 0 && columns > 0) text_format(out, "c=%d,", columns);
        text_format(out, "m=%d;", at + part < length);
        base64_write(out, png + at, part);
        text_string(out, "\033\\");
    }
}

static int big_endian(const char *bytes) {
    unsigned number = 0;
    for (int i = 0; i < 4; i++) number = number << 8 | (unsigned char)bytes[i];
    return number < 1 << 24 ? (int)number : 0;
}

bool png_size(const char *bytes, size_t length, int *width, int *height) {
    static const char beginning[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    if (length < 24 || memcmp(bytes, beginning, 16) != 0) return false;
    *width = big_endian(bytes + 16);
    *height = big_endian(bytes + 20);
    return *width > 0 && *height > 0;
}

bool terminal_show_picture(Host *host, const char *format, const char *bytes, size_t length,
                           const char *words, Error *err) {
    Text text = TEXT_EMPTY;
    int width, height;
    (void)words; /* the screen shows the picture itself */
    if (strcmp(format, "sixel") == 0) {
        text_bytes(&text, bytes, length);
    } else {
        if (!png_size(bytes, length, &width, &height))
            return error_set(err, ERR_PLOT, "the picture is no PNG");
        /* Where the size of a cell is a guess, the terminal scales the image to the columns that we
         * counted on. */
        int columns = (width + CELL_WIDTH_USUAL - 1) / CELL_WIDTH_USUAL;
        if (columns > host->columns) columns = host->columns;
        kitty_write(&text, bytes, length, host->cell_width > 0 ? 0 : columns);
    }
    text_char(&text, '\n');
    bool ok = text_ok(&text, err) && host_write(host, text.data, text.length, err);
    text_release(&text);
    return ok;
}
